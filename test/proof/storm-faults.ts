import type { ReceivedRequest, Kind, kinds } from './receivers.ts'

/** A delivery as the database has it. */
export type RecordedDelivery = {
  kind: Kind
  eventId: string
  status: string
  attemptCount: number
  createdAt: string
  /** The hash of the event's bytes. */
  sha256: string
  tries: { number: number; status: number | null; error: string | null; durationMs: number }[]
}

type StormKind = (typeof kinds)[number]

/** The outcomes that an attempt may be recorded with, by receiver. */
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
/** A time-out fires late on a machine whose cores are all busy: a tenth of the real ten seconds. */
const overTimeMaxMs = 1_000

/** Everything that is wrong with the recorded deliveries and with what the receivers got. */
export function findStormFaults(
  recorded: RecordedDelivery[],
  received: Record<StormKind, ReceivedRequest[]>,
  timeoutMs: number,
): string[] {
  const byEvent = new Map(Object.entries(received).map(([kind, all]) => [kind, Map.groupBy(all, (one) => one.eventId)]))
  const errors = recorded.flatMap((delivery) => {
    const arrived = byEvent.get(delivery.kind)?.get(delivery.eventId) ?? []
    const found = [...wronglyRecorded(delivery, timeoutMs), ...wronglyReceived(delivery, arrived)]
    return found.map((what) => `${delivery.kind} ${delivery.eventId}: ${what}`)
  })
  const followed = received.healthy.filter(({ path }) => path !== '/healthy').length
  if (followed > 0) errors.push(`${followed} redirects were followed`)
  if (received.badCertificate.length > 0) errors.push('a receiver with a bad certificate got a request')
  if (errors.length <= shownMax) return errors
  return [...errors.slice(0, shownMax), `and ${errors.length - shownMax} more`]
}

function wronglyRecorded({ kind, status, attemptCount, tries }: RecordedDelivery, timeoutMs: number): string[] {
  const errors = []
  const isDone = status === 'succeeded' || (status === 'failed' && attemptCount === 5)
  if (!isDone) errors.push(`is ${status} after ${attemptCount} attempts`)
  if (status === 'succeeded' && kind !== 'healthy' && kind !== 'flaky') errors.push('succeeded, which cannot be')
  if (tries.some(({ number }, index) => number !== index + 1) || tries.length !== attemptCount)
    errors.push(`has the attempts ${tries.map(({ number }) => number).join()}`)
  for (const { number, status: code, error, durationMs } of tries) {
    if (!outcomes[kind as StormKind].includes(`${code} ${error}`)) errors.push(`attempt ${number} is ${code} ${error}`)
    if (durationMs > timeoutMs + overTimeMaxMs) errors.push(`attempt ${number} took ${durationMs} ms`)
  }
  return errors
}

/** Each recorded attempt must have been received, once and in order, with the event's bytes. */
function wronglyReceived({ kind, sha256, tries }: RecordedDelivery, arrived: ReceivedRequest[]): string[] {
  const errors = []
  const expected = kind === 'badCertificate' ? [] : tries.map(({ number }) => number)
  const numbers = arrived.map(({ attempt }) => attempt)
  if (numbers.join() !== expected.join()) errors.push(`arrived as attempts ${numbers.join()} of ${expected.join()}`)
  if (arrived.some((one) => one.sha256 !== sha256)) errors.push('arrived with other bytes')
  if (arrived.some(({ isVerified }) => !isVerified)) errors.push('arrived with a signature that does not verify')
  return errors
}
