import { aboutDeposit } from '../domain/checkout/process.ts'
import { priceOfDeposit } from '../domain/checkout/deposit.ts'
import type { Amount } from '../domain/money.ts'
import { Customer } from '../db/customer/customer.ts'
import type { EntityManager } from '../db/core/database.ts'
import { Deposit } from '../db/checkout/deposit.ts'
import { Payment } from '../db/checkout/payment.ts'
import { signalProcess, startProcess } from '../db/core/start-process.ts'
import type { VirtualAccount } from '../db/platform/virtual-account.ts'
import { noteNews } from './note-news.ts'

/** A bank's notice that money has arrived. It is stored, and the process then asks the bank whether it is true. */
export type DepositNotice = { paymentId: string; sessionId: string; amount: Amount }

/** The payment of a transfer, and whether its notice has changed anything: not where the transfer is posted already. */
export type TakenUp = { paymentId: string; isNews: boolean }

/**
 * Stores a bank's notice, in the running transaction, as a payment with its own process. A notice of a known transfer
 * makes no new payment; its process is signalled while that transfer is not posted, also where staff have marked it as
 * failed. `at` is in milliseconds since the epoch.
 */
export async function takeUpDeposit(
  em: EntityManager,
  account: VirtualAccount,
  { paymentId, sessionId, amount }: DepositNotice,
  at: number,
): Promise<TakenUp> {
  const { environment, id: virtualAccountId } = account
  const made = await em.execute<object[]>(
    `insert into deposits (id, environment, virtual_account_id, session_id, created_at) values (?, ?, ?, ?, ?)
     on conflict (virtual_account_id, session_id) do nothing returning id`,
    [paymentId, environment, virtualAccountId, sessionId, new Date(at)],
  )
  if (made.length === 0) return signalKnownDeposit(em, account, sessionId, at)
  em.create(Payment, {
    id: paymentId,
    accountId: account.accountId,
    environment,
    ...(await depositorOf(em, account)),
    checkoutId: null,
    subscriptionId: null,
    statementText: null,
    reference: null,
    metadata: {},
    status: 'processing',
    failureCode: null,
    currency: account.currency,
    ...priceOfDeposit(amount),
    nextAction: null,
    methodDetails: null,
    baseAmount: null,
    baseCurrency: null,
    rate: null,
    lineItems: null,
    platformFee: null,
    transferAmount: null,
    transferDestination: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
    completedAt: null,
  })
  startProcess(em, 'deposit', paymentId, aboutDeposit(account))
  return { paymentId, isNews: true }
}

async function signalKnownDeposit(
  em: EntityManager,
  account: VirtualAccount,
  sessionId: string,
  at: number,
): Promise<TakenUp> {
  const { id: paymentId } = await em.findOneOrFail(Deposit, { virtualAccountId: account.id, sessionId })
  const { status } = await em.findOneOrFail(Payment, { id: paymentId })
  const isNews = status !== 'succeeded'
  if (isNews) {
    signalProcess(em, 'deposit', paymentId, aboutDeposit(account), 'railAnswered')
    await noteNews(em, 'deposit', paymentId, at)
  }
  return { paymentId, isNews }
}

/** The customer that the payment will show, as their record is now; nobody for an account of the merchant's own. */
async function depositorOf(em: EntityManager, { customerId: id }: VirtualAccount) {
  if (id === null) return { customerId: null, customerDetails: null }
  const { email, name, phoneNumber } = await em.findOneOrFail(Customer, { id })
  return { customerId: id, customerDetails: { email, name, phone_number: phoneNumber } }
}
