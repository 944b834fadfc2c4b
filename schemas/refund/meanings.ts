// What the fields of refunds mean. The keys: schemas/common-meanings.ts.

/** What fields of this area mean. */
export const refundMeanings = {
  'Refund.reference': 'Your own reference.',
  'Refund.status': 'The status of the refund.',
  'Refund.currency': 'The settlement currency, which the amounts are in.',
  'Refund.reason': 'Why it is refunded, as you gave it.',
  requested_amount: 'How much is to be refunded.',
  'Refund.refunded_amount': 'How much was refunded; null until the refund is processed.',
  refund_fee_amount: 'The fee of the refund.',
  fee_bearer: 'Who pays the fee of the refund: `ORG`, your balance, or `CUSTOMER`, out of what the payer gets.',
  idempotency_key: 'Does what the header `Idempotency-Key` does. The header is used if both are sent.',
  'refund.status': 'What the event reports of the refund.',
  'refund.amount': 'How much is refunded.',
  'refund.reference': 'The reference of the payment that is refunded; null if it has none.',
  'refund.completed_at': 'When the money was sent back.',
} as const
