import type { Static } from 'typebox'
import { type Corridor, corridorOf, isCorridor } from '../../domain/corridor.ts'
import type { PaymentStatus } from '../../domain/checkout/payment.ts'
import type { ListedPayment as ListedShape } from '../../schemas/checkout/payment.ts'
import { methodName } from '../names.ts'
import { money, timeOf } from '../words.ts'

export type ListedPayment = Static<typeof ListedShape>

export const paymentStatusNames: Record<PaymentStatus, string> = {
  requires_action: 'Waiting for the buyer',
  processing: 'Processing',
  succeeded: 'Succeeded',
  underpaid: 'Underpaid',
  failed: 'Failed',
  canceled: 'Canceled',
}

/** A payment method with its currency, such as `Card, USD`. Crypto is priced in dollars, which say nothing here. */
export function corridorName(key: Corridor): string {
  const { method, currency } = corridorOf(key)
  return method === 'crypto' ? methodName(method) : `${methodName(method)}, ${currency}`
}

export const methodOfPayment = (key: string): string => (isCorridor(key) ? corridorName(key) : key)

const refunded = { none: null, partial: 'Partly refunded', full: 'Refunded' }

/** How a payment stands: its status, and what has become of its money since. */
export function stateOf({ status, refund_status: refund, disputed }: ListedPayment) {
  const back = refunded[refund]
  const dispute = back ? 'disputed' : 'Disputed'
  const later = [back, disputed && dispute].filter(Boolean).join(', ')
  return {
    words: later ? `${paymentStatusNames[status]}. ${later}` : paymentStatusNames[status],
    isLate: status === 'failed' || status === 'underpaid' || disputed,
    isActive: status === 'succeeded',
  }
}

export const payerOf = ({ customer, customer_details: details }: ListedPayment): string | null =>
  customer?.name ?? details?.name ?? customer?.email ?? details?.email ?? null

/** A payment as the tables of payments show it. */
export const paymentRow = (row: ListedPayment, folder: string) => ({
  link: `${folder}/${row.payment_id}`,
  title: money(row.amount, row.currency),
  state: stateOf(row),
  payer: payerOf(row),
  method: methodOfPayment(row.payment_method),
  reference: row.reference,
  created: timeOf(row.created_at),
})
