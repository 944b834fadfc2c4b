import { tooManyAttempts } from '../../domain/checkout/checkout.ts'
import { linkSoldOut } from '../../domain/checkout/payment-link.ts'
import { isCurrency } from '../../domain/currency.ts'
import { format } from '../../domain/money.ts'
import type { FieldError } from '../../domain/refusal.ts'
import type { Refused } from '../api.ts'
import type { Language } from '../language.ts'
import { isWord, type WordKey } from '../words/catalogues.ts'

/** The error of each field of a form, by its name. */
export type InputErrors = Record<string, string>

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

type Bounds = { currency: string; minimum_amount: string | null; maximum_amount: string | null }
type Writer = Pick<Language, 'say' | 'money' | 'figure'>

/** The message for an amount: its bounds. If it has none or cannot be read, how to write it. */
export function amountWords(writer: Writer, { currency, ...bounds }: Bounds, typed = ''): string {
  const { say, money, figure } = writer
  const example = isCurrency(currency) ? format('25', currency) : '25.00'
  const hasDecimals = example.includes('.')
  const isAsWritten = hasDecimals ? /^\d+(\.\d\d?)?$/.test(typed) : /^\d+$/.test(typed)
  if (/[.,]/.test(typed) && !isAsWritten) {
    return say(hasDecimals ? 'wrong.amount.point' : 'wrong.amount.figures', { example: figure(example) })
  }
  const low = bounds.minimum_amount && money(bounds.minimum_amount, currency)
  const high = bounds.maximum_amount && money(bounds.maximum_amount, currency)
  if (low && high) return say('wrong.amount.between', { low, high })
  if (low) return say('wrong.amount.least', { low })
  return high ? say('wrong.amount.most', { high }) : say('wrong.amount', { example: figure(example) })
}

/** Why a payment failed, and what to do about it, in a buyer's words. */
export function failure({ say }: Language, code: string | null): string {
  const key = `failed.${code}`
  return say(isWord(key) ? key : 'failed.other')
}

const problems: Record<string, WordKey> = {
  VALIDATION_ERROR: 'problem.fields',
  PAYMENT_METHOD_NOT_ALLOWED: 'problem.method',
  ACCOUNT_NOT_ACTIVATED: 'problem.seller',
  ACCOUNT_PAYMENT_METHODS_RESTRICTED: 'problem.seller',
  CONFLICT: 'problem.state',
}

/** The message above a refused form with which nobody pays. */
export function problemWithoutCharge({ say }: Language, code: string, waitSeconds: number | null): string {
  if (code === 'TOO_MANY_REQUESTS') return say('problem.often', { wait: duration(say, waitSeconds ?? 60) })
  return say(problems[code] ?? 'problem.ours')
}

/** The message above a refused form. After a fault of ours it says that a second try charges nothing more. */
export function problem(language: Language, code: string, waitSeconds: number | null): string {
  const words = problemWithoutCharge(language, code, waitSeconds)
  const isOurs = code !== 'TOO_MANY_REQUESTS' && problems[code] === undefined
  return isOurs ? `${words} ${language.say('problem.once')}` : words
}

/** The words for refusals after which the session looks as before, by their entry code. */
const lasting = { [linkSoldOut]: 'problem.sold', [tooManyAttempts]: 'problem.attempts' } as const

/** The message above a refused form. */
export function refusalWords(language: Language, { code, errors, waitSeconds }: Refused): string {
  const [, word] = Object.entries(lasting).find(([entry]) => errors.some((error) => error.code === entry)) ?? []
  return word ? language.say(word) : problem(language, code, waitSeconds)
}

function duration(say: Language['say'], seconds: number): string {
  if (seconds >= 60) return say('wait.minutes', { count: seconds > 90 ? Math.ceil(seconds / 60) : 1 })
  return say('wait.seconds', { count: seconds })
}
