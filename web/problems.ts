import { isCurrency } from '../domain/currency.ts'
import { format } from '../domain/money.ts'
import type { Language } from './language.ts'
import type { WordKey } from './words/catalogues.ts'

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

function duration(say: Language['say'], seconds: number): string {
  if (seconds >= 60) return say('wait.minutes', { count: seconds > 90 ? Math.ceil(seconds / 60) : 1 })
  return say('wait.seconds', { count: seconds })
}
