import { latinDigits } from '../../domain/digits.ts'
import { isZero } from '../../domain/money.ts'
import { typedText } from '../form.ts'
import { tokenField } from './card-frame.ts'
import { type DecimalMark, readAmount } from './amount.ts'
import { readPhone } from './phone.ts'

/** The form values that a page shows again: never a card number, a security code or a one-time code. */
export type Typed = Record<string, string>

const kept = /^(email|name|expiry|phone|country|provider|asset|method|product|currency|emptied|amount_prod_\w{1,64})$/

/** The values that may be shown again. `emptied` is set if a card was entered too, which is not shown again. */
export function typedIn(form: URLSearchParams): Typed {
  const typed = Object.fromEntries([...form].filter(([name]) => kept.test(name)))
  const hasToken = typedText(form, tokenField(typedText(form, 'method'))) !== ''
  const hasCard = hasToken || typedText(form, 'number') !== '' || typedText(form, 'cvc') !== ''
  return hasCard ? { ...typed, emptied: 'yes' } : typed
}

/** A card as it was typed. */
export type TypedCard = { number: string; exp_month: number; exp_year: number; cvc: string }

/** The body of a call to pay, as the API takes it. */
export type PayBody = {
  customer_details?: { email: string; name: string }
  products?: { product_id: string; amount?: string }[]
  payment_method?: string
  card?: TypedCard | { token: string } | { payment_method_id: string; cvc?: string; cvc_token?: string }
  phone_number?: string
  provider?: string
  asset?: string
  /** Pays at once, without a page to confirm. */
  confirm?: true
}

/** Characters without a width, which are copied with an email out of a chat or a page. They are no part of it. */
const widthless = /[\u200B-\u200D\u2060\uFEFF]/g

/** The body of a call to pay. Unreadable values are sent unchanged, and the API refuses them. */
export function choiceIn(form: URLSearchParams, mark: DecimalMark): PayBody {
  const details = { email: typedText(form, 'email').replaceAll(widthless, '').trim(), name: typedText(form, 'name') }
  const pick = pickIn(form, mark)
  return {
    ...(form.has('email') && { customer_details: details }),
    ...(pick && { products: [{ product_id: pick.product, ...(pick.amount && { amount: pick.amount }) }] }),
    ...(!pick?.isFree && methodIn(form)),
  }
}

/** The name of the field in which the amount of the picked product is typed. */
export const amountField = (form: URLSearchParams): string => `amount_${pickedIn(form)?.product ?? ''}`

/** The chosen product: `custom:prod_…` if the buyer decides its price, `free:prod_…` if it is free. */
function pickedIn(form: URLSearchParams) {
  const [, kind, product] = /^(?:(custom|free):)?(.+)$/.exec(typedText(form, 'product')) ?? []
  return product ? { kind, product } : null
}

function pickIn(form: URLSearchParams, mark: DecimalMark) {
  const picked = pickedIn(form)
  if (!picked) return null
  const { kind, product } = picked
  const amount =
    kind === 'custom' ? readAmount(typedText(form, `amount_${product}`), typedText(form, 'priced_in'), mark) : ''
  return { product, amount, isFree: kind === 'free' || (/^\d+(\.\d+)?$/.test(amount) && isZero(amount)) }
}

/** The name of the field for the security code of the saved card that the form chooses; null where it chooses none. */
export function savedCodeField(form: URLSearchParams): string | null {
  const [, id] = /^saved:(pm_\w{1,60}):/.exec(typedText(form, 'method')) ?? []
  return id === undefined ? null : `cvc_${id}`
}

/**
 * The form's method is its type and its corridor: `card:USD_CARD`; of a saved card also its id: `saved:pm_…:USD_CARD`.
 * The fields of the type are read with it. A card whose number a provider's field takes comes as its token.
 */
function methodIn(form: URLSearchParams): PayBody {
  const parts = typedText(form, 'method').split(':')
  const type = parts[0]
  const corridor = parts.length > 1 ? parts.at(-1) : undefined
  if (!corridor) return {}
  const token = form.get(tokenField(typedText(form, 'method')))
  const savedCode = token === null ? { cvc: figures(form, savedCodeField(form) ?? '') } : token && { cvc_token: token }
  const fieldsByType: Record<string, () => PayBody> = {
    card() {
      if (form.has('number')) return { card: cardIn(form) }
      return token ? { card: { token } } : {}
    },
    saved: () => ({ card: { payment_method_id: parts[1] ?? '', ...savedCode } }),
    mobile_money: () => ({
      phone_number: readPhone(typedText(form, 'phone'), typedText(form, 'country')),
      provider: typedText(form, 'provider'),
    }),
    crypto: () => ({ asset: typedText(form, 'asset') }),
  }
  // The type comes with the form, and may be a name that every object has.
  const read = Object.hasOwn(fieldsByType, type ?? '') ? fieldsByType[type ?? ''] : undefined
  return { payment_method: corridor, ...read?.() }
}

function cardIn(form: URLSearchParams): TypedCard {
  const { month, year } = expiryIn(figures(form, 'expiry'))
  return {
    number: figures(form, 'number').replaceAll(/[\s\p{Pd}]/gu, ''),
    exp_month: Number(month),
    exp_year: Number(year) + (year.length === 2 ? 2000 : 0),
    cvc: figures(form, 'cvc'),
  }
}

/** Reads an expiry date in any usual form: `12/30`, `12 / 2030`, `1230`, `1/30`, `2030-12`. Zeros if it is no date. */
function expiryIn(typed: string): { month: string; year: string } {
  const parts = typed.replaceAll(/[\s/.\p{Pd}]+/gu, '/').replaceAll(/^\/|\/$/g, '')
  const [, month = '0', year = '0'] = /^(\d{1,2})\/?(\d{4}|\d{2})$/.exec(parts) ?? []
  const [, yearFirst, monthLast] = /^(\d{4})\/(\d{1,2})$/.exec(parts) ?? []
  return yearFirst && monthLast ? { month: monthLast, year: yearFirst } : { month, year }
}

/** The one-time code, without spaces and dashes: it is often shown, and copied, in groups. */
export const codeIn = (form: URLSearchParams): object =>
  form.get('step') === 'code' ? { code: figures(form, 'code').replaceAll(/[\s\p{Pd}]/gu, '') } : {}

/** A text of digits: some keyboards write those of their own script. */
const figures = (form: URLSearchParams, name: string): string => latinDigits(typedText(form, name))
