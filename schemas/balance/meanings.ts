// What the fields of balances, their transactions and conversions mean. The keys: schemas/common-meanings.ts.

/** What fields of this area mean. */
export const balanceMeanings = {
  available: 'What can be paid out, converted or transferred now.',
  'Balance.pending': 'What has settled and becomes available later.',
  'Balance.reserved': 'What is held for something that is under way.',
  'Balance.owed': 'What you owe. What arrives repays it first.',
  'Balance.currency': 'The currency of the balance.',
  transaction_id: 'The id of the transaction.',
  'BalanceTransaction.type': 'What has changed the balance.',
  'BalanceTransaction.amount': 'By how much the balance has changed. What has left it is negative.',
  balance_after: 'Available and pending money after the transaction, less what is owed.',
  source_id: 'The id of the payment, refund, payout or other resource that has caused it.',
  available_at: 'When the money becomes available.',
  'ConversionQuote.status': 'Whether the quote can still be used.',
  'Conversion.status': 'The status of the conversion.',
  'conversion.status': 'What the event reports of the conversion.',
  from_amount: 'What is sold.',
  from_currency: 'The currency that is sold.',
  to_amount: 'What is bought.',
  to_currency: 'The currency that is bought.',
  'ConversionQuote.fee': 'The fee, in the currency that is sold.',
  'Conversion.fee': 'The fee, in the currency that is sold.',
  'conversion.fee': 'The fee, in the currency that is sold.',
  'conversion.completed_at': 'When it was executed.',
  'conversion.failure_reason': 'Why it failed.',
} as const
