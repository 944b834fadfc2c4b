import { productCategories } from '../../domain/catalogue/product-category.ts'
import { amountFields, imagesMax, intervals, priceTypes } from '../../domain/catalogue/product.ts'
import { isOneOf, recordOf } from '../../domain/narrow.ts'
import { typedText } from '../form.ts'
import { type FieldWords, numberOrText } from './board-form.ts'
import { withPlainBreaks } from '../opened-form.ts'
import type { ShownProduct } from './product-words.ts'
import { readTypedAmount } from './typed-amount.ts'

// The fields of a product as the texts of a form, and the API's fields for these texts.

/** What of a product can be changed. `images` are ids of uploads with commas. */
const changeableNames = ['name', 'description', 'category', ...amountFields, 'images'] as const
type ChangeableName = (typeof changeableNames)[number]
export type Changeable = Record<ChangeableName, string>

/** What never changes. An empty `interval` is a product that is sold once. */
const fixedNames = ['price_type', 'currency', 'interval', 'interval_count', 'trial_days'] as const
export type Fixed = Record<(typeof fixedNames)[number], string>

export const noFixed: Fixed = { ...recordOf(fixedNames, () => ''), price_type: 'fixed', currency: 'USD' }
export const noChangeable: Changeable = recordOf(changeableNames, () => '')

/**
 * The changeable texts in a form. An input that it does not have stays as it is: a price has not all amounts.
 * `currency` is that of the product, which the form of a change does not have.
 */
export function changeableIn(form: URLSearchParams, current: Changeable, currency: string): Changeable {
  const typed = recordOf(changeableNames, (name) => (form.has(name) ? typedText(form, name) : current[name]))
  return {
    ...typed,
    ...recordOf(amountFields, (field) => readTypedAmount(typed[field], currency)),
    description: withPlainBreaks(typed.description),
    images: form.getAll('image').join(','),
  }
}

export const fixedIn = (form: URLSearchParams): Fixed => {
  const typed = recordOf(fixedNames, (name) => typedText(form, name))
  return {
    ...typed,
    price_type: isOneOf(priceTypes, typed.price_type) ? typed.price_type : 'fixed',
    interval: isOneOf(intervals, typed.interval) ? typed.interval : '',
  }
}

export const changeableOf = (product: ShownProduct): Changeable => ({
  name: product.name,
  description: product.description ?? '',
  category: product.category ?? '',
  ...recordOf(amountFields, (field) => product[field] ?? ''),
  images: product.images.map(({ upload_id: id }) => id).join(','),
})

/** The ids that a form keeps in one input, with commas between them. */
export const idsIn = (text: string): string[] => text.split(',').filter((id) => id !== '')

/** The API's fields for these texts. An empty text clears its field. */
export function changeableBody(typed: Changeable, names: readonly ChangeableName[]) {
  const fields = {
    ...recordOf(changeableNames, (name) => typed[name] || null),
    name: typed.name,
    images: idsIn(typed.images),
  }
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

/** The body of a new product. A text that is no number is sent as it is, and the API refuses it. */
export function newBody(typed: Changeable, fixed: Fixed): object {
  const { price_type, currency, interval, interval_count: count, trial_days: trial } = fixed
  const given = changeableNames.filter((name) => typed[name] !== '')
  const rhythm = {
    ...(count !== '' && { interval_count: numberOrText(count) }),
    ...(trial !== '' && { trial_days: numberOrText(trial) }),
  }
  const recurring = interval === '' ? null : { interval, ...rhythm }
  return { name: '', price_type, currency, recurring, ...changeableBody(typed, given) }
}

const oneOfFixed = 'Only for a fixed price: an amount above zero that the currency has, such as 25.00.'
const oneOfCustom = 'Only where the buyer decides: an amount that the currency has, in the order of these three.'

export const productWordsOfErrors: FieldWords = {
  name: 'Enter a name: one line of at most 255 characters.',
  description: 'Enter at most 5,000 characters.',
  category: 'Choose one of these.',
  amount: oneOfFixed,
  minimum_amount: oneOfCustom,
  maximum_amount: oneOfCustom,
  suggested_amount: oneOfCustom,
  currency: 'Choose one of these.',
  'recurring.interval': ['interval', 'Choose one of these.'],
  'recurring.interval_count': ['interval_count', 'Enter a whole number. Two charges are at most three years apart.'],
  'recurring.trial_days': ['trial_days', 'Enter a whole number of days, at most 730.'],
  images: ['file', `A product has at most ${imagesMax} images.`],
  ...Object.fromEntries(
    Array.from({ length: imagesMax }, (_, index) => [`images.${index}`, ['file', 'An image is gone. Remove it.']]),
  ),
}

/** What can be said before the API is asked: a rhythm is of a product that is billed again. */
export const rhythmErrors = ({ interval, interval_count: count, trial_days: trial }: Fixed) => {
  const words = 'This is for a product that is billed again. Choose how often above, or clear it.'
  return {
    ...(interval === '' && count !== '' && { interval_count: words }),
    ...(interval === '' && trial !== '' && { trial_days: words }),
  }
}

export const categoryChoices = productCategories.map(({ value, label }) => ({ code: value, name: label }))
export const categoryName = (value: string): string =>
  productCategories.find((each) => each.value === value)?.label ?? value
