import type { Context } from 'koa'
import type { Static } from 'typebox'
import { priceTypes } from '../../domain/catalogue/product.ts'
import { currencyCodes } from '../../domain/currency.ts'
import { isOneOf, recordOf } from '../../domain/narrow.ts'
import type { ProductGroup } from '../../schemas/catalogue/product-group.ts'
import type { Answer } from '../api.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { type FieldWords, forbidden, keyIn, mayDo, newFormKey, numberOrText, refusedForm } from './board-form.ts'
import { type Listed, showUnread } from './dashboard-lists.ts'
import { type Again, keyAfter, notSaved, sameKey } from './edit-form.ts'
import { textIn } from './list-filter.ts'
import { type MetadataForm, metadataForm, metadataIn } from './metadata-form.ts'
import {
  newSettings,
  noSettings,
  type Settings,
  settingCodes,
  settingsForm,
  settingsIn,
  settingWords,
} from './payment-link-settings.ts'
import { type Choice, readProductChoices, withChosen } from './product-choices.ts'
import type { ShownLink } from './payment-link-words.ts'
import { readTypedAmount } from './typed-amount.ts'

/** The forms of sale that a link may have. */
const sales = ['price', 'products', 'group'] as const

const saleNames = [
  'sells',
  'price_type',
  'currency',
  'amount',
  'minimum_amount',
  'maximum_amount',
  'product_group_id',
  'platform_fee',
  'destination',
  'transfer_amount',
] as const
type Sale = Record<(typeof saleNames)[number], string>

/** A product of a link. Empty lines are left out. */
type Line = { product: string; quantity: string; amount: string }
const linesShown = 5
const noLine: Line = { product: '', quantity: '', amount: '' }

type Typed = { settings: Settings; sale: Sale; lines: Line[]; metadata: MetadataForm }

/** What the form offers; `isCut` where there are more products or groups than it shows. */
type Offered = { products: Choice[]; groups: Choice[]; isCut: boolean }

const noSale: Sale = { ...recordOf(saleNames, () => ''), sells: 'price', price_type: 'fixed', currency: 'USD' }

/** `/dashboard/payment-links/new`: what the link sells, and its settings. The key of the form makes one link of it. */
export function addPaymentLinkCreation(site: Site, folder: string): void {
  const { home, sessions, read, submitFile, show } = site
  const at = folder.slice(home.length)
  const path = `${at}/new`

  async function showForm(ctx: Context, typed: Typed, result: Again = {}): Promise<void> {
    const choices = await readChoices(site, ctx, typed)
    if (!choices.ok) return showUnread(site, ctx, choices.refused)
    const { settings, sale, lines, metadata } = typed
    const data = {
      isSignedIn: true,
      at,
      folder,
      formKey: newFormKey(),
      sale,
      lines: Array.from({ length: linesShown }, (_, index) => lines[index] ?? noLine),
      currencies: currencyCodes.map((code) => ({ code, name: code })),
      metadata,
      ...choices.body,
      ...settingsForm(settings),
      ...result,
    }
    show(ctx, pageOf('dashboard/payment-link-new', 'New payment link', data, result.status ?? 200))
  }

  read(path, async (ctx) => {
    if (!mayDo(site, ctx, 'payments:write')) return showUnread(site, ctx, forbidden)
    await showForm(ctx, { settings: noSettings, ...saleAskedFor(ctx), metadata: metadataForm({}) })
  })

  submitFile(path, 0, async (ctx, { fields: form }) => {
    if (site.personOf(ctx) && !mayDo(site, ctx, 'payments:write')) return showUnread(site, ctx, forbidden)
    const metadata = metadataIn(form, {})
    const typed = { settings: settingsIn(form), sale: saleIn(form), lines: linesIn(form), metadata: metadata.form }
    const { errors } = metadata
    const unfit = { ...notSaved({ errors, problem: null, status: 422 }), formKey: sameKey(form) }
    if (Object.keys(errors).length > 0) return showForm(ctx, typed, unfit)
    const body = { ...newSettings(typed.settings), ...saleBody(typed), metadata: metadata.sent }
    const made = await sessions.call<ShownLink>(ctx, 'POST', '/v1/payment-links', body, keyIn(form))
    if (made.ok) return goTo(ctx, `${folder}/${made.body.payment_link_id}?done=created`)
    if (made.refused.status === 401) return showUnread(site, ctx, made.refused)
    const words: FieldWords = { ...metadata.words, ...settingWords, ...saleWords, ...lineWords(typed.lines) }
    const result = notSaved(refusedForm(made.refused, words, { ...settingCodes, ...saleCodes }))
    await showForm(ctx, typed, { ...result, formKey: keyAfter(form, result.status) })
  })
}

/** The sale that the address asks for: a page of a product or group leads here with its id. */
function saleAskedFor(ctx: Context): Pick<Typed, 'sale' | 'lines'> {
  const [product, group] = [textIn(ctx, 'product').slice(0, 64), textIn(ctx, 'group').slice(0, 64)]
  if (product) return { sale: { ...noSale, sells: 'products' }, lines: [{ ...noLine, product, quantity: '1' }] }
  return { sale: group ? { ...noSale, sells: 'group', product_group_id: group } : noSale, lines: [] }
}

const priceAmounts = ['amount', 'minimum_amount', 'maximum_amount'] as const
const splitAmounts = ['platform_fee', 'transfer_amount'] as const

/** The sale in a form. Where products are sold, their currency counts, which the form does not know. */
const saleIn = (form: URLSearchParams): Sale => {
  const sale = recordOf(saleNames, (name) => typedText(form, name))
  const sells = isOneOf(sales, sale.sells) ? sale.sells : 'price'
  const currencyOfSplit = sells === 'price' ? sale.currency : ''
  return {
    ...sale,
    ...recordOf(priceAmounts, (name) => readTypedAmount(sale[name], sale.currency)),
    ...recordOf(splitAmounts, (name) => readTypedAmount(sale[name], currencyOfSplit)),
    sells,
    price_type: isOneOf(priceTypes, sale.price_type) ? sale.price_type : 'fixed',
  }
}

const linesIn = (form: URLSearchParams): Line[] =>
  Array.from({ length: linesShown }, (_, index) => ({
    product: typedText(form, `product_${index}`),
    quantity: typedText(form, `quantity_${index}`),
    amount: readTypedAmount(typedText(form, `amount_${index}`), ''),
  }))

const isFilled = (line: Line): boolean => line.product !== '' || line.amount !== ''

/** What is sold and how it is split, as the API has it. What is no number is sent as it is, and the API refuses it. */
function saleBody({ sale, lines }: Typed) {
  const split = {
    ...(sale.platform_fee && { platform_fee: sale.platform_fee }),
    ...((sale.destination || sale.transfer_amount) && {
      transfer_data: { destination: sale.destination, amount: sale.transfer_amount },
    }),
  }
  if (sale.sells === 'group') return { ...split, product_group_id: sale.product_group_id }
  if (sale.sells === 'products') return { ...split, product_cart: lines.filter(isFilled).map(sentLine) }
  const { price_type, currency, amount, minimum_amount, maximum_amount } = sale
  const amounts = Object.entries({ amount, minimum_amount, maximum_amount }).filter(([, text]) => text !== '')
  return { ...split, price: { price_type, currency, ...Object.fromEntries(amounts) } }
}

const sentLine = ({ product, quantity, amount }: Line) => ({
  product_id: product,
  ...(quantity !== '' && { quantity: numberOrText(quantity) }),
  ...(amount !== '' && { amount }),
})

const amountWords = 'Enter an amount that the currency has, such as 25.00, if the price is fixed. Else leave it empty.'
const boundWords =
  'Only where the buyer decides: an amount that the currency has, and the upper one not below the lower.'
const splitWords =
  'Enter an amount in figures, such as 5.00, that is left of each sale after its fee, and only one kind of split.'

const saleWords: FieldWords = {
  'price.amount': ['amount', amountWords],
  'price.minimum_amount': ['minimum_amount', boundWords],
  'price.maximum_amount': ['maximum_amount', boundWords],
  product_cart: ['product_0', 'Choose at least one product.'],
  product_group_id: ['product_group_id', 'Choose a group that has an active product.'],
  platform_fee: splitWords,
  'transfer_data.amount': ['transfer_amount', splitWords],
  'transfer_data.destination': ['destination', 'Enter the id of a connected account of yours.'],
}

const saleCodes = {
  NOT_FOUND: 'The group or the account that you named does not exist. Nothing was created.',
  CONFLICT: 'This form was sent before with other values. Look at your payment links before you go on.',
} as const

/** The words of the API's errors in the lines, which leave out empty ones. */
function lineWords(lines: Line[]): FieldWords {
  const filled = lines.flatMap((line, row) => (isFilled(line) ? [row] : []))
  const words = filled.flatMap((row, index) => [
    [`product_cart.${index}.product_id`, [`product_${row}`, productRule]] as const,
    [`product_cart.${index}.quantity`, [`quantity_${row}`, 'Enter a whole number from 1 to 999.']] as const,
    [`product_cart.${index}.amount`, [`amount_${row}`, amountRule]] as const,
  ])
  return Object.fromEntries(words)
}

const productRule = 'Choose an active product of the same currency and rhythm as those before it.'
const amountRule =
  'Only for a price that the buyer decides: an amount within its limits, in figures, such as 25.00. At most one ' +
  'product may be left without.'

/** The newest active products and groups, and those that are chosen already. */
async function readChoices(site: Site, ctx: Context, { sale, lines }: Typed): Promise<Answer<Offered>> {
  const chosen = lines.map(({ product }) => product)
  const path = '/v1/product-groups?active=true&limit=100'
  const [products, groups] = await Promise.all([
    readProductChoices(site, ctx, chosen),
    site.sessions.call<Listed<Static<typeof ProductGroup>>>(ctx, 'GET', path),
  ])
  if (!products.ok) return products
  if (!groups.ok) return groups
  const offered = groups.body.items.map((each) => ({ code: each.product_group_id, name: each.name }))
  return {
    ok: true,
    body: {
      products: products.body.choices,
      groups: withChosen(offered, [sale.product_group_id]),
      isCut: products.body.isCut || groups.body.pagination.next_cursor !== null,
    },
  }
}
