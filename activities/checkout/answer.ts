import { CardSetup } from '../../db/checkout/card-setup.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { saveCustomer } from '../../db/customer.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { bookedDeposits, post, type Posting } from '../../db/ledger/ledger.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { countCompletion } from '../../db/checkout/payment-link.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { isSetupPending } from '../../domain/checkout/card-setup.ts'
import { countDecline, lateMoneyMs, movePayment } from '../../domain/checkout/checkout.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { depositSource } from '../../domain/checkout/deposit.ts'
import { type LineItem, totalOf } from '../../domain/checkout/line-item.ts'
import { isLess, isZero, negate, subtract } from '../../domain/money.ts'
import { checkedAction, isPending } from '../../domain/checkout/payment.ts'
import { presentCustomer } from '../../schemas/customer.ts'
import { checkoutCompleted } from '../../schemas/checkout/event.ts'
import { collectionFailed, collectionSucceeded, collectionUnderpaid } from '../../schemas/checkout/collection-event.ts'
import { refundDuplicate, refundLatePayment } from './unwanted-payment.ts'
import type { Deposit, RailAnswer } from '../../rails/rail.ts'

type Received = Extract<RailAnswer, { received: string }>
type Held = Extract<RailAnswer, { status: 'processing' }>
const dayMs = 86_400_000
/** A rail is not asked again at once, whatever it says. */
const pauseMinMs = 500

/**
 * Writes what a rail said about a payment: payment, session, ledger and events in the running transaction, which holds
 * the session's lock. Saying it again changes nothing, and money that comes after the end is still booked, as late.
 */
export async function applyAnswer(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  answer: RailAnswer,
  at: number,
): Promise<void> {
  payment.newsDueAt = answer.newsDueAt === undefined ? null : new Date(Math.max(answer.newsDueAt, at + pauseMinMs))
  if (payment.status === 'succeeded') return receiveSurplus(em, payment, answer, at)
  if ('received' in answer) return receive(em, session, payment, answer, at)
  if (answer.status === 'canceled') return stopListening(payment)
  if (payment.status === 'failed' || payment.status === 'canceled') return
  if (answer.status === 'not_found') return
  if (answer.status === 'processing') return hold(session, payment, answer, at)
  if (payment.status === 'underpaid') return
  payment.updatedAt = new Date(at)
  if (answer.status === 'failed') {
    payment.status = 'failed'
    payment.failureCode = session.lastFailureCode = answer.failureCode
    payment.nextAction = null
    payment.completedAt = new Date(at)
    countDecline(session, at)
    if (isCurrent(session, payment)) movePayment(session, 'failed')
    const data = collectionFailed(payment, payment.completedAt)
    await recordEvent(em, payment, { type: 'collection.failed', resourceId: payment.id, data }, at)
  } else if (answer.status === 'requires_action' && payment.status === 'processing') {
    payment.status = 'requires_action'
    payment.nextAction = checkedAction(answer.nextAction, payment.environment)
    if (isCurrent(session, payment)) movePayment(session, 'requires_action')
  }
}

/** The attempt that the session is about: the newest one, while the session is open. */
const isCurrent = (session: Checkout, payment: Payment): boolean =>
  session.status === 'open' && session.paymentId === payment.id

/** The same, while the buyer has not chosen another way to pay since. */
const isChosen = (session: Checkout, payment: Payment): boolean =>
  isCurrent(session, payment) && session.requestId === payment.id

/** The rail has cancelled an attempt for good: nothing will come of it. */
function stopListening(payment: Payment): void {
  if (payment.cancelling) payment.cancelling = 'done'
}

/** The buyer has done their part, and the rail has it now: an open session does not expire under it. */
function hold(session: Checkout, payment: Payment, { details }: Held, at: number): void {
  payment.updatedAt = new Date(at)
  if (details) payment.methodDetails = details
  if (payment.status === 'requires_action') payment.status = 'processing'
  if (isChosen(session, payment)) movePayment(session, 'processing')
}

async function receive(em: EntityManager, session: Checkout, payment: Payment, answer: Received, at: number) {
  const before = payment.amountReceived
  await bookDeposits(em, payment, answer.deposits, at)
  payment.amountReceived = answer.received
  payment.methodDetails = answer.details
  payment.updatedAt = new Date(at)
  payment.late = session.status !== 'open'
  // Once a part has gone back, what arrives later cannot make it whole.
  const isWhole = answer.status === 'succeeded' && isZero(payment.refundClaimed)
  if (isWhole) return succeed(em, session, payment, answer.deposits.length > 0, at)
  payment.status = 'underpaid'
  if (answer.status === 'underpaid' && answer.nextAction)
    payment.nextAction = checkedAction(answer.nextAction, payment.environment)
  if (isChosen(session, payment)) movePayment(session, 'requires_action')
  if (!isLess(before, answer.received)) return
  const data = collectionUnderpaid(payment)
  await recordEvent(em, payment, { type: 'collection.underpaid', resourceId: payment.id, data }, at)
}

/** A transfer that crossed with the one that completed the payment: it is the merchant's too, without a further fee. */
async function receiveSurplus(em: EntityManager, payment: Payment, answer: RailAnswer, at: number): Promise<void> {
  if (!('received' in answer) || !isLess(payment.amountReceived, answer.received)) return
  const amount = subtract(answer.received, payment.amountReceived)
  const currency = payment.currency
  await bookDeposits(em, payment, answer.deposits, at)
  const postings: Posting[] = [
    { book: 'buyer', currency, amount: negate(amount) },
    { book: 'merchant', currency, amount },
  ]
  const last = answer.deposits.at(-1)
  const sourceId = last ? depositSource(payment.id, last.id) : payment.id
  await post(em, { kind: 'surplus', sourceId, about: payment.id, owner: payment, postings }, at)
  payment.amountReceived = answer.received
  payment.updatedAt = new Date(at)
}

async function succeed(em: EntityManager, session: Checkout, payment: Payment, deposited: boolean, at: number) {
  const moment = new Date(at)
  payment.status = 'succeeded'
  payment.nextAction = null
  payment.completedAt = moment
  payment.duplicate = session.status === 'completed'
  if (payment.duplicate) Object.assign(payment, { settles: payment.amount, fee: '0', feeUsd: '0' }) // nobody wanted it
  await post(em, { kind: 'settlement', sourceId: payment.id, owner: payment, postings: split(payment, deposited) }, at)
  const wasOpen = session.status === 'open'
  const completes = wasOpen && (await countCompletion(em, session))
  if (completes) await complete(em, session, payment, at)
  else if (wasOpen) await endSoldOut(em, session, payment, at)
  const data = collectionSucceeded(payment, moment)
  await recordEvent(em, payment, { type: 'collection.succeeded', resourceId: payment.id, data }, at)
  if (payment.duplicate) return refundDuplicate(em, payment, at)
  if (!completes) return refundLatePayment(em, payment, at)
  await recordCompletion(em, session, payment.id, at)
}

/** The session's one good end. The customer's record comes first, so that every event after it can name it. */
async function complete(em: EntityManager, session: Checkout, payment: Payment, at: number): Promise<void> {
  // A transfer may arrive for an earlier attempt, whatever the newest one has come to since.
  if (session.paymentStatus === 'failed') movePayment(session, 'requires_payment_method')
  if (session.paymentStatus !== 'processing') movePayment(session, 'processing')
  movePayment(session, 'succeeded')
  session.paymentId = payment.id
  session.corridor = payment.corridor
  session.billingCurrency = payment.currency
  session.rate = payment.rate
  if (session.selection && payment.lineItems) pick(session, payment.lineItems)
  await supersede(em, session, payment.id, at)
  await close(em, session, at)
  payment.customerId = session.customerId
  payment.customerDetails = session.customerDetails
}

/** Others have had the last of what the link sells: the money is taken like money that comes after the end. */
async function endSoldOut(em: EntityManager, session: Checkout, payment: Payment, at: number): Promise<void> {
  await end(em, session, 'cancelled', at)
  payment.late = true
}

/** Ends a session without success. Money that a buyer or a rail may still send is listened for. */
export async function end(em: EntityManager, session: Checkout, status: 'expired' | 'cancelled', at: number) {
  const payments = await em.find(Payment, { checkoutId: session.id })
  const mayStillCome = payments.some((payment) => payment.status === 'processing' || mayReceive(payment))
  giveUp(payments, at)
  await giveUpSetups(em, session, at)
  session.status = status
  movePayment(session, 'canceled')
  session.listensUntil = mayStillCome ? new Date(at + lateMoneyMs) : null
  touch(session, at)
}

export function touch(session: Checkout, at: number): void {
  session.revision += 1
  session.updatedAt = new Date(at)
}

/** What a buyer has picked is what the session sells from then on. */
export function pick(session: Checkout, lineItems: LineItem[]): void {
  session.lineItems = lineItems
  session.amount = totalOf(lineItems)
}

/** Whether the payer can still send money for this attempt, whatever has become of its session. */
export const mayReceive = ({ status, corridor, cancelling }: Payment): boolean =>
  status !== 'failed' && status !== 'succeeded' && cancelling !== 'done' && corridorOf(corridor).push

/** An attempt of which nothing has arrived and which may still come to anything. */
const isUndecided = ({ status }: Payment): boolean => isPending(status) && status !== 'underpaid'

/**
 * Ends the attempts whose place another choice or a success (`successor`) takes: their rails are to cancel them. Money
 * that is already on its way is still booked when it comes, and a session that is complete goes on listening for it.
 */
export async function supersede(em: EntityManager, session: Checkout, successor: string | null, at: number) {
  const others = await em.find(Payment, { checkoutId: session.id, ...(successor && { id: { $ne: successor } }) })
  for (const payment of others.filter(isUndecided)) payment.cancelling = 'due'
  giveUp(others, at)
  const isComplete = session.paymentStatus === 'succeeded'
  if (isComplete && others.some(mayReceive)) session.listensUntil = new Date(at + lateMoneyMs)
}

/** Ends attempts that nobody has decided; money that is already on its way is still booked when it comes. */
export function giveUp(payments: Payment[], at: number): void {
  for (const payment of payments.filter(isUndecided)) {
    payment.status = 'canceled'
    payment.updatedAt = new Date(at)
  }
}

/** Another choice or the session's end ends an attempt that nobody has decided. */
export async function giveUpSetups(em: EntityManager, session: Checkout, at: number): Promise<void> {
  if (!session.setup) return
  for (const setup of await em.find(CardSetup, { checkoutId: session.id })) {
    if (!isSetupPending(setup.status)) continue
    setup.status = 'canceled'
    setup.updatedAt = new Date(at)
  }
}

/**
 * Ends an open session as completed; a free one has no payment, and one that saves a card always has a customer.
 * Answers whether its customer is known to be the buyer: named by the merchant, or new. One that was found by the email
 * which the buyer typed is not, so the session goes on showing what was typed and nothing of that customer's.
 */
export async function close(em: EntityManager, session: Checkout, at: number): Promise<boolean> {
  session.status = 'completed'
  session.completedAt = session.updatedAt = new Date(at)
  if (session.customerId) return true
  const makesCustomer = session.customerCreation === 'always' || session.setup
  if (!makesCustomer || !session.customerDetails) return false
  const typed = session.customerDetails
  const { customer, change } = await saveCustomer(em, session, typed, 'buyer', at)
  session.customerId = customer.id
  if (customer.name !== typed.name) session.customerDetails = { ...typed, record_name: customer.name }
  if (change)
    await recordEvent(em, session, { type: change, resourceId: customer.id, data: presentCustomer(customer) }, at)
  return change === 'customer.created'
}

/** `checkout.completed`, the last event of a sale; `paymentId` is null for a free one. */
export async function recordCompletion(em: EntityManager, session: Checkout, paymentId: string | null, at: number) {
  const data = checkoutCompleted(session, paymentId, new Date(at))
  await recordEvent(em, session, { type: 'checkout.completed', resourceId: session.id, data }, at)
}

/** Books transfers that are not booked yet: the bank holds the money, and it belongs to the buyer until the sale is. */
async function bookDeposits(em: EntityManager, payment: Payment, deposits: Deposit[], at: number): Promise<void> {
  if (deposits.length === 0) return
  const ids = deposits.map((deposit) => deposit.id)
  const booked = await bookedDeposits(em, payment, ids)
  const currency = payment.currency
  for (const { id, amount } of deposits.filter((deposit) => !booked.has(deposit.id))) {
    const postings: Posting[] = [
      { book: 'rail', currency, amount: negate(amount) },
      { book: 'buyer', currency, amount },
    ]
    await post(em, { kind: 'deposit', sourceId: depositSource(payment.id, id), owner: payment, postings }, at)
  }
}

/** From the rail, or from what was deposited, to the merchant and our fee. */
function split(payment: Payment, deposited: boolean): Posting[] {
  const currency = payment.currency
  const { availableAfterDays } = corridorOf(payment.corridor)
  const settles = subtract(payment.amountReceived, payment.fee)
  return [
    { book: deposited ? 'buyer' : 'rail', currency, amount: negate(payment.amountReceived) },
    { book: 'merchant', currency, amount: settles, availableAfterMs: availableAfterDays * dayMs },
    { book: 'fees', currency, amount: payment.fee },
  ]
}
