import { randomUUID } from 'node:crypto'
import { compared, type Figure } from '../figure.ts'
import { type Caller, createCaller, load, rounds, type Sample } from '../load.ts'
import type { Shop, Testbed } from '../testbed.ts'

const ROUNDS = 3
const READS = [
  { inFlight: 1, calls: 500 },
  { inFlight: 32, calls: 1_000 },
]
/** Fewer: each starts a process, and a merchant whose processes begin 20 seconds late is refused. */
const CREATES = [1, 32].flatMap((inFlight) => [
  { inFlight, calls: 500, withoutWorker: false },
  { inFlight, calls: 500, withoutWorker: true },
])
export const sale = {
  amount: '25.00',
  currency: 'USD',
  description: 'A sale',
  success_url: 'https://example.com/thanks',
}

export type Session = { checkout_id: string; client_secret: string }

/** Creates a checkout session as a careful merchant does, with an idempotency key. */
export async function createCheckout(caller: Caller, { apiKey }: Pick<Shop, 'apiKey'>): Promise<Session> {
  const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': randomUUID() }
  return JSON.parse(
    await caller.call({ method: 'POST', path: '/v1/checkout-sessions', headers, body: sale }),
  ) as Session
}

/** Reads on behalf of the shop's merchant. */
export const read = async (caller: Caller, { apiKey }: Pick<Shop, 'apiKey'>, path: string): Promise<void> => {
  await caller.call({ path, headers: { authorization: `Bearer ${apiKey}` } })
}

type Work = { floor: (caller: Caller) => Promise<unknown>; ours: (caller: Caller) => Promise<unknown> }

type Loading = { inFlight: number; calls: number; withoutWorker?: boolean }

async function measure(
  testbed: Testbed,
  { inFlight, calls, withoutWorker = false }: Loading,
  { floor, ours }: Work,
): Promise<{ floor: Sample; ours: Sample }[]> {
  const bare = createCaller(testbed.floorUrl, inFlight)
  const caller = createCaller(testbed.shop.url, inFlight)
  const quiet = async (sample: Sample) => {
    await testbed.untilQuiet()
    return sample
  }
  const loadOurs = () => load(inFlight, calls, async () => void (await ours(caller)))
  const measured = await rounds(
    ROUNDS,
    () => load(inFlight, calls, async () => void (await floor(bare))),
    async () => quiet(await (withoutWorker ? testbed.worker.standingStill(loadOurs) : loadOurs())),
  )
  await Promise.all([bare.close(), caller.close()])
  return measured
}

const pairs = (measured: { floor: Sample; ours: Sample }[], field: keyof Sample) =>
  measured.map(({ floor, ours }) => ({ floor: floor[field], ours: ours[field] }))

/** Makes some calls first, so that just-in-time compilation and new connections are not measured. */
async function warmUp(testbed: Testbed, work: Work): Promise<void> {
  const [bare, caller] = [createCaller(testbed.floorUrl, 8), createCaller(testbed.shop.url, 8)]
  await load(8, 300, async () => void (await floorAndOurs(work, bare, caller)))
  await Promise.all([bare.close(), caller.close(), testbed.untilQuiet()])
}

const floorAndOurs = ({ floor, ours }: Work, bare: Caller, caller: Caller) => Promise.all([floor(bare), ours(caller)])

/**
 * Creating sessions beside one bare transaction of three inserts: while their processes start, and the API alone, as
 * where workers have machines of their own (docs/decisions/0110).
 */
export async function measureCreate(testbed: Testbed): Promise<Figure[]> {
  const work: Work = {
    floor: (caller) => caller.call({ method: 'POST', path: '/', body: sale }),
    ours: (caller) => createCheckout(caller, testbed.shop),
  }
  await warmUp(testbed, work)
  const figures: Figure[] = []
  for (const many of CREATES) {
    const row = `POST /v1/checkout-sessions, ${many.inFlight} in flight${many.withoutWorker ? ', API alone' : ''}`
    const measured = await measure(testbed, many, work)
    const throughput = { row, measure: 'throughput', unit: '/s', bar: 0.5, goal: 0.7, better: 'higher' } as const
    const latency = { row, measure: 'median latency', unit: 'ms', bar: 3, goal: 2, better: 'lower' } as const
    figures.push(compared(throughput, pairs(measured, 'perSecond')), compared(latency, pairs(measured, 'medianMs')))
  }
  return figures
}

/** Reading a session, beside one bare SELECT. */
export async function measureRead(testbed: Testbed): Promise<Figure[]> {
  const opening = createCaller(testbed.shop.url, 1)
  const { checkout_id } = await createCheckout(opening, testbed.shop)
  await opening.close()
  const work: Work = {
    floor: (caller) => caller.call({ path: '/' }),
    ours: (caller) => read(caller, testbed.shop, `/v1/checkout-sessions/${checkout_id}`),
  }
  await warmUp(testbed, work)
  const figures: Figure[] = []
  for (const many of READS) {
    const row = `GET /v1/checkout-sessions/{id}, ${many.inFlight} in flight`
    const measured = await measure(testbed, many, work)
    const about = { row, measure: 'throughput', unit: '/s', bar: 0.5, goal: 0.7, better: 'higher' } as const
    figures.push(compared(about, pairs(measured, 'perSecond')))
  }
  return figures
}
