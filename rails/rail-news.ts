import type { Amount } from '../domain/money.ts'

/**
 * What a provider's callback concerns, by our ids: the processes of these have to ask their rail. A dispute is named by
 * the network's id and its payment; a virtual account by its number, with the provider's reference of the transfer and
 * the amount that the callback names, which is no more than a hint: the bank is asked.
 */
export type RailNews =
  | { about: 'payment' | 'setup' | 'refund' | 'payout'; id: string }
  | { about: 'dispute'; networkId: string; paymentId: string }
  | { about: 'virtual_account'; accountNumber: string; reference: string; amount: Amount }
