import { isZero } from '../domain/money.ts'

/** What a page shows again of a form. A card's number, a security code and a one-time code are not among it. */
export type Typed = Record<string, string>

const kept = /^(email|name|expiry|phone|provider|asset|method|product|currency|amount_prod_\w{1,64})$/

export const typedIn = (form: URLSearchParams): Typed =>
  Object.fromEntries([...form].filter(([name]) => kept.test(name)))

/** The body of a call to pay. What cannot be read goes as it is: the API says what is wrong with it. */
export function choiceIn(form: URLSearchParams): object {
  const details = { email: text(form, 'email'), name: text(form, 'name') }
  const pick = pickIn(form)
  return {
    ...(form.has('email') && { customer_details: details }),
    ...(pick && { products: [{ product_id: pick.product, ...(pick.amount && { amount: pick.amount }) }] }),
    ...(!pick?.isFree && methodIn(form)),
  }
}

/** The name of the field in which the amount of the picked product is typed. */
export const amountField = (form: URLSearchParams): string => `amount_${pickIn(form)?.product ?? ''}`

/** A choice `custom:prod_…` is of a product whose price the buyer decides, `free:prod_…` of one that costs nothing. */
function pickIn(form: URLSearchParams) {
  const [, kind, product] = /^(?:(custom|free):)?(.+)$/.exec(text(form, 'product')) ?? []
  if (!product) return null
  const amount = kind === 'custom' ? text(form, `amount_${product}`) : ''
  return { product, amount, isFree: kind === 'free' || (/^\d+(\.\d+)?$/.test(amount) && isZero(amount)) }
}

/** A method is sent as its type and its corridor: `card:USD_CARD`. What its type asks for goes with it. */
function methodIn(form: URLSearchParams): object {
  const [type, corridor] = text(form, 'method').split(':')
  if (!corridor) return {}
  const asked: Record<string, () => object> = {
    card: () => ({ card: cardIn(form) }),
    mobile_money: () => ({
      phone_number: text(form, 'phone').replaceAll(/[\s().-]/g, ''),
      provider: text(form, 'provider'),
    }),
    crypto: () => ({ asset: text(form, 'asset') }),
  }
  return { payment_method: corridor, ...asked[type ?? '']?.() }
}

function cardIn(form: URLSearchParams) {
  const expiry = /^(\d{1,2})\s*[-/. ]?\s*(\d{4}|\d{2})$/.exec(text(form, 'expiry'))
  const [, month = '0', year = '0'] = expiry ?? []
  return {
    number: text(form, 'number'),
    exp_month: Number(month),
    exp_year: Number(year) + (year.length === 2 ? 2000 : 0),
    cvc: text(form, 'cvc'),
  }
}

export const codeIn = (form: URLSearchParams): object =>
  form.get('step') === 'code' ? { code: text(form, 'code') } : {}

const text = (form: URLSearchParams, name: string): string => form.get(name)?.trim() ?? ''
