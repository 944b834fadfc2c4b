import type { Static } from 'typebox'
import type { PayoutStatus } from '../../domain/payout/payout.ts'
import type { Payout } from '../../schemas/payout/payout.ts'
import type { PayoutDestination } from '../../schemas/payout/destination.ts'
import { coinOf, networkName, providerName } from '../names.ts'
import { isolated } from '../isolated.ts'

export type ShownPayout = Static<typeof Payout>
export type ShownDestination = Static<typeof PayoutDestination>

export const payoutStatusNames: Record<PayoutStatus, string> = {
  requested: 'Accepted',
  pending: 'Held for a review',
  approved: 'Approved',
  processing: 'On its way',
  completed: 'Arrived',
  failed: 'Failed',
  rejected: 'Rejected',
}

/** How a payout stands. A bank may send back what has arrived. */
export const stateOfPayout = ({ status, returned_at: returned }: ShownPayout) => ({
  words: returned === null ? payoutStatusNames[status] : 'Sent back by the bank',
  isLate: status === 'failed' || status === 'rejected' || returned !== null,
  isActive: status === 'completed' && returned === null,
})

/** Where a destination is, without its whole number: a bank, a phone or a wallet. */
export function placeOf(row: ShownDestination): string {
  const { account_number: number, bank_name: bank, bank_code: code, phone_number: phone, wallet_address: wallet } = row
  if (phone !== null) return `${providerName(row.mobile_provider ?? '')} ••${phone.slice(-4)}`
  if (wallet !== null) return `${coinOf(row.currency)} on ${networkName(row.network ?? '')} ••${wallet.slice(-4)}`
  return `${bank ?? code ?? 'Bank'} ••${number?.slice(-4) ?? ''}`
}

/** A destination as lists and forms name it: the name that people gave it, its currency, and where it is. */
export const titleOfDestination = (row: ShownDestination): string =>
  `${isolated(row.name)}: ${row.currency}, ${placeOf(row)}`
