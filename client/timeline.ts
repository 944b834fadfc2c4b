import { InvalidArgumentError } from 'commander'
import type { Static } from 'typebox'
import { idPrefixes } from '../domain/id.ts'
import type { StepStatus } from '../domain/sight/timeline.ts'
import { tracedPaths } from '../domain/sight/traced-paths.ts'
import type { Timeline } from '../schemas/sight/timeline.ts'
import { type Api, ApiRefusal, pathSegment } from './api.ts'
import { Failure } from './failure.ts'
import { fromNow, type Output, paint, plain, shortTime, type Style } from './output.ts'
import { type Column, tableOf } from './table.ts'

type Traced = Static<typeof Timeline>
type Item = Traced['items'][number]

const prefixes = Object.keys(tracedPaths) as (keyof typeof tracedPaths)[]

const prefixOf = (id: string) => prefixes.find((prefix) => id.startsWith(`${prefix}_`))

/** Reads an id that the user has typed. Only its prefix is checked. */
export function readTracedId(id: string): string {
  if (prefixOf(id)) return id
  const known = prefixes.map((prefix) => `${idPrefixes[prefix]} (${prefix}_…)`)
  throw new InvalidArgumentError(`These have a timeline: ${known.join(', ')}.`)
}

/** Shows what has happened to a resource and what it waits for. */
export async function showTimeline(api: Api, output: Output, id: string): Promise<void> {
  const timeline = await readTimeline(api, id)
  const steps = timeline.items.length > 0 ? ['', ...tableOf(timeline.items, columns)] : []
  output.show(timeline, () => [...standingLines(timeline), ...steps])
}

/** If a prefix belongs to two kinds of resources, the second is tried where the first has no such id. */
async function readTimeline({ call }: Api, id: string): Promise<Traced> {
  const refusals: ApiRefusal[] = []
  const prefix = prefixOf(id)
  for (const path of prefix ? tracedPaths[prefix] : []) {
    try {
      return await call<Traced>({ method: 'GET', path: `${path}/${pathSegment(id)}/timeline` })
    } catch (error) {
      if (!(error instanceof ApiRefusal && ['NOT_FOUND', 'FORBIDDEN'].includes(error.code))) throw error
      refusals.push(error)
    }
  }
  const [first] = refusals
  const detail = refusals.map(({ message }) => message).join(', ')
  throw new Failure(first?.code ?? 'NOT_FOUND', detail, [], first?.docUrl)
}

function standingLines(timeline: Traced): string[] {
  const { resource_id, status, waiting_on, waiting_since, wakes_at, expected_by } = timeline
  const at = Date.parse(timeline.as_of)
  const line = (label: string, text: string) => `${label.padEnd(11)}  ${text}`
  const moment = (label: string, time: string | null) =>
    time === null ? [] : [line(label, `${shortTime(time)} UTC (${fromNow(time, at)})`)]
  return [
    paint('bold', plain(resource_id)),
    line('Status', plain(status)),
    line('Waiting on', waiting_on ?? 'nothing'),
    ...moment('Since', waiting_since),
    ...moment('Wakes at', wakes_at),
    ...moment('Expected by', expected_by),
  ]
}

const styles: Record<StepStatus, Style> = { done: 'green', running: 'yellow', failed: 'red', skipped: 'dim' }

const columns: readonly Column<Item>[] = [
  { heading: 'time (UTC)', textOf: ({ at }) => shortTime(at) },
  { heading: 'step', textOf: ({ step }) => step },
  { heading: 'status', textOf: ({ status }) => status, styleOf: ({ status }) => styles[status] },
  { heading: 'actor', textOf: ({ actor }) => actor },
  { heading: 'attempts', textOf: ({ attempts }) => (attempts > 0 ? String(attempts) : null) },
  { heading: 'error', textOf: ({ last_error }) => last_error },
  { heading: 'payment', textOf: ({ details }) => (details['payment_id'] ? String(details['payment_id']) : null) },
]
