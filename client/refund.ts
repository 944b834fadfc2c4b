import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { dayMs } from '../domain/duration.ts'
import { exactNumber } from '../domain/exact-json.ts'
import { systemClock } from '../engine/clock.ts'
import type { Refund } from '../schemas/refund/refund.ts'
import { type Api, ApiRefusal, NoAnswer } from './api.ts'
import { Failure } from './failure.ts'
import { type Output, paint, shortTime } from './output.ts'

export type RefundOptions = { amount?: string; reason?: string; reference?: string; key?: string }

/** The refund of a payment, or of a part of it. For a day, a second call with the same key makes no second refund. */
export async function refundPayment({ call }: Api, output: Output, id: string, options: RefundOptions): Promise<void> {
  const { amount, reason, key = randomUUID() } = options
  const { reference = `cli-${key.slice(0, 8)}` } = options
  const span = options.key === undefined ? await untilTomorrow() : 'for 24 hours after its first use'
  const body = {
    charge_id: id,
    reference,
    idempotency_key: key,
    ...(amount !== undefined && { amount: exactNumber(amount) }),
    ...(reason !== undefined && { reason }),
  }
  const path = '/api/v1/payments/refunds'
  const promise = `with --key ${key} the same command makes no second refund ${span}.`
  const afterwards = `Later, first read whether it was made: GET ${path}?charge_id=${id}.`
  if (options.key === undefined) output.note(`If this command ends without an answer: ${promise}`)
  const refund = await call<Static<typeof Refund>>({ method: 'POST', path, body }).catch((error: unknown) => {
    throw isUnknownEnd(error) ? withAdvice(error, `${promise} ${afterwards}`) : error
  })
  output.show(refund, ({ refund_id, requested_amount, status }) => [
    `${paint('green', '✔')} ${refund_id}  ${requested_amount}  ${status}, reference ${reference}`,
  ])
}

/** How long the service knows a key that is used now for the first time. */
const untilTomorrow = async (): Promise<string> =>
  `until ${shortTime(new Date((await systemClock.now()) + dayMs).toISOString())} UTC (24 hours)`

/** Whether the service may have made the refund all the same: there is no answer of it, or it has failed on the way. */
const isUnknownEnd = (error: unknown): error is Failure =>
  error instanceof NoAnswer || (error instanceof ApiRefusal && (error.status >= 500 || error.code === 'BAD_ANSWER'))

function withAdvice({ code, message, errors, docUrl, requestId }: Failure, advice: string): Failure {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`
  return new Failure(code, `${sentence} The refund may have been made: ${advice}`, errors, docUrl, requestId)
}
