// npm run demo: a sale, an expiry and a webhook receiver that fails, played against the real stack in real time (about
// 70 seconds). Uses the stack that runs already, or starts one and stops it. Exit code 0 only if all of it worked.
import { randomBytes } from 'node:crypto'
import { buyer, card, cards, type Merchant, sale } from '../test/support/merchant.ts'
import { type Engine, lookIntoEngine, type Shown } from './demo/engine.ts'
import { type Receiver, startReceiver, type Webhook } from './demo/receiver.ts'
import { findStack } from './demo/stack.ts'
import { check, clockTime, done, say, secondsUntil, until } from './demo/step.ts'
import { merchantOf, readConfiguration, useWebhook } from './demo/webhook.ts'
import { runSession } from './infra/session.ts'

type Scene = { merchant: Merchant; receiver: Receiver; engine: Engine }
type Created = { checkout_id: string; client_secret: string; checkout_url: string; status: string; expires_at: string }

/** Marks the sale whose webhook fails once. */
const failing = 'fails-once'

await runSession(async (session) => {
  const stack = await findStack(session)
  const merchant = merchantOf(stack)
  const before = await readConfiguration(merchant)
  const secret = before.secret ?? randomBytes(24).toString('hex')
  const receiver = await startReceiver(secret, failOnce())
  session.atEnd(receiver.close)
  await useWebhook(session, merchant, before, receiver.url, secret)
  const scene = { merchant, receiver, engine: await lookIntoEngine(session, stack) }

  await playSale(scene)
  await playMinute(scene)
  say('\nAll of it worked.')
  return 0
})

/** 500 for the first `checkout.completed` of the sale that is marked for it, else 200. */
function failOnce(): (webhook: Pick<Webhook, 'event' | 'attempt'>) => number {
  return ({ event, attempt }) => {
    const { metadata } = event.data as { metadata?: Record<string, string> }
    return event.type === 'checkout.completed' && metadata?.['demo'] === failing && attempt === 1 ? 500 : 200
  }
}

async function open(merchant: Merchant, body: Record<string, unknown>): Promise<Created> {
  return (await merchant.createCheckout({ ...sale, ...body })) as Created
}

async function payByCard({ merchant }: Scene, session: Created): Promise<void> {
  const body = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer, confirm: true }
  const { status, body: attempt, text } = await merchant.pay(session, body)
  check(status === 200 && String(attempt['payment_status']) === 'succeeded', `the card pays: ${status} ${text}`)
  done(`the buyer pays by card: payment ${attempt['payment_id']}, ${attempt['total']} ${attempt['currency']}`)
}

function webhook({ receiver }: Scene, checkoutId: string, type: string, attempt = 1): Webhook | undefined {
  return receiver.about(checkoutId).find((each) => each.event.type === type && each.attempt === attempt)
}

async function arrived(scene: Scene, checkoutId: string, type: string): Promise<Webhook> {
  const found = await until(`the webhook ${type}`, () => webhook(scene, checkoutId, type), { withinMs: 20_000 })
  check(found.isSigned, `the signature of ${type} fits its bytes`)
  done(`webhook ${type}: ${found.event.id}, signature verified, answered with ${found.answered}`)
  return found
}

/** The engine shows the end of a process a moment after the database. */
async function ended({ engine }: Scene, id: string, status: string): Promise<void> {
  const look = async (): Promise<Shown | null> => {
    const shown = await engine.show(id)
    return shown.execution === 'COMPLETED' && shown.status === status ? shown : null
  }
  const shown = await until(`the process ${id} to end`, look, { withinMs: 20_000, everyMs: 250 })
  done(`process ${id} has ended: State=${shown.status}, ${shown.events} events of history`)
  say(`    ${shown.url}`)
}

async function playSale(scene: Scene): Promise<void> {
  say('\nA sale')
  done(`webhooks go to ${scene.receiver.url}, with a secret`)
  const session = await open(scene.merchant, { customer_creation: 'always', reference: 'demo-sale' })
  done(`checkout ${session.checkout_id} is ${session.status}: ${sale.amount} ${sale.currency}`)
  say(`    ${session.checkout_url}`)
  await payByCard(scene, session)
  await arrived(scene, session.checkout_id, 'collection.succeeded')
  await arrived(scene, session.checkout_id, 'checkout.completed')
  await ended(scene, `checkout/${session.checkout_id}`, 'completed')
}

/** Plays the expiry and the failing receiver at the same time, as each takes a minute. */
async function playMinute(scene: Scene): Promise<void> {
  say('\nAn expiry, and a receiver that fails: both take a minute')
  const unpaid = await open(scene.merchant, { expires_in_minutes: 1, reference: 'demo-expiry' })
  done(`checkout ${unpaid.checkout_id} is ${unpaid.status} and expires at ${clockTime(unpaid.expires_at)}`)
  const { details, url } = await waiting(scene, `checkout/${unpaid.checkout_id}`)
  done(`process checkout/${unpaid.checkout_id} says: ${details}`)
  say(`    ${url}`)

  const paid = await open(scene.merchant, { metadata: { demo: failing }, reference: 'demo-retry' })
  await payByCard(scene, paid)
  const first = await arrived(scene, paid.checkout_id, 'checkout.completed')
  const { delivery, retryAt } = await scheduled(scene, paid.checkout_id)

  const progress = () =>
    `${secondsUntil(unpaid.expires_at)} s until the expiry, ${secondsUntil(retryAt)} s until attempt 2 ...`
  await Promise.all([playExpiry(scene, unpaid, progress), playRetry(scene, paid.checkout_id, first)])
  await ended(scene, delivery, 'succeeded')
  await ended(scene, `checkout/${unpaid.checkout_id}`, 'expired')
}

/** What a process waits for, as its own details say. */
async function waiting({ engine }: Scene, id: string): Promise<{ details: string; until: string; url: string }> {
  const look = async () => {
    const details = await engine.detailsOf(id).catch(() => '') // it may not have begun yet
    const moment = /until (\S+Z)/.exec(details)?.[1]
    return moment ? { details, until: moment, url: engine.urlOf(id) } : null
  }
  return until(`the process ${id} to wait`, look, { withinMs: 20_000, everyMs: 500 })
}

async function scheduled(scene: Scene, checkoutId: string): Promise<{ delivery: string; retryAt: string }> {
  const find = () => scene.engine.findDelivery('checkout.completed', checkoutId)
  const delivery = await until('the delivery in the engine', find, { withinMs: 20_000, everyMs: 500 })
  const { until: retryAt, url } = await waiting(scene, delivery)
  done(`process ${delivery} makes attempt 2 at ${clockTime(retryAt)}, in ${secondsUntil(retryAt)} s`)
  say(`    ${url}`)
  return { delivery, retryAt }
}

async function playExpiry(scene: Scene, { checkout_id: id, expires_at }: Created, progress: () => string) {
  const look = () => webhook(scene, id, 'checkout.expired')
  const expiry = await until('the webhook checkout.expired', look, { withinMs: 90_000, progress })
  const lateMs = expiry.at - new Date(expires_at).getTime()
  check(lateMs >= 0, `no expiry before ${expires_at}`)
  const now = await scene.merchant.getCheckout(id)
  check(now['status'] === 'expired' && now['payment_status'] === 'canceled', `the session is expired: ${now['status']}`)
  done(`webhook checkout.expired: ${expiry.event.id}, ${(lateMs / 1000).toFixed(1)} s after the time of expiry`)
}

async function playRetry(scene: Scene, id: string, first: Webhook): Promise<void> {
  const look = () => webhook(scene, id, 'checkout.completed', 2)
  const second = await until('attempt 2 of checkout.completed', look, { withinMs: 90_000 })
  const pauseMs = second.at - first.at
  check(pauseMs >= 59_000, `attempt 2 comes a minute after the failure, and not after ${pauseMs} ms`)
  check(second.isSigned && second.body === first.body, 'attempt 2 has the same bytes and a signature of its own')
  done(
    `webhook checkout.completed, attempt 2: ${Math.round(pauseMs / 1000)} s later, the same bytes, answered with 200`,
  )
}
