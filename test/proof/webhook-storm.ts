import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes } from '../../scripts/infra/memory.ts'
import { NODE_FLAGS, NODE_VARIABLES } from '../../scripts/infra/node.ts'
import type { Merchant } from '../support/merchant.ts'
import { runMany } from './buyers.ts'
import { deploy, type Deployment, type Running } from './deployment.ts'
import { addEndpoint, newSecret, trigger } from './endpoints.ts'
import { type Kind, kinds, type Receivers, startReceivers } from './receivers.ts'
import { waitUntilIdle, failedProcesses } from './rest.ts'
import { isFull, type Scenario, tooSlow } from './scenario.ts'
import { findStormFaults, type RecordedDelivery } from './storm-faults.ts'
import { atPace, percentile } from './pace.ts'

/** Enough events for a worker's memory to reach its size under load. */
const warmUpOf = (size: number) => (isShort(size) ? 10 : 120)
/** Enough refused events for the cache of both workers to be full: each event leaves eight open processes. */
const warmUpProcessesEvents = 120
/**
 * An event takes nine processes and some forty attempts, most of them later ones, which take steps of the engine. A
 * delivery to a healthy receiver takes none, so an event costs as much as four hundred of those: events come at a four
 * hundredth of the deliveries a second that this machine makes with healthy receivers. A receiver's delay is then
 * caused by other receivers and not by a backlog of the engine.
 */
const deliveriesForAnEvent = 400
const eventsPerSecondMax = 1.5
/**
 * The time-out of one attempt: a tenth of the real one, because every attempt at two of the receivers takes all of it;
 * longer in a short run, which any machine must pass.
 */
const timeoutOf = (size: number) => (isShort(size) ? 3_000 : 1_000)
/** A run for `npm test`, beside others: fewer events to warm up with, and more time for each attempt. */
const isShort = (size: number) => size < 100
const [healthyP95MaxMs, memoryMaxMegabytes] = [2_000, 50]

/**
 * `size` is the number of events. Each goes to ten endpoints, so 500 events are 5,000 deliveries: "5,000 events to 10
 * receivers" is read as that. The pauses between attempts are 60 times shorter, or 960 times in a short run. An
 * endpoint may have as many deliveries at a time as in production.
 */
export const webhookStorm: Scenario = {
  promise: 'while receivers fail in every way, each delivery ends with its attempts recorded, healthy ones on time',
  size: 500,
  async run(size) {
    const deployment = await deploy({ env: NODE_VARIABLES })
    const secrets = Object.fromEntries(kinds.map((kind) => [kind, newSecret()])) as Record<Kind, string>
    const receivers = await startReceivers(secrets)
    const timeoutMs = timeoutOf(size)
    const entry = [...NODE_FLAGS, 'test/proof/hurried-worker.ts', isShort(size) ? '960' : '60', String(timeoutMs)]
    try {
      const { merchant } = await deployment.startApi()
      const workers = [await deployment.startWorker(entry), await deployment.startWorker(entry)]
      const endpoints = new Map<string, Kind>()
      const add = async (kind: Kind) =>
        void endpoints.set(await addEndpoint(deployment, receivers.urls[kind], secrets[kind]), kind)
      for (const kind of kinds) if (kind !== 'badCertificate') await add(kind)
      const eventsPerSecond = Math.min(
        eventsPerSecondMax,
        (await warmUp(deployment, merchant, warmUpOf(size))) / deliveriesForAnEvent,
      )
      if (!isShort(size)) await warmUpProcesses(deployment, merchant, receivers, eventsPerSecond)
      await add('badCertificate') // it cannot behave well during the warm-up
      await receivers.misbehave()

      const memory = watchMemory(workers)
      const since = new Date()
      await atPace(size, eventsPerSecond, (n) => trigger(merchant, n))
      const { restMs, violations } = await waitUntilIdle(deployment, 900_000)
      const grewMegabytes = memory.stop()
      const recorded = await readDeliveries(deployment, endpoints, since)
      const received = await readReceived(receivers)
      violations.push(...findStormFaults(recorded, received, timeoutMs), ...(await failedProcesses(deployment)))
      if (recorded.length < size * kinds.length) violations.push(`${recorded.length} deliveries of ${size} events`)
      const delays = delaysOf('healthy', recorded, received)
      const p95 = percentile(delays, 0.95)
      violations.push(...tooSlow(webhookStorm, size, [["the healthy endpoint's p95", p95, healthyP95MaxMs]]))
      if (isFull(webhookStorm, size) && grewMegabytes > memoryMaxMegabytes)
        violations.push(`a worker took ${grewMegabytes} MB more`)
      const tries = recorded.flatMap((delivery) => delivery.tries)
      const figures = {
        events: size,
        eventsPerSecond: eventsPerSecond.toFixed(2),
        deliveries: recorded.length,
        attempts: tries.length,
        healthyP50Ms: percentile(delays, 0.5),
        healthyP95Ms: p95,
        healthyMaxMs: percentile(delays, 1),
        flakyFirstP95Ms: percentile(delaysOf('flaky', recorded, received), 0.95),
        slowestAttemptMs: Math.max(...tries.map(({ durationMs }) => durationMs)),
        quietMegabytes: memory.quiet,
        grewMegabytes,
        restMs,
      }
      return { figures, violations }
    } finally {
      await receivers.close()
      await deployment.stop()
    }
  },
}

/**
 * Sends events at once to receivers that all answer, so that the workers' memory reaches its usual size; returns the
 * deliveries a second that this machine makes.
 */
async function warmUp(deployment: Deployment, merchant: Merchant, events: number): Promise<number> {
  const startedAt = performance.now()
  await runMany(events, 4, (n) => trigger(merchant, n))
  const { violations } = await waitUntilIdle(deployment, 120_000)
  if (violations.length > 0) throw new Error(`deliveries to healthy receivers did not end: ${violations.join('; ')}`)
  const seconds = (performance.now() - startedAt) / 1_000
  await pause(1_000)
  return (events * (kinds.length - 1)) / seconds
}

/**
 * Sends events whose deliveries are refused at once until their last attempt, so that the workers have run processes
 * and keep as many as they keep at most. What the storm takes beyond that is caused by how its receivers behave.
 */
async function warmUpProcesses(
  deployment: Deployment,
  merchant: Merchant,
  receivers: Receivers,
  eventsPerSecond: number,
): Promise<void> {
  await receivers.refuse()
  await atPace(warmUpProcessesEvents, eventsPerSecond, (n) => trigger(merchant, n))
  const { violations } = await waitUntilIdle(deployment, 300_000)
  if (violations.length > 0) throw new Error(`refused deliveries did not end: ${violations.join('; ')}`)
}

/** Watches each worker's memory from now on; `stop` returns by how many MB the one that grew most has grown. */
function watchMemory(workers: Running[]) {
  const quiet = workers.map(({ pid }) => residentMegabytes(pid))
  let grew = 0
  const look = () => {
    for (const [n, { pid }] of workers.entries()) grew = Math.max(grew, residentMegabytes(pid) - (quiet[n] ?? 0))
  }
  const looking = setInterval(look, 500)
  return {
    quiet: quiet.map(Math.round).join(' and '),
    stop() {
      clearInterval(looking)
      return Math.round(grew)
    },
  }
}

async function readDeliveries(
  { sql }: Deployment,
  endpoints: Map<string, Kind>,
  since: Date,
): Promise<RecordedDelivery[]> {
  const rows = await sql<RecordedDelivery & { endpointId: string }>(
    `select d.endpoint_id as "endpointId", d.event_id as "eventId", d.status, d.attempt_count as "attemptCount",
       extract(epoch from e.created_at) * 1000 as "createdAt",
       encode(sha256(convert_to(e.body, 'UTF8')), 'hex') as sha256,
       (select coalesce(json_agg(json_build_object('number', a.number, 'status', a.response_status, 'error', a.error,
                'durationMs', a.duration_ms) order by a.number), '[]')
        from delivery_attempts a where a.delivery_id = d.id) as tries
     from deliveries d join events e on e.id = d.event_id where e.created_at >= ?`,
    [since],
  )
  return rows.map((row) => ({ ...row, kind: endpoints.get(row.endpointId) as Kind }))
}

async function readReceived({ received }: Receivers) {
  return Object.fromEntries(
    await Promise.all(kinds.map(async (kind) => [kind, await received(kind)] as const)),
  ) as Received
}

type Received = Parameters<typeof findStormFaults>[1]

/** Milliseconds from each event to its first arrival at a receiver. */
function delaysOf(kind: (typeof kinds)[number], recorded: RecordedDelivery[], received: Received): number[] {
  const created = new Map(recorded.map(({ eventId, createdAt }) => [eventId, Number(createdAt)]))
  return received[kind]
    .filter(({ attempt }) => attempt === 1)
    .map(({ eventId, at }) => at - (created.get(eventId) ?? 0))
}
