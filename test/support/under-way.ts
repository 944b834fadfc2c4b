import { cards, sale, transferSale } from './merchant.ts'
import { systemClock } from '../../engine/clock.ts'
import { endow, exchanging } from './conversion.ts'
import { leftOpen, register } from './destination.ts'
import { idOf, setSchedule } from './payout-schedule.ts'
import { addDestination, lastFour } from './payout.ts'
import type { Stack } from './stack.ts'
import { until } from './stack.ts'
import { depositInto, openAccount } from './virtual-account.ts'

export type Ground = Pick<Stack, 'merchant' | 'sql' | 'database' | 'organizationId'>

/** One row of each kind whose process waits, by the process's id in the engine. */
export type UnderWay = Record<
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

/**
 * Brings about what waits longest: a buyer, late money, a rail that does not answer, a reviewer, a planned run. The
 * account needs a webhook of its own for deliveries.
 */
export async function startWaiting(ground: Ground): Promise<UnderWay> {
  const { merchant, organizationId: accountId, database } = ground
  const owner = { accountId, environment: 'sandbox' as const }
  for (const currency of ['USD', 'NGN']) {
    await endow({ database, clock: systemClock }, accountId, '100000.00', currency)
  }
  const transfer = await merchant.createCheckout(transferSale)
  await merchant.payByTransfer(transfer)
  await merchant.cancel(transfer.checkout_id)
  const checkout = await merchant.createCheckout(sale)
  const asked = await merchant.createCheckout(sale)
  await merchant.payByCard(asked, cards.threeDs)
  const { refund_id: refund } = await merchant.refund(await merchant.chargeByCard(), { reference: 'sandbox_no_answer' })
  const { conversion_id: conversion } = await exchanging(merchant).convert({ reference: 'sandbox_no_answer' })
  const silent = await addDestination(ground, owner, { ends: lastFour.neverAnswers })
  const payout = await merchant.payOut(silent)
  const held = await merchant.payOut(silent, { reference: 'sandbox_hold' })
  const destination = await register(merchant, 'NGN', leftOpen)
  const payee = { accountId, merchant }
  await setSchedule(payee, 'KES', { interval: 'weekly', weekly_payout_days: ['monday'] })
  const waiting: UnderWay = {
    checkout: `checkout/${checkout.checkout_id}`,
    lateMoney: `checkout/${transfer.checkout_id}`,
    cardAtRail: `checkout/${asked.checkout_id}`,
    refund: `refund/${refund}`,
    conversion: `conversion/${conversion}`,
    payout: `payout/${payout.id}`,
    heldPayout: `payout/${held.id}`,
    deposit: `deposit/${await startDeposit(ground)}`,
    destination: `destination/${destination.id}`,
    schedule: `schedule/${idOf(payee, 'KES')}`,
  }
  await until(() => isWaiting(ground), 'all of it waits', 60_000)
  return waiting
}

/** A transfer that the bank may still take back. */
async function startDeposit({ merchant, sql }: Ground): Promise<string> {
  const account = await openAccount(merchant, `depositor${Math.random()}@example.com`)
  await sql('alter table simulated_deposits alter column is_final set default false')
  const { body } = await depositInto(merchant, account, { amount: '5000.00' })
  await sql('alter table simulated_deposits alter column is_final set default true')
  return String(body['payment_id'])
}

/** Whether each has come as far as it comes by itself. */
async function isWaiting({ sql }: Ground): Promise<boolean> {
  const [left] = await sql<{ count: string }>(
    `select (select count(*) from outbox) + (select count(*) from payouts where status in ('requested', 'approved'))
       + (select count(*) from refunds where status = 'pending')
       + (select count(*) from conversions where status = 'pending') as count`,
  )
  return left?.count === '0'
}
