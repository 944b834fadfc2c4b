import type { AccountResolver } from '../payout-bank.ts'
import { type PaystackApi, PaystackUnclear, unclear } from './api.ts'
import { paystackCodeOf } from './bank-code.ts'
import { Account, reader } from './shapes.ts'

const readAccount = reader('an account', Account)

/** The currencies whose banks tell Paystack who holds an account. */
const resolvable = ['NGN', 'GHS']

/** A caller waits for the name, for 5 seconds at most. */
const timeoutMs = 4_500

/** Asks banks for the holders of accounts, by Paystack. */
export const createPaystackHolders = (api: PaystackApi): AccountResolver => ({
  async resolveAccount({ currency, bankCode, accountNumber }) {
    if (!resolvable.includes(currency))
      throw new PaystackUnclear(`Paystack names no holders of accounts in ${currency}`)
    const bank = paystackCodeOf(currency, bankCode)
    const query = new URLSearchParams({ account_number: accountNumber, bank_code: bank })
    const reply = await api.get(`/bank/resolve?${query.toString()}`, timeoutMs)
    // One message for a wrong number and for a bank that does not answer: with it the account counts as unknown.
    if (!reply.isDone && /could not resolve account/i.test(reply.message)) return null
    if (!reply.isDone) throw unclear('a question about an account', reply)
    const account = readAccount(reply.data)
    if (account.account_number !== accountNumber) throw new PaystackUnclear('Paystack names another account than asked')
    return account.account_name
  },
})
