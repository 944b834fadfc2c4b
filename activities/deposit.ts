import { recordFailure } from '../commands/record-failure.ts'
import { actsAs, type EntityManager, inTransaction, lock, outcomeTime } from '../db/core/database.ts'
import { Deposit } from '../db/checkout/deposit.ts'
import { post } from '../db/ledger/ledger.ts'
import type { OperatorAction } from '../db/core/operator-action.ts'
import { Payment } from '../db/checkout/payment.ts'
import { recordEvent } from '../db/core/record-event.ts'
import { timeOf } from '../db/core/test-clock.ts'
import { VirtualAccount } from '../db/platform/virtual-account.ts'
import { availableAfterMsOf, corridorOf } from '../domain/corridor.ts'
import { priceOfDeposit } from '../domain/checkout/deposit.ts'
import { nextPollAt, noteAsked } from '../domain/rail-polls.ts'
import { movePayment } from '../domain/checkout/payment.ts'
import { format, isZero, negate, subtract } from '../domain/money.ts'
import { Refusal } from '../domain/refusal.ts'
import { collectionSucceeded } from '../schemas/checkout/collection-event.ts'
import type { Deps } from './deps.ts'
import { assertOwn, concludeAction, orThrow, readAction, takeUpAction } from './operator-action.ts'
import { answerOrNull } from './answer-or-null.ts'
import { callRail } from '../rails/rail-refusal.ts'
import type { BankTransfer } from '../rails/virtual-account-bank.ts'

/**
 * Whether a transfer is posted. `failed`: staff have marked it as failed, and the bank has not confirmed it since.
 */
export type DepositAnswer = boolean | 'failed'

/** A transfer after an operator action. `isUnanswered`: the bank has not answered, and the process asks it again. */
export type DepositAfterAction = { answer: DepositAnswer; isUnanswered: boolean }

/** The steps of the `deposit` process. Each is safe to repeat: what is posted stays as it is. */
export const depositActivities = ({ database, rails }: Deps) => {
  async function askBank(paymentId: string): Promise<Asked> {
    const em = database.orm.em.fork()
    const { environment } = await em.findOneOrFail(Payment, { id: paymentId })
    const { sessionId, virtualAccountId } = await em.findOneOrFail(Deposit, { id: paymentId })
    const { accountNumber } = await em.findOneOrFail(VirtualAccount, { id: virtualAccountId })
    const bank = rails.in(environment).virtualAccounts
    const transfer = await callRail(() => bank.lookUp(sessionId, accountNumber))
    return { sessionId, accountNumber, transfer }
  }

  const concluded = async (carrying: Carrying, at: number): Promise<DepositAnswer> =>
    orThrow(await inTransaction(database, (em) => conclude(em, carrying, at)))

  async function settleDeposit(paymentId: string, at: number, askAgainAt?: number): Promise<DepositAnswer> {
    const { status } = await database.orm.em.fork().findOneOrFail(Payment, { id: paymentId })
    if (status === 'succeeded') return true
    const { sessionId, accountNumber, transfer } = await askBank(paymentId)
    if (transfer?.isFinal && transfer.accountNumber !== accountNumber)
      throw new Error(`the bank has ${paymentId} on another account`)
    return inTransaction(database, async (em) => {
      const payment = await lock(em, Payment, paymentId)
      if (payment.status === 'succeeded') return true
      payment.newsDueAt = null
      if (transfer?.isFinal) {
        const time = await outcomeTime(em, await timeOf(em, payment, at))
        actsAs(em, 'rail')
        await settle(em, payment, sessionId, transfer, time)
        return true
      }
      if (payment.status === 'failed') return 'failed'
      // A process of a worker from before 2026-11-24 does not say when it asks again.
      noteAsked(payment, askAgainAt ?? nextPollAt(at, at))
      return false
    })
  }

  return {
    /**
     * Asks the bank about a transfer. Once the transfer is final, its payment, ledger movement and event are written in
     * one transaction, also where staff have marked it as failed. `askAgainAt` is when the process asks again if the
     * transfer is not final yet.
     */
    settleDeposit,

    /**
     * Carries out what staff have ordered about the transfer, once. A retry asks the bank. Before a mark the bank is
     * asked too, and its word counts for more: a mark that contradicts it is refused with `CONFLICT`, and a transfer
     * that it has confirmed is posted. A bank that does not answer stops nobody from acting.
     */
    carryOutOnDeposit: async (paymentId: string, actionId: string, asked: number): Promise<DepositAfterAction> => {
      const reader = database.orm.em.fork()
      const { action, state, paymentId: about } = await readAction(reader, actionId)
      assertOwn(about, paymentId)
      const payment = await reader.findOneOrFail(Payment, { id: paymentId })
      const at = await timeOf(reader, payment, asked)
      const wasHeld = payment.status === 'processing'
      const isAsked = wasHeld && state === 'approved'
      const carrying = { paymentId, actionId, wasHeld }
      if (action === 'retry') {
        const next = nextPollAt(payment.createdAt.getTime(), at)
        const seen = isAsked ? await answerOrNull(() => settleDeposit(paymentId, at, next)) : null
        const answer = await concluded({ ...carrying, bankAnswer: null }, at)
        return { answer, isUnanswered: seen === null }
      }
      const bankAnswer = isAsked ? await answerOrNull(() => askBank(paymentId)) : null
      if (transferIn(bankAnswer)?.isFinal && action === 'mark_failed') await settleDeposit(paymentId, at)
      return { answer: await concluded({ ...carrying, bankAnswer }, at), isUnanswered: bankAnswer === null }
    },
  }
}

/** What the bank has said about a payment's transfer; null where it knows of none. */
type Asked = { sessionId: string; accountNumber: string; transfer: BankTransfer | null }

type Carrying = { paymentId: string; actionId: string; wasHeld: boolean; bankAnswer: Asked | null }

async function conclude(em: EntityManager, carrying: Carrying, asked: number): Promise<DepositAnswer | Refusal> {
  const payment = await lock(em, Payment, carrying.paymentId)
  const at = await timeOf(em, payment, asked)
  const row = await takeUpAction(em, carrying.actionId)
  if (row.state !== 'executed') {
    const refusal = refusalOf(row, payment, carrying)
    concludeAction(em, row, refusal === null ? 'executed' : 'refused', at)
    if (refusal !== null) return new Refusal('CONFLICT', refusal)
    if (row.action === 'mark_settled') await settleNotice(em, payment, carrying.bankAnswer, at)
    if (row.action === 'mark_failed') {
      await recordFailure(em, payment, 'rail_unavailable', at)
      if (carrying.bankAnswer === null) payment.newsDueAt = new Date(at) // the bank goes on being asked
    }
  }
  return payment.status === 'failed' ? 'failed' : payment.status === 'succeeded'
}

/** Why an action cannot be carried out; null where it can. */
function refusalOf(
  { action, state }: OperatorAction,
  payment: Payment,
  { wasHeld, bankAnswer }: Carrying,
): string | null {
  const { status, amount, currency } = payment
  const transfer = transferIn(bankAnswer)
  if (action === 'mark_failed' && transfer?.isFinal) return 'the rail says: succeeded'
  if (action === 'mark_settled' && bankAnswer && !transfer) return 'the rail says: not_found'
  if (action === 'mark_settled' && transfer && !isZero(subtract(transfer.amount, amount)))
    return `the rail says: ${format(transfer.amount, currency)} ${currency}`
  // The bank may have answered a retry by now.
  const isHeld = action === 'retry' ? wasHeld : status === 'processing'
  return isHeld && state !== 'refused' ? null : `the deposit is ${status}`
}

/** The transfer into the payment's account. One that the bank has on another account says nothing of this payment. */
const transferIn = (bankAnswer: Asked | null): BankTransfer | null =>
  bankAnswer?.transfer?.accountNumber === bankAnswer?.accountNumber ? (bankAnswer?.transfer ?? null) : null

/** Settles the amount of the bank's notice. The sender's details are those that the bank has named, else null. */
async function settleNotice(em: EntityManager, payment: Payment, bankAnswer: Asked | null, at: number): Promise<void> {
  const { id, amount } = payment
  const { sessionId, virtualAccountId } = await em.findOneOrFail(Deposit, { id })
  const { accountNumber } = await em.findOneOrFail(VirtualAccount, { id: virtualAccountId })
  const unknown = { accountNumber, senderName: null, senderBank: null, senderAccountNumber: null }
  await settle(em, payment, sessionId, { ...unknown, ...transferIn(bankAnswer), amount, isFinal: true }, at)
}

/** Settles the amount that the bank confirms, also when its notice named another amount. */
async function settle(em: EntityManager, payment: Payment, sessionId: string, transfer: BankTransfer, at: number) {
  const moment = new Date(at)
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
  const currency = corridorOf(payment.corridor).settlementCurrency
  const postings = [
    { ledgerAccount: 'rail' as const, currency, amount: negate(payment.amount) },
    {
      ledgerAccount: 'merchant' as const,
      currency,
      amount: payment.settles,
      availableAfterMs: availableAfterMsOf(payment.corridor),
    },
    { ledgerAccount: 'fees' as const, currency, amount: payment.fee },
  ]
  await post(em, { kind: 'settlement', sourceId: payment.id, owner: payment, postings }, at)
  const data = collectionSucceeded(payment, moment)
  await recordEvent(em, payment, { type: 'collection.succeeded', resourceId: payment.id, data }, at)
}

/** The types of the activities, for the process that calls them. */
export type DepositActivities = ReturnType<typeof depositActivities>
