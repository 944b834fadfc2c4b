import { type Corridor, priceOf } from '../corridor.ts'
import { type Amount, inUsd } from '../money.ts'

const corridor: Corridor = 'NGN_BANK_TRANSFER'

/**
 * The source id of a deposit in the ledger. A rail's own id is unique only at that rail and for that payment: a hash of
 * coins may equal the session id of another buyer's bank transfer.
 */
export const depositSource = (paymentId: string, depositId: string): string => `${paymentId}/${depositId}`

/**
 * The price of a transfer into a virtual account. The sender has decided the amount and nothing can be added on top, so
 * the fee is always deducted from it, whatever the account prefers.
 */
export function priceOfDeposit(amount: Amount) {
  const { customerPays, settles, fee } = priceOf(amount, corridor, 'org_pays')
  const feePreference = 'org_pays' as const
  return { corridor, amount: customerPays, settles, fee, feeUsd: inUsd(fee, 'NGN'), feePreference }
}
