/**
 * The kinds of changes of a merchant's balance, as the merchant reads them. Money that was debited and comes back is a
 * reversal.
 */
export const balanceTransactionTypes = [
  'payment',
  'refund',
  'refund_reversal',
  'payout',
  'payout_reversal',
  'payout_return',
  'conversion',
  'conversion_reversal',
  'dispute',
  'dispute_fee',
  'dispute_reversal',
  'transfer',
  'transfer_reversal',
  'platform_fee',
  'platform_fee_reversal',
  'adjustment',
] as const
export type BalanceTransactionType = (typeof balanceTransactionTypes)[number]
