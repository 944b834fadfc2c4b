import type { Fact } from './page.ts'

/**
 * Who holds an account, and whose word that is: the bank's, the merchant's, or both where they differ. The name that
 * payouts carry is the merchant's word, unless the bank has named the same holder.
 */
export const holderFacts = (given: string | null, atBank: string | null): Fact[] => [
  ['Account holder, as the bank says', atBank],
  ['Account holder, as the merchant says', given === atBank ? null : given],
]

type Payee = { account_holder: string | null; holder_at_bank: string | null }

/** Whom a list names as the receiver: the bank's word counts, and where it has none, the name is the merchant's. */
export const payeeOf = ({ account_holder: given, holder_at_bank: atBank }: Payee, name: string | null) => ({
  payee: atBank ?? given ?? name,
  isPayeeUnconfirmed: atBank === null,
})
