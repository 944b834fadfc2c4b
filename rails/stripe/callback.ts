import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldsOf, isRecord } from '../../domain/narrow.ts'
import type { RailNews } from '../rail-news.ts'
import { metadataKey } from './intent.ts'
import type { BookedOrder, Orders } from './orders.ts'
import { minuteMs } from '../../domain/duration.ts'

/** How old or how far in the future a callback's time may be. */
const toleranceMs = 5 * minuteMs
/** The largest callback that is read; Stripe's have a few kilobytes. */
const bytesMax = 1024 * 1024
/** The most signatures that are compared: Stripe sends one for each secret, of which two are valid at the same time. */
const signaturesMax = 8

export type CallbackCheck = {
  /** The body, exactly as it was received. */
  bytes: Uint8Array
  /** The header `Stripe-Signature`. */
  signature: string | undefined
  /** The endpoint's secrets `whsec_…`: several while one is being replaced. */
  secrets: readonly string[]
  /** Whether callbacks of Stripe's live mode are expected. */
  livemode: boolean
  /** The present moment, in milliseconds since the epoch. */
  now: number
}

/** What an event of Stripe's is about; each null where it does not say so. */
export type StripeEvent = { type: string; objectId: string; paymentIntentId: string | null; ourId: string | null }

/**
 * What a callback is: `forged`: it is not Stripe's, or too old, and is answered with 400; `ignored`: it is Stripe's, of
 * the other mode or about nothing that has an id.
 */
export type Callback = { is: 'forged' } | { is: 'ignored' } | { is: 'event'; event: StripeEvent }

/**
 * Checks a callback and reads what it is about (docs.stripe.com/webhooks/signature). The signature is that of the
 * received bytes, and is compared in constant time before anything is parsed. `v1` signatures alone count.
 */
export function readCallback({ bytes, signature, secrets, livemode, now }: CallbackCheck): Callback {
  if (bytes.length === 0 || bytes.length > bytesMax) return { is: 'forged' }
  if (!isSigned(bytes, signature ?? '', secrets, now)) return { is: 'forged' }
  const { type, livemode: mode, data } = parse(bytes)
  const object = fieldsOf(fieldsOf(data)['object'])
  const { id } = object
  if (mode !== livemode || typeof type !== 'string' || typeof id !== 'string') return { is: 'ignored' }
  const event = { type, objectId: id, paymentIntentId: intentIn(object), ourId: ourIdIn(object) }
  return { is: 'event', event }
}

function isSigned(bytes: Uint8Array, header: string, secrets: readonly string[], now: number): boolean {
  const parts = header.split(',').map((part) => part.split('=', 2))
  const valuesOf = (wanted: string) => parts.flatMap(([name, value = '']) => (name === wanted ? [value] : []))
  const [time = '', ...otherTimes] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value))
  if (!/^\d{1,12}$/.test(time) || otherTimes.length > 0 || signatures.length > signaturesMax) return false
  const expected = secrets
    .filter((secret) => secret !== '')
    .map((secret) => createHmac('sha256', secret).update(`${time}.`).update(bytes).digest())
  const given = signatures.map((value) => Buffer.from(value, 'hex'))
  // Every pair is compared, so that the time taken does not tell which one fits.
  const fitting = expected.flatMap((one) => given.filter((other) => timingSafeEqual(one, other)))
  return fitting.length > 0 && Math.abs(now - Number(time) * 1000) <= toleranceMs
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString())
    return isRecord(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

const intentIn = ({ payment_intent: intent }: Record<string, unknown>): string | null =>
  typeof intent === 'string' ? intent : null

function ourIdIn({ metadata }: Record<string, unknown>): string | null {
  const ours = fieldsOf(metadata)[metadataKey]
  return typeof ours === 'string' && /^[a-z]+_[0-9a-zA-Z]{1,60}$/.test(ours) ? ours : null
}

/**
 * Which of our processes an event concerns; none where it is not ours. Only what the book has counts: the metadata of
 * an object is not believed, as others may use the same account. What Stripe sends first, before its answer to our
 * order, has no id of Stripe's in the book yet, and is found by ours.
 */
export async function newsOf(orders: Pick<Orders, 'find' | 'findByStripeId'>, event: StripeEvent): Promise<RailNews[]> {
  const { type, objectId, paymentIntentId, ourId } = event
  if (type.startsWith('charge.dispute.')) {
    const payment = paymentIntentId === null ? null : await orders.findByStripeId(paymentIntentId)
    if (!payment || !isPayment(payment)) return []
    // The payment's process opens a dispute that is new, and the dispute's own process asks how it stands.
    const { orderId } = payment
    return [
      { about: 'payment', id: orderId },
      { about: 'dispute', networkId: objectId, paymentId: orderId },
    ]
  }
  const row = (await orders.findByStripeId(objectId)) ?? (ourId === null ? null : await unanswered(orders, ourId))
  if (!row) return []
  if (type.startsWith('payment_intent.') && isPayment(row)) return [{ about: 'payment', id: row.orderId }]
  if (type.startsWith('setup_intent.') && row.kind === 'setup') return [{ about: 'setup', id: row.orderId }]
  const isOfRefund = type.startsWith('refund.') || type === 'charge.refund.updated'
  return isOfRefund && row.kind === 'refund' ? [{ about: 'refund', id: row.orderId }] : []
}

const isPayment = ({ kind }: BookedOrder): boolean => kind === 'charge' || kind === 'saved_charge'

/** Our order, if it was sent and Stripe's id of it is not known yet. */
async function unanswered(orders: Pick<Orders, 'find'>, ourId: string): Promise<BookedOrder | null> {
  const row = await orders.find(ourId)
  return row?.isSent && row.stripeId === null ? row : null
}
