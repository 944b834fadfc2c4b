import { tooManyAttempts } from '../../domain/checkout/checkout.ts'
import { linkSoldOut } from '../../domain/checkout/payment-link.ts'
import type { FieldError } from '../../domain/refusal.ts'
import type { Refused } from '../api.ts'
import type { InputErrors } from '../form-result.ts'
import type { Language } from '../language.ts'
import { problem } from '../problems.ts'
import { isWord, type WordKey } from '../words/catalogues.ts'

/** The API's fields, in the order of a page: the form's field for each, and the message if it is wrong. */
const fields: Record<string, [string, WordKey]> = {
  products: ['product', 'wrong.product'],
  'products.0': ['product', 'wrong.sum'],
  'products.0.product_id': ['product', 'wrong.product'],
  'products.0.amount': ['amount', 'wrong.amount'],
  'customer_details.email': ['email', 'wrong.email'],
  'customer_details.name': ['name', 'wrong.name'],
  payment_method: ['method', 'wrong.method'],
  'card.payment_method_id': ['method', 'wrong.saved'],
  card: ['number', 'wrong.card'],
  'card.token': ['number', 'wrong.card'],
  'card.number': ['number', 'wrong.number'],
  'card.exp_month': ['expiry', 'wrong.expiry'],
  'card.exp_year': ['expiry', 'wrong.past'],
  'card.cvc': ['cvc', 'wrong.cvc'],
  'card.cvc_token': ['cvc', 'wrong.cvc'],
  phone_number: ['phone', 'wrong.phone'],
  provider: ['provider', 'wrong.provider'],
  asset: ['asset', 'wrong.asset'],
  code: ['code', 'wrong.code'],
}

/** A page's own names and messages for fields, in place of those above. */
export type OwnFields = Partial<Record<string, { name: string; words: string }>>

/** The errors of a form for people, in the order of the page. The API's own messages are for programs. */
export function wordErrors({ say }: Language, errors: FieldError[], own: OwnFields = {}): InputErrors {
  const found: InputErrors = {}
  for (const [field, [name, key]] of Object.entries(fields)) {
    if (!errors.some((error) => error.field === field)) continue
    const place = own[field]
    found[place?.name ?? name] ??= place?.words ?? say(key, { example: '25.00' })
  }
  return found
}

/** Why a payment failed, and what to do about it, in a buyer's words. */
export function failure({ say }: Language, code: string | null): string {
  const key = `failed.${code}`
  return say(isWord(key) ? key : 'failed.other')
}

/** The words for refusals after which the session looks as before, by their entry code. */
const lasting = { [linkSoldOut]: 'problem.sold', [tooManyAttempts]: 'problem.attempts' } as const

/** The message above a refused form. */
export function refusalWords(language: Language, { code, errors, waitSeconds }: Refused): string {
  const [, word] = Object.entries(lasting).find(([entry]) => errors.some((error) => error.code === entry)) ?? []
  return word ? language.say(word) : problem(language, code, waitSeconds)
}
