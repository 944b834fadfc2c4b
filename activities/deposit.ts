import { actsAs, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { Deposit } from '../db/checkout/deposit.ts'
import { post } from '../db/ledger/ledger.ts'
import { Payment } from '../db/checkout/payment.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { timeOf } from '../db/core/test-clock.ts'
import { VirtualAccount } from '../db/platform/virtual-account.ts'
import { corridorOf } from '../domain/corridor.ts'
import { priceOfDeposit } from '../domain/checkout/deposit.ts'
import { nextPollAt, noteAsked } from '../domain/rail-polls.ts'
import { movePayment } from '../domain/checkout/payment.ts'
import { negate } from '../domain/money.ts'
import { collectionSucceeded } from '../schemas/checkout/collection-event.ts'
import type { Deps } from './deps.ts'
import { callRail } from '../rails/rail-refusal.ts'
import type { BankTransfer } from '../rails/virtual-account-bank.ts'

const dayMs = 86_400_000

/** The step of the `deposit` process. */
export const depositActivities = ({ database, rails }: Deps) => ({
  /**
   * Asks the bank about a transfer. Once the transfer is final, its payment, ledger movement and event are written in
   * one transaction. Returns whether the transfer is posted. Safe to repeat: what is posted stays as it is.
   * `askAgainAt` is when the process asks again if the transfer is not final yet.
   */
  settleDeposit: async (paymentId: string, at: number, askAgainAt?: number): Promise<boolean> => {
    const em = database.orm.em.fork()
    const { status, environment } = await em.findOneOrFail(Payment, { id: paymentId })
    if (status !== 'processing') return true
    const { sessionId, virtualAccountId } = await em.findOneOrFail(Deposit, { id: paymentId })
    const { accountNumber } = await em.findOneOrFail(VirtualAccount, { id: virtualAccountId })
    const bank = rails.in(environment).virtualAccounts
    const transfer = await callRail(() => bank.lookUp(sessionId, accountNumber))
    if (!transfer?.isFinal) {
      // A process of a worker from before 2026-11-24 does not say when it asks again.
      const next = askAgainAt ?? nextPollAt(at, at)
      await inTransaction(database, async (tx) => noteAsked(await lock(tx, Payment, paymentId), next))
      return false
    }
    if (transfer.accountNumber !== accountNumber) throw new Error(`the bank has ${paymentId} on another account`)
    await inTransaction(database, async (writing) => {
      const payment = await lock(writing, Payment, paymentId)
      if (payment.status === 'processing') await settle(writing, payment, sessionId, transfer, at)
    })
    return true
  },
})

/** Settles the amount that the bank confirms, also when its notice named another amount. */
async function settle(em: EntityManager, payment: Payment, sessionId: string, transfer: BankTransfer, asked: number) {
  const at = await timeOf(em, payment, asked)
  const moment = new Date(at)
  actsAs(em, 'rail')
  movePayment(payment, 'succeeded')
  Object.assign(payment, priceOfDeposit(transfer.amount), { updatedAt: moment, completedAt: moment })
  payment.amountReceived = payment.amount
  payment.methodDetails = {
    sender_name: transfer.senderName,
    sender_bank: transfer.senderBank,
    sender_account_number: transfer.senderAccountNumber,
    session_id: sessionId,
    account_number: transfer.accountNumber,
  }
  const { settlementCurrency: currency, availableAfterDays } = corridorOf(payment.corridor)
  const postings = [
    { ledgerAccount: 'rail' as const, currency, amount: negate(payment.amount) },
    {
      ledgerAccount: 'merchant' as const,
      currency,
      amount: payment.settles,
      availableAfterMs: availableAfterDays * dayMs,
    },
    { ledgerAccount: 'fees' as const, currency, amount: payment.fee },
  ]
  await post(em, { kind: 'settlement', sourceId: payment.id, owner: payment, postings }, at)
  const data = collectionSucceeded(payment, moment)
  await recordEvent(em, payment, { type: 'collection.succeeded', resourceId: payment.id, data }, at)
}

/** The types of the activities, for the process that calls them. */
export type DepositActivities = ReturnType<typeof depositActivities>
