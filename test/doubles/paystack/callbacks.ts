import { createHmac } from 'node:crypto'
import { chargeOf, type Transaction } from './charges.ts'
import { toJson } from './server.ts'

export type Callback = { body: Buffer; signature: string }

/** Signs bytes as Paystack signs its callbacks. */
export const signed = (body: Buffer, key: string): Callback => ({
  body,
  signature: createHmac('sha512', key).update(body).digest('hex'),
})

/** A callback as Paystack's page "Webhooks" shows it, signed with the key. */
export const callbackOf = (key: string, event: string, data: object): Callback =>
  signed(Buffer.from(toJson({ event, data })), key)

/** What the callback of a transaction contains. */
export const chargeData = (made: Transaction) => ({ id: made.id, ...chargeOf(made) })

export const rejectedData = ({ id, amount, email }: Transaction) => ({
  bank_transfer: {
    amount: String(amount + 1n),
    message: 'incorrect amount sent',
    message_type: 'INCORRECT_AMOUNT',
    transaction_id: String(id),
  },
  customer: { email, domain: 'live', customer_code: 'CUS_double', id: 138_492_368 },
})

export const refundData = (reference: string, status: string) => ({
  status,
  transaction_reference: reference,
  refund_reference: null,
  amount: '1000',
  currency: 'NGN',
  customer: { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com' },
  integration: 412_829,
  domain: 'live',
})

export const disputeData = (made: Transaction, id: bigint) => ({
  id,
  refund_amount: made.amount,
  currency: made.currency,
  status: 'awaiting-merchant-feedback',
  resolution: null,
  domain: 'live',
  transaction: { id: made.id, reference: made.reference, amount: made.amount, status: 'success' },
  category: 'chargeback',
  dueAt: '2026-12-01T18:00:00.000Z',
})
