import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { exactNumber } from '../domain/exact-json.ts'
import type { Refund } from '../schemas/refund/refund.ts'
import { type Api, ApiRefusal, NoAnswer } from './api.ts'
import { Failure } from './failure.ts'
import { type Output, paint } from './output.ts'

export type RefundOptions = { amount?: string; reason?: string; reference?: string; key: string }

/** The refund of a payment, or of a part of it. With the same key, a second call makes no second refund. */
export async function refundPayment({ call }: Api, output: Output, id: string, options: RefundOptions): Promise<void> {
  const { amount, reason, reference = `cli-${options.key.slice(0, 8)}`, key } = options
  const body = {
    charge_id: id,
    reference,
    idempotency_key: key,
    ...(amount !== undefined && { amount: exactNumber(amount) }),
    ...(reason !== undefined && { reason }),
  }
  const path = '/api/v1/payments/refunds'
  const refund = await call<Static<typeof Refund>>({ method: 'POST', path, body }).catch((error: unknown) => {
    throw isUnknownEnd(error) ? withKey(error, key) : error
  })
  output.show(refund, ({ refund_id, requested_amount, status }) => [
    `${paint('green', '✔')} ${refund_id}  ${requested_amount}  ${status}, reference ${reference}`,
  ])
}

/** A key that no other call has. */
export const newKey = (): string => randomUUID()

/** Whether the service may have made the refund all the same: there is no answer of it, or it has failed on the way. */
const isUnknownEnd = (error: unknown): error is Failure =>
  error instanceof NoAnswer || (error instanceof ApiRefusal && (error.status >= 500 || error.code === 'BAD_ANSWER'))

function withKey({ code, message, errors, docUrl, requestId }: Failure, key: string): Failure {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`
  const advice = `The refund may have been made: with --key ${key} the same call cannot make a second one.`
  return new Failure(code, `${sentence} ${advice}`, errors, docUrl, requestId)
}
