import assert from 'node:assert/strict'
import { WorkflowNotFoundError } from '@temporalio/client'
import { systemClock } from '../../engine/clock.ts'
import { cards, type Merchant, sale, transferSale } from './merchant.ts'
import { endow, exchanging } from './conversion.ts'
import { leftOpen, register } from './destination.ts'
import { idOf, setSchedule } from './payout-schedule.ts'
import { addDestination, lastFour } from './payout.ts'
import { confirmDeposits } from './rail-books.ts'
import type { addStaff } from './staff.ts'
import type { Stack } from './stack.ts'
import { until } from './until.ts'
import { depositInto, openAccount } from './virtual-account.ts'

type Parts = Pick<Stack, 'merchant' | 'sql' | 'database' | 'organizationId'>

type Session = Awaited<ReturnType<Merchant['createCheckout']>>

/** One row of each kind whose process waits, and what is needed to end each. */
export type UnderWay = {
  /** By their ids in the engine. */
  processes: Record<
    | 'checkout'
    | 'lateMoney'
    | 'cardAtRail'
    | 'refund'
    | 'conversion'
    | 'payout'
    | 'heldPayout'
    | 'deposit'
    | 'destination'
    | 'schedule',
    string
  >
  sessions: { checkout: Session; cardAtRail: Session }
  lateTransfer: string
}

/**
 * Starts the processes that wait longest: for a buyer, late money, a silent rail, a reviewer or a scheduled run. For
 * deliveries the account needs a webhook.
 */
export async function startWaiting(stack: Parts): Promise<UnderWay> {
  const { merchant, organizationId: accountId, database } = stack
  const owner = { accountId, environment: 'sandbox' as const }
  for (const currency of ['USD', 'NGN'] as const) {
    await endow({ database, clock: systemClock }, accountId, '100000.00', currency)
  }
  const deposit = await startDeposit(stack)
  const transfer = await merchant.createCheckout(transferSale)
  const { payment_id: lateTransfer } = await merchant.payByTransfer(transfer)
  await merchant.cancel(transfer.checkout_id)
  const checkout = await merchant.createCheckout(sale)
  const challenged = await merchant.createCheckout(sale)
  await merchant.payByCard(challenged, cards.threeDs)
  const { refund_id: refund } = await merchant.refund(await merchant.chargeByCard(), { reference: 'sandbox_no_answer' })
  const { conversion_id: conversion } = await exchanging(merchant).convert({ reference: 'sandbox_no_answer' })
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const payout = await merchant.payOut(silent)
  const held = await merchant.payOut(silent, { reference: 'sandbox_hold' })
  const destination = await register(merchant, 'NGN', leftOpen)
  const payee = { accountId, merchant }
  await setSchedule(payee, 'KES', { interval: 'weekly', weekly_payout_days: ['monday'] })
  const processes = {
    checkout: `checkout/${checkout.checkout_id}`,
    lateMoney: `checkout/${transfer.checkout_id}`,
    cardAtRail: `checkout/${challenged.checkout_id}`,
    refund: `refund/${refund}`,
    conversion: `conversion/${conversion}`,
    payout: `payout/${payout.id}`,
    heldPayout: `payout/${held.id}`,
    deposit: `deposit/${deposit}`,
    destination: `destination/${destination.id}`,
    schedule: `schedule/${idOf(payee, 'KES')}`,
  }
  await until(() => isWaiting(stack), 'all of it waits')
  return { processes, sessions: { checkout, cardAtRail: challenged }, lateTransfer }
}

/** A transfer that is not final, so the bank may still take it back. */
export async function startDeposit({ merchant, sql }: Pick<Parts, 'merchant' | 'sql'>): Promise<string> {
  const account = await openAccount(merchant, `depositor${Math.random()}@example.com`)
  const [made] = await sql<{ id: string }>('select id from checkouts where customer_id = ?', [account.customer_id])
  await merchant.cancel(made?.id ?? '') // the sale that made the customer is not needed
  await sql('alter table simulated_deposits alter column is_final set default false')
  const { body } = await depositInto(merchant, account, { amount: '5000.00' })
  await sql('alter table simulated_deposits alter column is_final set default true')
  return String(body['payment_id'])
}

/** Whether each process has got as far as it can by itself. */
async function isWaiting({ sql }: Parts): Promise<boolean> {
  const [left] = await sql<{ count: string }>(
    `select (select count(*) from outbox) + (select count(*) from payouts where status in ('requested', 'approved'))
       + (select count(*) from refunds where status = 'pending')
       + (select count(*) from conversions where status = 'pending') as count`,
  )
  return left?.count === '0'
}

type Staff = Awaited<ReturnType<typeof addStaff>>

/**
 * Does what each process waits for: the buyer pays, the rails answer, staff decide. A second call leaves ended ones as
 * they are.
 */
export async function endWaiting(
  stack: Parts & Pick<Stack, 'client'>,
  staff: Staff,
  { processes, sessions, lateTransfer }: UnderWay,
): Promise<void> {
  const { merchant, sql, client, organizationId } = stack
  const idOfProcess = (id: string) => id.slice(id.indexOf('/') + 1)
  const sendNotice = (id: string, ...args: string[]) => client.workflow.getHandle(id).signal('railAnswered', ...args)
  const session = await merchant.getCheckout(sessions.checkout.checkout_id)
  if (session['status'] === 'open') await merchant.payByCard(sessions.checkout)
  await merchant.confirm(sessions.cardAtRail, { code: '123456' })
  await merchant.deposit(lateTransfer)
  for (const [table, key, status, id] of [
    ['simulated_refunds', 'refund_id', 'succeeded', processes.refund],
    ['simulated_conversions', 'conversion_id', 'completed', processes.conversion],
  ] as const) {
    await sql(`update ${table} set status = ?, executions = 1 where ${key} = ?`, [status, idOfProcess(id)])
    await sendNotice(id).catch(ended)
  }
  await confirmDeposits(stack)
  await sendNotice(processes.deposit).catch(ended)
  const decision = { decision: 'approve' }
  const destination = idOfProcess(processes.destination)
  const decided = [
    await staff.call('POST', `/api/v1/admin/payout-destinations/${destination}/review`, decision),
    await staff.onPayout(idOfProcess(processes.heldPayout), 'review', decision),
  ]
  for (const { status, text } of decided) assert.ok(status === 200 || status === 409, text) // 409: it has ended
  for (const id of [processes.heldPayout, processes.payout]) {
    const atRail = 'select from simulated_payouts where payout_id = ?'
    await until(async () => (await sql(atRail, [idOfProcess(id)])).length > 0, `${id} is at its rail`)
    await merchant.settlePayout(idOfProcess(id))
    await sendNotice(id).catch(ended)
  }
  await setSchedule({ accountId: organizationId, merchant }, 'KES', { interval: 'manual' })
}

/** Ignores that a process has ended meanwhile. */
function ended(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error
}
