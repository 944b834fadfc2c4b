/** Why a provider has not answered a question, as far as an error of its adapter says. */
export type Unanswered = {
  /** The status of its answer; null: no answer in its own form has come. */
  status: number | null
  /** Whether it has not answered in time. */
  isLate: boolean
  /** How long it asks us to wait, in milliseconds; null where it does not say. */
  retryAfterMs: number | null
}

export const noAnswer: Unanswered = { status: null, isLate: false, retryAfterMs: null }

/** What an error says about a provider; null: it is no error of a provider's adapter. */
export function unansweredIn(error: unknown): Unanswered | null {
  const { unanswered } = (error ?? {}) as { unanswered?: Unanswered }
  return error instanceof Error && unanswered !== undefined ? unanswered : null
}

/** The wait that a provider asks for with a number of seconds; null where it is none. */
export const secondsToMs = (text: unknown): number | null =>
  typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null

/** Why a provider has not answered, in plain words that complete "Stripe …". */
export function whyUnanswered({ status, isLate }: Unanswered, timeoutMs: number): string {
  if (isLate) return `does not answer within ${timeoutMs / 1000} s`
  if (status === null) return 'cannot be reached, or answers in a form that is not its own'
  if (status === 401) return 'does not accept the key (401): it is wrong, expired or deleted'
  if (status === 403) return 'does not let the key do this (403): it lacks a permission, or this machine’s address'
  if (status === 429) return 'limits us (429): too many requests in a short time'
  if (status >= 500) return `has an error of its own (${status})`
  return `refuses the question (${status})`
}
