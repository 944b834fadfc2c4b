import Stripe from 'stripe'
import { NotSent } from '../line.ts'
import { noAnswer, secondsToMs, type Unanswered } from '../unanswered.ts'

/**
 * What a failed request says about what it asked for:
 *
 * - `declined`: the card's bank said no. The object may exist; `objectId` is its id.
 * - `refused`: Stripe does not do what was asked (400), and has not done it.
 * - `wrong_state`: the object is in a state that does not allow it, such as a payment that has succeeded.
 * - `not_found`: Stripe has no object with this id.
 * - `used_key`: the idempotency key was used before, with other parameters. So something was ordered under it.
 * - `not_sent`: it has not left, because Stripe is down.
 * - `unknown`: nothing is known. Our key was refused (401, 403), another request holds the idempotency key (409), there
 *   were too many requests (429), Stripe failed (5xx), or there was no whole answer.
 */
export type TroubleKind = 'declined' | 'refused' | 'wrong_state' | 'not_found' | 'used_key' | 'not_sent' | 'unknown'

/** Codes of a 400 about our account or our program. They say nothing about the order, which stays undecided. */
const aboutUs = new Set([
  'account_closed',
  'account_invalid',
  'api_key_expired',
  'lock_timeout',
  'livemode_mismatch',
  'not_allowed_on_standard_account',
  'parameter_unknown',
  'platform_api_key_expired',
  'rate_limit',
  'secret_key_required',
  'testmode_charges_only',
  'tls_version_unsupported',
  'url_invalid',
])

/**
 * A request to Stripe that failed. Stripe's own error holds the raw answer, with the buyer's data and the card's, so it
 * is not kept as the cause; only words of Stripe's closed lists are.
 */
export class StripeTrouble extends Error {
  override readonly name = 'StripeTrouble'
  readonly kind: TroubleKind
  readonly code: string
  /** The PaymentIntent or SetupIntent that a declined request has made; null where Stripe names none. */
  readonly objectId: string | null
  readonly unanswered: Unanswered

  constructor(what: string, kind: TroubleKind, code: string, unanswered: Unanswered, objectId: string | null = null) {
    super(`Stripe: ${what} failed (${code})`)
    this.kind = kind
    this.code = code
    this.unanswered = unanswered
    this.objectId = objectId
  }
}

/** Makes a request to Stripe. Throws a `StripeTrouble` and nothing else. `what` names the request in errors. */
export async function ask<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw toTrouble(what, error)
  }
}

function toTrouble(what: string, error: unknown): StripeTrouble {
  const { StripeError, StripeConnectionError } = Stripe.errors
  if (error instanceof StripeConnectionError && error.detail instanceof NotSent)
    return new StripeTrouble(what, 'not_sent', 'not sent', noAnswer)
  if (!(error instanceof StripeError) || error instanceof StripeConnectionError)
    return new StripeTrouble(what, 'unknown', 'no answer', { ...noAnswer, isLate: isTimeout(error) })
  const status = error.statusCode === undefined ? 'unreadable answer' : `status ${error.statusCode}`
  const code = wordOf(error.code) ?? status
  const retryAfterMs = secondsToMs(error.headers?.['retry-after'])
  const unanswered = { status: error.statusCode ?? null, isLate: false, retryAfterMs }
  return new StripeTrouble(what, kindOf(error), code, unanswered, objectIn(error))
}

/** Whether Stripe's library has given up waiting. */
function isTimeout(error: unknown): boolean {
  const { detail } = (error ?? {}) as { detail?: unknown }
  return (detail as { code?: unknown } | undefined)?.code === 'ETIMEDOUT'
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): TroubleKind {
  const { StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors
  const code = error.code ?? ''
  if (error instanceof StripeCardError) return 'declined'
  if (error instanceof StripeIdempotencyError) return 'used_key'
  // A 404 or 400 that is not in Stripe's own form comes from something between us and Stripe.
  if (!(error instanceof StripeInvalidRequestError) || error.rawType !== 'invalid_request_error') return 'unknown'
  if (aboutUs.has(code)) return 'unknown'
  if (error.statusCode === 404) return code === 'resource_missing' ? 'not_found' : 'unknown'
  return code.endsWith('_unexpected_state') ? 'wrong_state' : 'refused'
}

/** A code of Stripe's lists; null for any other text. */
const wordOf = (code: string | undefined): string | null => (code && /^[a-z0-9_]{1,64}$/.test(code) ? code : null)

function objectIn({
  payment_intent: payment,
  setup_intent: setup,
}: {
  payment_intent?: unknown
  setup_intent?: unknown
}) {
  const { id } = (payment ?? setup ?? {}) as { id?: unknown }
  return typeof id === 'string' && /^(pi|seti)_\w{1,120}$/.test(id) ? id : null
}

/** Whether an error is trouble with Stripe of one of these kinds. */
export const isTrouble = (error: unknown, ...kinds: TroubleKind[]): error is StripeTrouble =>
  error instanceof StripeTrouble && kinds.includes(error.kind)

/** What a request answers; null where it fails with trouble of one of these kinds. */
export async function orNull<T>(request: () => Promise<T>, ...kinds: TroubleKind[]): Promise<T | null> {
  try {
    return await request()
  } catch (error) {
    if (isTrouble(error, ...kinds)) return null
    throw error
  }
}
