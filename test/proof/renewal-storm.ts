import { setTimeout as pause } from 'node:timers/promises'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import type { Deps } from '../../activities/deps.ts'
import { subscriptionActivities } from '../../activities/subscription/subscription.ts'
import { noChoice } from '../../api/checkout/payment-choice.ts'
import { PaymentRequest } from '../../db/checkout/payment.ts'
import { touchSubscription } from '../../commands/subscription/touch.ts'
import { inTransaction } from '../../db/core/database.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import { createMailer } from '../../engine/mailer.ts'
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import { createRails } from '../../rails/index.ts'
import { until } from '../support/until.ts'
import { type Deployment, deploy } from './deployment.ts'
import { findDuplicates, waitUntilIdle } from './rest.ts'
import type { Scenario } from './scenario.ts'

/** Renewals that are carried out without an engine, for the floor: the database's and the rail's work alone. */
const floorShare = 0.03
const parallel = 12
/** The span over which renewals of one instant are spread, in milliseconds. */
const spreadMs = 60_000
/** The time in which a process is begun on two slow cores, in milliseconds, so that all wait when the trials end. */
const startMs = 35

/** `size` is the number of subscriptions whose trials all end at one instant. */
export const renewalStorm: Scenario = {
  promise: 'when many subscriptions renew in one minute, each card is charged once and each period has one invoice',
  size: 10_000,
  async run(size) {
    const deployment = await deploy()
    try {
      const made = await sell(deployment, size)
      const apart = made.slice(0, Math.ceil(size * floorShare))
      const floor = await renewDirectly(deployment, apart)
      await deployment.sql(`delete from outbox where process = 'checkout'`) // their sessions are complete
      const waiting = made.slice(apart.length)
      const at = Date.now() + 15_000 + size * startMs
      await endTrials(deployment, waiting, at)
      for (let n = 0; n < 2; n++) await deployment.startWorker()
      const haveBegun = async () => (await count(deployment, 'outbox')) === 0
      await until(haveBegun, 'every process has begun', { withinMs: 900_000 })
      await pause(Math.max(0, at - Date.now()))
      const drainedMs = await until(
        async () => (await count(deployment, `invoices where status = 'paid'`)) === size,
        'every renewal is paid',
        { withinMs: 60_000 + size * 200, everyMs: 500 },
      )
      const { restMs, violations } = await waitUntilIdle(deployment, 120_000)
      violations.push(...(await findDuplicates(deployment)))
      const rate = waiting.length / (drainedMs / 1_000)
      const figures = { subscriptions: size, drainedMs: Math.round(drainedMs), restMs, ...inWords(rate, floor) }
      return { figures, violations }
    } finally {
      await deployment.stop()
    }
  },
}

const inWords = (rate: number, floor: number) => ({
  renewalsPerSecond: rate.toFixed(1),
  withoutEnginePerSecond: floor.toFixed(1),
  ofFloor: (rate / floor).toFixed(2),
})

async function count(deployment: Deployment, what: string): Promise<number> {
  const [row] = await deployment.sql<{ count: string }>(`select count(*) from ${what}`)
  return Number(row?.count ?? 0)
}

const depsOf = ({ database, encrypter }: Deployment): Deps => {
  const logger = { warn: () => undefined, error: () => undefined }
  const rest = { mailer: createMailer(null, '', logger), rates: sandboxExchangeRates, logger }
  return { database, encrypter, rails: createRails(database), ...rest } as unknown as Deps
}

/** Runs work on all, some at a time. */
async function together<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  const rest = [...all]
  const run = async () => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) done.push(await work(one))
  }
  await Promise.all(Array.from({ length: parallel }, run))
  return done
}

/** Begins trials, whose cards are saved by the steps of the checkout; no process runs yet. Returns their ids. */
async function sell(deployment: Deployment, size: number): Promise<string[]> {
  const { merchant, kill } = await deployment.startApi()
  const recurring = { interval: 'month', interval_count: 1, trial_days: 30 }
  const plan = { name: 'Plan', price_type: 'fixed', amount: '25.00', currency: 'USD', recurring }
  const { body: product } = await merchant.call('POST', '/v1/products', plan)
  const { body: customer } = await merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  const deps = depsOf(deployment)
  const steps = checkoutActivities(deps)
  const session = {
    product_cart: [{ product_id: product['product_id'] }],
    customer: { id: customer['customer_id'] },
    success_url: 'https://example.com',
  }
  await together([...Array(size).keys()], async () => {
    const { checkout_id: checkoutId } = await merchant.createCheckout(session)
    const numbers = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' }
    const railToken = await deps.rails.in('sandbox').vaultOf('USD_CARD').keepCard(numbers)
    const at = Date.now()
    const request = { ...noChoice, id: newId('pay', at), corridor: 'USD_CARD' as const, railToken }
    const row = { ...request, checkoutId, encryptedReturnUrl: null, createdAt: new Date(at) }
    await deployment.database.orm.em.fork().insert(PaymentRequest, row)
    await steps.attemptPayment(checkoutId, request.id, true, at)
    await deployment.sql(`delete from outbox where process = 'checkout' and resource_id = ?`, [checkoutId])
  })
  await kill()
  const rows = await deployment.sql<{ id: string }>('select id from subscriptions')
  return rows.map(({ id }) => id)
}

/** Ends the trials of these subscriptions, all at one moment (ms since the epoch), each with the delay of its own. */
async function endTrials({ database }: Deployment, ids: string[], at: number): Promise<void> {
  await inTransaction(database, async (em) => {
    for (const subscription of await em.find(Subscription, { id: { $in: ids } })) {
      const end = new Date(at)
      Object.assign(subscription, { trialEnd: end, currentPeriodEnd: end, anchor: end, invoicedUntil: end })
      subscription.remindsAt = null
      touchSubscription(subscription, at)
    }
  })
}

/** Renews subscriptions by their steps, without an engine; returns how many a second. */
async function renewDirectly(deployment: Deployment, ids: string[]): Promise<number> {
  const now = Date.now()
  await endTrials(deployment, ids, now)
  const steps = subscriptionActivities(depsOf(deployment))
  const startedAt = performance.now()
  await together(ids, async (id) => {
    await steps.takeSubscriptionStep(id, now + spreadMs)
    await steps.chargeSubscription(id, now + spreadMs)
    await steps.sendSubscriptionMails(id, now + spreadMs)
  })
  return ids.length / ((performance.now() - startedAt) / 1_000)
}
