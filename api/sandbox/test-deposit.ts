import { aboutCheckout } from '../../domain/checkout/process.ts'
import { createHash } from 'node:crypto'
import { Checkout } from '../../db/checkout/checkout.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Payment as PaymentRow } from '../../db/checkout/payment.ts'
import { SimulatedAddress, SimulatedCharge, SimulatedCoins, SimulatedDeposit } from '../../rails/sandbox/book.ts'
import { testSender } from '../../rails/sandbox/test-values.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { parseCoins, usdWorthOf } from '../../domain/checkout/crypto.ts'
import { add, type Amount, amountError, isLess, isZero, parseAmount, subtract } from '../../domain/money.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import type { Services } from '../http/services.ts'
import { readUntil } from './read-until.ts'

/** A deposit to send. Without an amount it is the missing amount. A repeated call (`callId`) is the same deposit. */
type Deposit = { amount?: string; sender_name?: string | null; session_id?: string; tx_hash?: string; callId: string }

/** Stores a deposit in the simulated rail, once and at the payment's time; waits until the payment's process has it. */
export async function depositInSandbox(
  { database }: Services,
  id: string,
  deposit: Deposit,
  now: number,
): Promise<PaymentRow> {
  await inTransaction(database, async (em) => {
    const payment = await lock(em, PaymentRow, id) // two deposits at once run one after the other
    const at = await timeOf(em, payment, now)
    const send = payment.corridor === 'CRYPTO' ? sendCoins : sendTransfer
    if (!(await send(em, payment, deposit, at))) return // the rail has stored this deposit already
    const session = await em.findOneOrFail(Checkout, { id: payment.checkoutId ?? '' })
    signalProcess(em, 'checkout', session.id, aboutCheckout(session), 'railAnswered', payment.id)
  })
  const isTakenUp = async ({ newsDueAt, amountReceived }: PaymentRow) =>
    newsDueAt !== null || !isLess(amountReceived, await sentTo(database.orm.em.fork(), id))
  return waitFor(database.orm.em, id, isTakenUp)
}

async function sendTransfer(em: EntityManager, payment: PaymentRow, deposit: Deposit, at: number): Promise<boolean> {
  const amount = deposit.amount === undefined ? null : parseAmount(deposit.amount, payment.currency)
  const sessionId = deposit.session_id ?? sessionIdOf(deposit.callId)
  const { accountId } = payment
  if (isKnown(await em.findOne(SimulatedDeposit, { accountId, sessionId }), payment)) return false
  const missing = subtract(payment.amount, await sentTo(em, payment.id))
  const charge = await em.findOne(SimulatedCharge, { paymentId: payment.id })
  if (!isOpen(charge?.closesAt, at) || !isLess('0', missing)) {
    throw new Refusal('CONFLICT', 'the bank account of this payment accepts no more money')
  }
  em.create(SimulatedDeposit, {
    accountId,
    sessionId,
    paymentId: payment.id,
    amount: amount ?? missing,
    senderName: deposit.sender_name === undefined ? testSender.name : deposit.sender_name,
    senderBank: testSender.bank,
    senderAccountNumber: testSender.accountNumber,
    createdAt: new Date(at),
  })
  return true
}

/** A network never refuses a surplus, as a bank does. But once its time is over, the address is no longer watched. */
async function sendCoins(em: EntityManager, payment: PaymentRow, deposit: Deposit, at: number): Promise<boolean> {
  const { id: paymentId, accountId } = payment
  const address = await em.findOne(SimulatedAddress, { paymentId })
  const amount = deposit.amount === undefined || !address ? null : parseCoins(deposit.amount, address.asset)
  const txHash = deposit.tx_hash ?? digestOf(deposit.callId)
  if (isKnown(await em.findOne(SimulatedCoins, { accountId, txHash }), payment)) return false
  const before = (await em.find(SimulatedCoins, { paymentId })).reduce((sum, { coins }) => add(sum, coins), '0')
  const missing = subtract(address?.coins ?? '0', before)
  const coins = amount ?? missing
  if (!address || !isOpen(address.closesAt, at) || !isLess('0', coins)) {
    throw new Refusal('CONFLICT', 'this payment accepts no more money')
  }
  const worth = subtract(usdWorthOf(add(before, coins), address.rate), usdWorthOf(before, address.rate))
  em.create(SimulatedCoins, { accountId, txHash, paymentId, coins, worth, seenAt: new Date(at) })
  return true
}

const digestOf = (callId: string): string => createHash('sha256').update(callId).digest('hex')

/** The bank's id of a transfer: thirty digits. A repeated call gets the same id. */
export const sessionIdOf = (callId: string): string =>
  BigInt(`0x${digestOf(callId)}`)
    .toString()
    .slice(0, 30)

const isOpen = (closesAt: Date | null | undefined, at: number) => (closesAt?.getTime() ?? 0) > at

function isKnown(found: { paymentId: string | null } | null, { id }: { id: string }): boolean {
  if (found && found.paymentId !== id) throw new Refusal('CONFLICT', 'this was sent for another payment')
  return found !== null
}

/** The amount sent for a payment so far, in its currency, by bank or by crypto. */
async function sentTo(em: EntityManager, paymentId: string): Promise<Amount> {
  const deposits = await em.find(SimulatedDeposit, { paymentId })
  const coins = await em.find(SimulatedCoins, { paymentId })
  return [...deposits.map(({ amount }) => amount), ...coins.map(({ worth }) => worth)].reduce(add, '0')
}

/** The errors in an amount of any currency. The schema check reports a value that is not text. */
export function validateAmount({ amount }: Record<string, unknown>): FieldError[] {
  if (typeof amount !== 'string') return []
  const unreadable = amountError(amount, null)
  if (unreadable) return [unreadable]
  return isZero(amount) ? [{ field: 'amount', message: 'must be more than zero', type: 'value_error.range' }] : []
}

/** Waits some seconds until the payment has the wanted state, and returns the payment. */
export const waitFor = (
  reader: EntityManager,
  id: string,
  holds: (payment: PaymentRow) => boolean | Promise<boolean>,
): Promise<PaymentRow> => readUntil(() => reader.fork().findOneOrFail(PaymentRow, { id }), holds)
