import type { VirtualAccountBank } from '../virtual-account-bank.ts'
import { assertSame, fromMinor } from './amount.ts'
import type { Database } from '../../db/core/database.ts'
import { createAccountBook } from './account-book.ts'
import { type PaystackApi, PaystackUnclear, unclear } from './api.ts'
import { meaningOf } from './answers.ts'
import { createPaystackAccounts, usualAccountTimeoutMs } from './open-account.ts'
import { isIdentifier } from './reference.ts'
import { isNotFound } from './refusals.ts'
import { reader, Transaction } from './shapes.ts'

/** The only currency of this service's virtual accounts. */
const currency = 'NGN'

const readTransaction = reader('a transfer to a virtual account', Transaction)

/**
 * The bank of Paystack's dedicated virtual accounts. Paystack's own reference of a transfer, from its callback, takes
 * the place of the interbank session id. Paystack masks the number of the sender, and may leave out their bank.
 */
export const createPaystackVirtualAccounts = (
  api: PaystackApi,
  database: Database,
  timeoutMs: number = usualAccountTimeoutMs,
): VirtualAccountBank => ({
  open: createPaystackAccounts({ api, book: createAccountBook(database), timeoutMs }),
  async lookUp(reference, accountNumber) {
    if (!isIdentifier(reference)) return null
    const reply = await api.get(`/transaction/verify/${reference}`)
    if (isNotFound(reply)) return null
    if (!reply.isDone) throw unclear('a question about a transfer', reply)
    const transaction = readTransaction(reply.data)
    const { authorization, channel, status } = transaction
    const receiver = authorization?.receiver_bank_account_number
    const isSame = receiver === accountNumber && channel === 'dedicated_nuban'
    assertSame('a transfer', transaction, {
      amount: fromMinor(transaction.amount),
      currency,
      reference,
      mode: api.mode,
    })
    if (!isSame) throw new PaystackUnclear('Paystack has a transfer to another account')
    // Not final: a transfer that was taken back, and one that is still on its way.
    const isFinal = meaningOf(status) === 'succeeded' && status !== 'reversed'
    return {
      accountNumber,
      amount: fromMinor(transaction.amount),
      senderName: authorization?.sender_name ?? null,
      senderBank: authorization?.sender_bank ?? null,
      senderAccountNumber: authorization?.sender_bank_account_number ?? null,
      isFinal,
    }
  },
})
