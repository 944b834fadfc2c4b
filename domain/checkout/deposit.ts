import { type Corridor, priceOf } from '../corridor.ts'
import { type Amount, inUsd } from '../money.ts'

const corridor: Corridor = 'NGN_BANK_TRANSFER'

/**
 * What the ledger knows a deposit by. A rail's own id tells it apart at that rail and for that payment alone: a hash of
 * coins may be equal to the session id of somebody's bank transfer.
 */
export const depositSource = (paymentId: string, depositId: string): string => `${paymentId}/${depositId}`

/**
 * What a payment says of the price of a transfer into a virtual account. The sender has decided what comes and nothing
 * can be added on top, so the fee is always taken out of it, whatever the account prefers.
 */
export function priceOfDeposit(amount: Amount) {
  const { customerPays, settles, fee } = priceOf(amount, corridor, 'org_pays')
  const feePreference = 'org_pays' as const
  return { corridor, amount: customerPays, settles, fee, feeUsd: inUsd(fee, 'NGN'), feePreference }
}
