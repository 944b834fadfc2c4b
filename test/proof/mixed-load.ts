import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openAccount } from '../support/virtual-account.ts'
import { endow } from '../support/conversion.ts'
import { destinations } from '../support/destination-examples.ts'
import { systemClock } from '../../engine/clock.ts'
import { countOpen } from './rest.ts'
import { insist, makeSale, type Tally } from './buyers.ts'
import type { Deployment } from './deployment.ts'
import { makePayout, type Payees, preparePayouts } from './payees.ts'

type Api = Awaited<ReturnType<Deployment['startApi']>>['merchant']
type Work = (n: number) => Promise<unknown>

/** The pause between two works of one kind, so that a slow machine gets some of every kind done. */
const restMs = 1_000
/** While so much is not done yet, no more is begun: a machine that is slower than this load would never end it. */
const openMax = 100

/**
 * Work that starts every kind of process, again and again until `stop`, which waits for work under way: sales and
 * their refunds, payouts, conversions, deposits, destinations, schedules, and recoveries of the endpoint's deliveries.
 */
export async function startMixedLoad(deployment: Deployment, merchant: Api, endpointId: string, tally: Tally) {
  const to = await preparePayouts(deployment, '1000000.00')
  await endow({ database: deployment.database, clock: systemClock }, deployment.organizationId, '1000000.00', 'KES')
  const made: Record<string, number> = {}
  let isOver = false
  let open = 0
  const look = async () => {
    while (!isOver) {
      open = await countOpen(deployment).catch(() => open) // one of the tables is locked
      await pause(restMs)
    }
  }
  const repeat = async (name: string, work: Work) => {
    for (let n = 0; !isOver; n++) {
      while (!isOver && open > openMax) await pause(restMs)
      await work(n)
      made[name] = n + 1
      await pause(restMs)
    }
  }
  const works = worksOf({ merchant, to, endpointId, tally })
  const twice = ([name, work]: [string, Work]) => [repeat(name, work), repeat(name, work)]
  const working = Promise.all([look(), ...Object.entries(works).flatMap(twice)])
  working.catch(() => undefined) // `stop` reports it
  return {
    async stop(): Promise<Record<string, number>> {
      isOver = true
      await working
      return made
    },
  }
}

type Mixed = { merchant: Api; to: Payees; endpointId: string; tally: Tally }

function worksOf({ merchant, to, endpointId, tally }: Mixed): Record<string, Work> {
  const insistOn = async (path: string, body: unknown) => {
    const reply = await insist(merchant, { path, body }, tally)
    if (reply.status >= 300) tally.errors.push(`${path}: ${reply.status} ${reply.text}`)
    return reply.body as Record<string, string>
  }
  const account = openAccount(merchant, 'locked@example.com')
  const sell = async (n: number) => {
    const id = await makeSale(merchant, n, tally)
    const path = `/v1/checkout-sessions/${id}`
    const { body } = await insist(merchant, { method: 'GET', path, body: undefined }, tally)
    const { charge, currency } = body as { charge?: { payment_id: string } | null; currency?: string }
    if (!charge || currency !== 'USD') return
    await insistOn('/api/v1/payments/refunds', { charge_id: charge.payment_id, reference: `return-${randomUUID()}` })
  }
  return {
    sales: sell,
    'more sales': sell,
    payouts: async (n) => {
      const destination = [to.completes, to.fails, to.completesSoon][n % 3] ?? to.completes
      const paid = await makePayout(merchant, destination, tally)
      if ('refused' in paid) tally.errors.push(`a payout is refused: ${paid.refused}`)
    },
    conversions: async () => {
      const wanted = { from_currency: 'USD', to_currency: 'NGN', from_amount: '1.00' }
      const { quote_id } = await insistOn('/v1/conversions/quotes', wanted)
      await insistOn('/v1/conversions', { quote_id, reference: 'treasury' })
    },
    deposits: async () => {
      const path = `/v1/test-helpers/virtual-accounts/${(await account).virtual_account_id}/deposits`
      await insistOn(path, { amount: '500.00', session_id: randomUUID().replaceAll('-', '') })
    },
    destinations: async () => {
      await insistOn('/v1/payouts/destinations', { name: 'One of many', ...destinations.NGN })
      await pause(2_000)
    },
    schedules: async (n) => {
      const interval = n % 2 === 0 ? 'daily' : 'manual'
      await insistOn('/v1/balance_settings', { schedule_by_currency: { KES: { interval } } })
      await pause(2_000)
    },
    recoveries: async () => {
      const since = new Date(Date.now() - 60_000).toISOString()
      const path = `/v1/webhooks/endpoints/${endpointId}/recover`
      const reply = await insist(merchant, { path, body: { since } }, tally)
      const isRefused = reply.status >= 300 && !reply.text.includes('running already')
      if (isRefused) tally.errors.push(`${path}: ${reply.status} ${reply.text}`)
      await pause(10_000)
    },
  }
}
