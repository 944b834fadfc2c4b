import { setTimeout as pause } from 'node:timers/promises'
import { NODE_FLAGS, NODE_VARIABLES } from '../../scripts/infra/node.ts'
import { buyer, card, cards, type Merchant, type Reply, sale } from '../support/merchant.ts'
import { runMany } from './buyers.ts'
import { deploy } from './deployment.ts'
import { addEndpoint, newSecret } from './endpoints.ts'
import { type ReceivedEvent, startListener } from './listener.ts'
import { waitUntilIdle, failedProcesses } from './rest.ts'
import { isFull, type Scenario, tooSlow } from './scenario.ts'
import { atPace, percentile } from './pace.ts'

const buyersAtOnce = 24
const eventsOfSale = 2
const overloadedBy = 2
const payTriesMax = 5
const [goodputMin, deliveryP95MaxMs, refusalMaxMs, drainMaxMs] = [0.8, 10_000, 1_000, 60_000]

/** The results of the sales: how long refusals took, when sales were complete, how late each event arrived. */
type Seen = { refusalsMs: number[]; payMs: number[]; completedAt: number[]; lateMs: number[]; errors: string[] }
const newSeen = (): Seen => ({ refusalsMs: [], payMs: [], completedAt: [], lateMs: [], errors: [] })

/**
 * `size` is the seconds of overload. First the same sales are made by enough buyers at a time to keep the service busy:
 * the number that is complete in a second, with both events delivered, is its capacity. Then twice as many buyers come
 * in a second, whether or not earlier ones are done. A buyer whose session is refused leaves; one who is refused while
 * paying waits as Retry-After says and tries again, a few times.
 */
export const overload: Scenario = {
  promise: 'at twice its capacity the service does as much as before, refuses the rest at once, and soon catches up',
  size: 120,
  async run(size) {
    const deployment = await deploy({ env: NODE_VARIABLES })
    const sales = new Map<string, { left: number; complete: () => void }>()
    let seen = newSeen()
    const listener = await startListener((event) => receive(event, sales, seen))
    try {
      await addEndpoint(deployment, listener.url, newSecret())
      const { merchant } = await deployment.startApi([...NODE_FLAGS, 'api/main.ts'])
      await deployment.startWorker([...NODE_FLAGS, 'engine/worker.ts'])
      await deployment.startWorker([...NODE_FLAGS, 'engine/worker.ts'])
      await measureCapacity(merchant, Math.max(2, size / 6), sales, seen) // warms up
      const capacity = await measureCapacity(merchant, Math.max(4, size / 3), sales, seen)
      await waitUntilIdle(deployment, 120_000)

      seen = newSeen()
      const seconds = size
      const startedAt = performance.now()
      const perSecond = Math.max(1, capacity * overloadedBy)
      await atPace(Math.round(seconds * perSecond), perSecond, (n) => sell(merchant, n, sales, seen, false))
      const endedAt = startedAt + seconds * 1_000
      const drainStartedAt = performance.now()
      const { violations } = await waitUntilIdle(deployment, 4 * drainMaxMs)
      const drainMs = performance.now() - Math.min(drainStartedAt, endedAt)
      // The first tenth is not counted, because no sale can be complete yet.
      const from = startedAt + seconds * 100
      const good = seen.completedAt.filter((at) => at >= from && at < endedAt).length
      const goodput = good / ((endedAt - from) / 1_000)
      const slowest = percentile(seen.refusalsMs, 0.99)
      const p95 = percentile(seen.lateMs, 0.95)
      const late = ['the p95 of deliveries', p95, deliveryP95MaxMs] as const
      const refused = ['a refusal in a hundred', slowest, refusalMaxMs] as const
      violations.push(...tooSlow(overload, size, [late, refused, ['the rest', drainMs, drainMaxMs]]))
      if (isFull(overload, size) && goodput < goodputMin * capacity) {
        violations.push(`${goodput.toFixed(1)} sales a second of ${capacity.toFixed(1)}`)
      }
      if (good === 0) violations.push('no sale was complete')
      if (isFull(overload, size) && seen.refusalsMs.length === 0) violations.push('nothing was refused')
      violations.push(...seen.errors, ...(await failedProcesses(deployment)))
      const figures = {
        capacity: capacity.toFixed(2),
        offered: perSecond.toFixed(2),
        goodput: goodput.toFixed(2),
        ratio: (goodput / capacity).toFixed(2),
        refusals: seen.refusalsMs.length,
        refusalP99Ms: slowest,
        payP95Ms: percentile(seen.payMs, 0.95),
        deliveryP50Ms: percentile(seen.lateMs, 0.5),
        deliveryP95Ms: p95,
        drainMs: Math.round(drainMs),
      }
      return { figures, violations }
    } finally {
      listener.close()
      await deployment.stop()
    }
  },
}

type Sales = Map<string, { left: number; complete: () => void }>

function receive({ created_at, data }: ReceivedEvent, sales: Sales, seen: Seen): void {
  seen.lateMs.push(Date.now() - Date.parse(created_at))
  const waiting = sales.get(data.checkout_id ?? '')
  if (!waiting || (waiting.left -= 1) > 0) return
  sales.delete(data.checkout_id ?? '')
  seen.completedAt.push(performance.now())
  waiting.complete()
}

/** Complete sales a second, with both events, by buyers who come one after another. */
async function measureCapacity(merchant: Merchant, seconds: number, sales: Sales, seen: Seen): Promise<number> {
  const before = seen.completedAt.length
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  await runMany(Infinity, buyersAtOnce, async (n) => {
    await sell(merchant, n, sales, seen, true)
    return performance.now() < until ? 'more' : 'enough'
  })
  return (seen.completedAt.length - before) / ((performance.now() - startedAt) / 1_000)
}

/** One sale; `toItsEnd` waits for both events. A buyer whose session is refused leaves. */
async function sell(merchant: Merchant, n: number, sales: Sales, seen: Seen, toItsEnd: boolean): Promise<void> {
  const created = await timed(() => merchant.call('POST', '/v1/checkout-sessions', sale), seen)
  if (created.status !== 201) return
  const session = created.body as unknown as { checkout_id: string; client_secret: string }
  const { promise, resolve } = Promise.withResolvers<void>()
  sales.set(session.checkout_id, { left: eventsOfSale, complete: resolve })
  const startedAt = performance.now()
  if (!(await pay(merchant, session, n, seen))) return void sales.delete(session.checkout_id)
  seen.payMs.push(performance.now() - startedAt)
  if (toItsEnd) await promise
}

async function pay(
  merchant: Merchant,
  session: { checkout_id: string; client_secret: string },
  n: number,
  seen: Seen,
): Promise<boolean> {
  const body = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true, customer_details: buyer }
  const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const headers = {
    authorization: `Bearer ${session.client_secret}`,
    'x-forwarded-for': address,
    'idempotency-key': session.checkout_id,
  }
  for (let tries = 1; tries <= payTriesMax; tries++) {
    const reply = await timed(() => merchant.call('POST', path, body, headers), seen)
    if (reply.status === 200) return true
    if (reply.status !== 503) seen.errors.push(`pay: ${reply.status} ${reply.text}`)
    await pause(1_000 * Number(reply.headers.get('retry-after') ?? 1))
  }
  return false
}

/** Makes a call. A 503 is timed, and is an error without Retry-After. */
async function timed(call: () => Promise<Reply>, seen: Seen): Promise<Reply> {
  const startedAt = performance.now()
  const reply = await call()
  if (reply.status === 503) {
    seen.refusalsMs.push(performance.now() - startedAt)
    if (!reply.headers.has('retry-after')) seen.errors.push(`a refusal has no Retry-After: ${reply.text}`)
  } else if (reply.status >= 300) seen.errors.push(`${reply.status} ${reply.text}`)
  return reply
}
