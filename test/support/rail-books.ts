import type { FailureCode } from '../../domain/checkout/payment.ts'
import assert from 'node:assert/strict'
import type { ProcessName } from '../../domain/processes.ts'
import { SimulatedCharge, SimulatedConversion, SimulatedDeposit, SimulatedRefund } from '../../rails/sandbox/book.ts'
import { SimulatedPayout } from '../../rails/sandbox/payout-book.ts'
import { card, cards, type Merchant } from './merchant.ts'
import type { Stack } from './stack.ts'

// Sets by hand what the sandbox's rails know of an order, and sends their notices.

type Parts = Pick<Stack, 'database'>
const em = ({ database }: Parts) => database.orm.em.fork()

/** The final status of an order. */
type End<T extends { status: unknown }> = Extract<T['status'], 'succeeded' | 'completed' | 'failed' | 'returned'>
const endOf = <S extends string>(status: S) => ({ status, executions: status === 'failed' ? 0 : 1 })
const one = async (changed: Promise<number>) => assert.equal(await changed, 1, 'the rail knows the order')

export const endCharge = (stack: Parts, paymentId: string, status: End<SimulatedCharge>, failureCode?: FailureCode) =>
  one(
    em(stack).nativeUpdate(
      SimulatedCharge,
      { paymentId },
      { ...endOf(status), ...(failureCode === undefined ? {} : { failureCode }) },
    ),
  )

export const endRefund = (stack: Parts, refundId: string, status: End<SimulatedRefund>) =>
  one(em(stack).nativeUpdate(SimulatedRefund, { refundId }, endOf(status)))

export const endConversion = (stack: Parts, conversionId: string, status: End<SimulatedConversion>) =>
  one(em(stack).nativeUpdate(SimulatedConversion, { conversionId }, endOf(status)))

export const endPayout = (stack: Parts, payoutId: string, status: End<SimulatedPayout>) =>
  one(em(stack).nativeUpdate(SimulatedPayout, { payoutId }, endOf(status)))

/** Makes a rail forget an order, as if it had never received it. */
export const forget = {
  refund: (stack: Parts, refundId: string) => one(em(stack).nativeDelete(SimulatedRefund, { refundId })),
  conversion: (stack: Parts, conversionId: string) =>
    one(em(stack).nativeDelete(SimulatedConversion, { conversionId })),
  payout: (stack: Parts, payoutId: string) => one(em(stack).nativeDelete(SimulatedPayout, { payoutId })),
}

const tables = { refund: 'refunds', conversion: 'conversions', payout: 'payouts' } as const

/** Signals a process, also one that has ended, that its rail has news, as the service does after a rail's notice. */
export async function sendRailNews(
  { sql }: Pick<Stack, 'sql'>,
  process: keyof typeof tables & ProcessName,
  id: string,
): Promise<void> {
  await sql(
    `insert into outbox (process, resource_id, signal, about)
     select ?, id, '{"name":"railAnswered","args":[]}',
       jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
         'waitingOn', 'rail', 'summary', 'news') from ${tables[process]} where id = ?`,
    [process, id],
  )
}

/** Makes the rail answer late about the card that a buyer has just given for a session. */
export async function delayCard({ sql }: Pick<Stack, 'sql'>, checkoutId: string): Promise<void> {
  await sql(
    `update simulated_cards set behaviour = 'answers_late' where token =
     (select rail_token from payment_requests where checkout_id = ? order by created_at desc limit 1)`,
    [checkoutId],
  )
}

/** Starts an attempt by card that the rail keeps processing. Returns the id of the payment. */
export async function holdAtRail(
  stack: Pick<Stack, 'sql' | 'merchant'>,
  session: Awaited<ReturnType<Merchant['createCheckout']>>,
): Promise<string> {
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  await delayCard(stack, session.checkout_id)
  const { body } = await stack.merchant.confirm(session)
  assert.equal(body['payment_status'], 'processing')
  return String(body['payment_id'])
}

/** Makes every transfer at the bank final. */
export async function confirmDeposits(stack: Parts): Promise<void> {
  await em(stack).nativeUpdate(SimulatedDeposit, {}, { isFinal: true })
}

/** Tells the process of a dispute, also one that has ended, that its network has news. */
export async function sendDisputeNews(stack: Pick<Stack, 'sql' | 'dispatched'>, id: string): Promise<void> {
  await stack.sql(
    `insert into outbox (process, resource_id, signal, about)
     select 'dispute', id, '{"name":"networkAnswered","args":[]}', jsonb_build_object('accountId', account_id,
       'environment', environment, 'status', status, 'waitingOn', 'rail', 'summary', 'news')
       from disputes where id = ?`,
    [id],
  )
  await stack.dispatched()
}
