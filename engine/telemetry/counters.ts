import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Attempt } from '../../activities/webhook/http.ts'
import { backlogSources, figures, queueSources } from '../../db/sight/figures.ts'
import type { ProcessName } from '../../domain/processes.ts'
import type { DeliveryStatus } from '../../domain/webhook/delivery.ts'
import type { RailCall } from '../../rails/line.ts'
import type { DatabaseFigures } from './database-figures.ts'

/** In seconds: from a cached answer to one that a caller has given up. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** An answered call. `route` is the pattern of its path, never the path; `none` where no route has it. */
export type AnsweredCall = { method: string; route: string; status: number; ms: number }

/** Counts the calls of an API process. Each pattern's series are looked up once. */
export function countCalls(register: Registry): (call: AnsweredCall) => void {
  const total = new Counter({
    name: 'steadypay_http_requests_total',
    help: 'Answered calls, by the pattern of their path; probes of health are none.',
    labelNames: ['method', 'route', 'status'],
    registers: [register],
  })
  const seconds = new Histogram({
    name: 'steadypay_http_request_duration_seconds',
    help: 'How long calls took, until the head of their answer was ready.',
    labelNames: ['method', 'route'],
    buckets,
    registers: [register],
  })
  const series = new Map<string, { observe(seconds: number): void; byStatus: Map<number, { inc(): void }> }>()

  return ({ method: sent, route, status, ms }) => {
    const method = knownMethods.has(sent) ? sent : 'other'
    const key = `${method} ${route}`
    let known = series.get(key)
    if (!known) series.set(key, (known = { observe: seconds.labels(method, route).observe, byStatus: new Map() }))
    known.observe(ms / 1_000)
    let counter = known.byStatus.get(status)
    if (!counter) known.byStatus.set(status, (counter = total.labels(method, route, String(status))))
    counter.inc()
  }
}

/** Counts the calls of providers. A provider that is down is sent nothing, which is counted too. */
export function countRailCalls(register: Registry): (call: RailCall) => void {
  const labels = { labelNames: ['provider', 'outcome'] as const, registers: [register] }
  const total = new Counter({
    name: 'steadypay_rail_calls_total',
    help: 'Calls of a provider, by the class of its answer, `limited` (429), `no_answer`, or `not_sent` as it is down.',
    ...labels,
  })
  const seconds = new Histogram({
    name: 'steadypay_rail_call_duration_seconds',
    help: 'How long providers took to answer.',
    labelNames: ['provider'],
    buckets: [...buckets, 20],
    registers: [register],
  })
  return ({ provider, status, ms }) => {
    total.inc({ provider, outcome: outcomeOf(status) })
    if (status !== 'not sent') seconds.observe({ provider }, ms / 1_000)
  }
}

function outcomeOf(status: RailCall['status']): string {
  if (status === 429) return 'limited'
  return typeof status === 'number' ? `${Math.floor(status / 100)}xx` : status.replace(' ', '_')
}

/** Counts the attempts to reach receivers, and the deliveries that have ended. */
export function countWebhooks(register: Registry) {
  const registers = [register]
  const attempts = new Counter({
    name: 'steadypay_webhook_attempts_total',
    help: 'Attempts to reach a receiver: `delivered`, or why not.',
    labelNames: ['outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'steadypay_webhook_attempt_duration_seconds',
    help: 'How long receivers took, from the lookup of their name to the end of their answer.',
    buckets,
    registers,
  })
  const ended = new Counter({
    name: 'steadypay_deliveries_ended_total',
    help: 'Deliveries that have ended with an attempt, or were skipped instead of it.',
    labelNames: ['outcome'],
    registers,
  })
  return {
    attempt({ error, durationMs, responseStatus }: Attempt): void {
      attempts.inc({ outcome: error ?? 'delivered' })
      if (responseStatus !== null || error === 'timeout') seconds.observe(durationMs / 1_000)
    },
    delivery(status: DeliveryStatus): void {
      if (status !== 'pending') ended.inc({ outcome: status })
    },
  }
}

/** Counts what the outbox relay sends to the engine. */
export function countDispatches(register: Registry) {
  const total = new Counter({
    name: 'steadypay_dispatches_total',
    help: 'Processes that were started or signalled for the outbox, and those for which the engine did not take it.',
    labelNames: ['process', 'kind', 'outcome'],
    registers: [register],
  })
  return (process: ProcessName, kind: 'start' | 'signal', outcome: 'done' | 'failed') =>
    total.inc({ process, kind, outcome })
}

/** The state of a pool of connections. */
export type PoolState = { busy: number; idle: number; waiting: number; max: number }

/** Shows the pools of a process by their names. */
export function showPools(register: Registry): (pools: Record<string, PoolState>) => void {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `steadypay_database_${name}`, help, labelNames, registers: [register] })
  const connections = gauge('connections', 'Open connections to the database.', 'pool', 'state')
  const max = gauge('connections_max', 'The most connections that a pool may open.', 'pool')
  const waiting = gauge('connections_awaited', 'How much waits for a connection of a pool.', 'pool')
  return (pools) => {
    for (const [pool, state] of Object.entries(pools)) {
      connections.set({ pool, state: 'busy' }, state.busy)
      connections.set({ pool, state: 'idle' }, state.idle)
      max.set({ pool }, state.max)
      waiting.set({ pool }, state.waiting)
    }
  }
}

/** Shows whether the database has answered, and the figures that were read. Figures that were not read are left out. */
export function showFigures(register: Registry): (read: DatabaseFigures) => void {
  const registers = [register]
  const up = new Gauge({
    name: 'steadypay_database_up',
    help: 'Whether the database has answered this process in time: 1 or 0.',
    registers,
  })
  const unread = new Gauge({
    name: 'steadypay_figures_missing',
    help: 'Whether these figures of the database could not be read in time: 1 or 0. The others are told without them.',
    labelNames: ['figures'],
    registers,
  })
  const gauges = new Map(
    Object.entries(figures).map(([name, { means, labels }]) => [
      name,
      new Gauge({ name: `steadypay_${name}`, help: means, labelNames: [...labels], registers }),
    ]),
  )
  return ({ isUp, figures: read, missing }) => {
    up.set(isUp ? 1 : 0)
    for (const source of Object.keys({ ...queueSources, ...backlogSources }))
      unread.set({ figures: source }, missing.includes(source) ? 1 : 0)
    for (const [name, { labels }] of Object.entries(figures)) {
      const gauge = gauges.get(name)
      // A gauge without labels would show 0 after a reset, although nobody has read a 0.
      if (labels.length === 0) gauge?.remove()
      else gauge?.reset()
    }
    for (const { name, labels, value } of read) gauges.get(name)?.set(labels, value)
  }
}

export type MetricDescription = { name: string; help: string; type: string; labels: string[] }

/** Every metric of our own, for the documentation. */
export function describeMetrics(): MetricDescription[] {
  const register = new Registry()
  const all = [countCalls, countDispatches, countWebhooks, countRailCalls, showFigures, showPools]
  for (const make of all) make(register)
  // Its types leave out the names of the labels.
  type Made = Omit<MetricDescription, 'labels'> & { labelNames: string[] }
  const made = register.getMetricsAsArray() as unknown as Made[]
  return made.map(({ name, help, type, labelNames }) => ({ name, help, type, labels: labelNames }))
}
