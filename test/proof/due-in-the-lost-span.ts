import assert from 'node:assert/strict'
import { systemClock } from '../../engine/clock.ts'
import { endow } from '../support/conversion.ts'
import { cards } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { idOf, setSchedule } from '../support/payout-schedule.ts'
import { changeDestination } from '../support/rows.ts'
import { until } from '../support/until.ts'
import type { Cluster } from './disaster.ts'

/** A subscription and a daily schedule, whose charge and payout come by themselves. */
export type Due = { subscription: string; schedule: string }

const patience = { withinMs: 60_000 }

/** Makes a subscription and a schedule that are due, which their processes do not know before `makeDue`. */
export async function prepareDue({ merchant, sql, database, organizationId }: Cluster): Promise<Due> {
  const payee = { accountId: organizationId, merchant }
  const owner = { accountId: organizationId, environment: 'sandbox' as const }
  await endow({ database, clock: systemClock }, organizationId, '500.00', 'GHS')
  const destination = await addDestination({ database }, owner, { currency: 'GHS' })
  await changeDestination({ database }, destination, { isDefault: true })
  await setSchedule(payee, 'GHS', { interval: 'daily' })
  const plan = {
    price_type: 'fixed',
    amount: '25.00',
    currency: 'USD',
    recurring: { interval: 'month', interval_count: 1 },
  }
  const product = await merchant.call('POST', '/v1/products', { name: 'Team plan', ...plan })
  const session = await merchant.createCheckout({
    product_cart: [{ product_id: String(product.body['product_id']) }],
    customer: { email: 'due@example.com', name: 'Ada Buyer' },
    success_url: 'https://example.com/thanks',
  })
  await merchant.payByCard(session, cards.success)
  const begun = () => sql<{ id: string }>('select id from subscriptions where checkout_id = ?', [session.checkout_id])
  await until(async () => (await begun()).length > 0, 'the subscription has begun', patience)
  const subscription = (await begun())[0]?.id ?? ''
  const schedule = idOf(payee, 'GHS')
  const isStarted = async () => (await sql('select from outbox')).length === 0
  await until(isStarted, 'both have a process', patience)
  const due = new Date(Date.now() - 1_000)
  const month = 31 * 86_400_000
  await sql(
    `update subscriptions set anchor = ?, current_period_start = ?, charged_from = ?, current_period_end = ?,
       invoiced_until = ?, wakes_at = ?, wakes_for = 'period_end', revision = revision + 1 where id = ?`,
    [...Array.from({ length: 3 }, () => new Date(due.getTime() - month)), due, due, due, subscription],
  )
  await sql('update invoices set period_start = ?, period_end = ? where subscription_id = ?', [
    new Date(due.getTime() - month),
    due,
    subscription,
  ])
  await sql('update payout_schedules set next_run_at = ? where id = ?', [due, schedule])
  return { subscription, schedule }
}

/** Has both processes read their rows, and waits until money has moved. */
export async function makeDue(cluster: Cluster, { subscription, schedule }: Due): Promise<void> {
  await cluster.client.workflow.getHandle(`subscription/${subscription}`).signal('invoicePaid')
  await cluster.client.workflow.getHandle(`schedule/${schedule}`).signal('changed')
  await untilMade(cluster, { subscription, schedule })
}

async function untilMade({ sql }: Cluster, { subscription, schedule }: Due): Promise<void> {
  const made = `select from payments p join simulated_charges s on s.payment_id = p.id, payouts o
      join simulated_payouts r on r.payout_id = o.id
    where p.subscription_id = ? and p.checkout_id is null and p.status = 'succeeded' and o.schedule_id = ?`
  await until(async () => (await sql(made, [subscription, schedule])).length > 0, 'both have moved money', patience)
}

/** Waits until both are made again, after the restore, and ends both. */
export async function endDue(cluster: Cluster, due: Due): Promise<void> {
  await untilMade(cluster, due)
  const { merchant, organizationId } = cluster
  await setSchedule({ accountId: organizationId, merchant }, 'GHS', { interval: 'manual' })
  const ended = await merchant.call('POST', `/v1/subscriptions/${due.subscription}/cancel`, { at_period_end: false })
  assert.equal(ended.status, 200, ended.text)
}
