import { priceOf } from './corridor.ts'
import { type Amount, inUsd } from './money.ts'

const corridor = 'NGN_BANK_TRANSFER'

/**
 * What a payment says of the price of a transfer into a virtual account. The sender has decided what comes and nothing
 * can be added on top, so the fee is always taken out of it, whatever the account prefers.
 */
export function priceOfDeposit(amount: Amount) {
  const { customerPays, settles, fee } = priceOf(amount, corridor, 'org_pays')
  const feePreference = 'org_pays' as const
  return { corridor, amount: customerPays, settles, fee, feeUsd: inUsd(fee, 'NGN'), feePreference }
}
