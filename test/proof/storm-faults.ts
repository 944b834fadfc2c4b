import type { Heard, Kind, kinds } from './receivers.ts'

/** A delivery as it was written down. */
export type Told = {
  kind: Kind
  eventId: string
  status: string
  attemptCount: number
  createdAt: string
  /** Of the event's bytes. */
  sha256: string
  tries: { number: number; status: number | null; error: string | null; durationMs: number }[]
}

type StormKind = (typeof kinds)[number]

/** What an attempt may be written down as, by receiver. */
const outcomes: Record<StormKind, string[]> = {
  healthy: ['200 null'],
  flaky: ['200 null', '503 bad_status'],
  error: ['500 bad_status'],
  hang: ['null timeout'],
  reset: ['null reset'],
  rateLimited: ['429 bad_status'],
  gone: ['410 bad_status'],
  drip: ['200 timeout'],
  redirect: ['302 redirect'],
  badCertificate: ['null tls'],
}

const shownMax = 10
/** A clock that runs out is heard late on a machine whose cores are all busy: a tenth of the real ten seconds. */
const overTimeMaxMs = 1_000

/** Every way in which deliveries, and what the receivers heard of them, are not as they should be. */
export function findStormFaults(told: Told[], heard: Record<StormKind, Heard[]>, timeoutMs: number): string[] {
  const byEvent = new Map(Object.entries(heard).map(([kind, all]) => [kind, Map.groupBy(all, (one) => one.eventId)]))
  const faults = told.flatMap((delivery) => {
    const arrived = byEvent.get(delivery.kind)?.get(delivery.eventId) ?? []
    const found = [...writtenWrongly(delivery, timeoutMs), ...heardWrongly(delivery, arrived)]
    return found.map((what) => `${delivery.kind} ${delivery.eventId}: ${what}`)
  })
  const followed = heard.healthy.filter(({ path }) => path !== '/healthy').length
  if (followed > 0) faults.push(`${followed} redirects were followed`)
  if (heard.badCertificate.length > 0) faults.push('a receiver with a bad certificate was told something')
  if (faults.length <= shownMax) return faults
  return [...faults.slice(0, shownMax), `and ${faults.length - shownMax} more`]
}

function writtenWrongly({ kind, status, attemptCount, tries }: Told, timeoutMs: number): string[] {
  const faults = []
  const isDone = status === 'succeeded' || (status === 'failed' && attemptCount === 5)
  if (!isDone) faults.push(`is ${status} after ${attemptCount} attempts`)
  if (status === 'succeeded' && kind !== 'healthy' && kind !== 'flaky') faults.push('was taken, which cannot be')
  if (tries.some(({ number }, index) => number !== index + 1) || tries.length !== attemptCount)
    faults.push(`has the attempts ${tries.map(({ number }) => number).join()}`)
  for (const { number, status: code, error, durationMs } of tries) {
    if (!outcomes[kind as StormKind].includes(`${code} ${error}`)) faults.push(`attempt ${number} is ${code} ${error}`)
    if (durationMs > timeoutMs + overTimeMaxMs) faults.push(`attempt ${number} took ${durationMs} ms`)
  }
  return faults
}

/** Each attempt that is written was heard, once and in order; all of them with the event's bytes. */
function heardWrongly({ kind, sha256, tries }: Told, arrived: Heard[]): string[] {
  const faults = []
  const expected = kind === 'badCertificate' ? [] : tries.map(({ number }) => number)
  const numbers = arrived.map(({ attempt }) => attempt)
  if (numbers.join() !== expected.join()) faults.push(`was heard as attempts ${numbers.join()} of ${expected.join()}`)
  if (arrived.some((one) => one.sha256 !== sha256)) faults.push('was heard with other bytes')
  if (arrived.some(({ isVerified }) => !isVerified)) faults.push('was heard with a signature that does not verify')
  return faults
}
