import { InvalidArgumentError } from 'commander'
import type { Static } from 'typebox'
import type { AdvancedClock } from '../schemas/sandbox/test-clock.ts'
import { type Api, pathSegment } from './api.ts'
import { type Output, paint, plain, shortTime } from './output.ts'
import { type Column, tableOf } from './table.ts'

type Clock = Static<typeof AdvancedClock>
export type Happening = Clock['happened'][number]
export type AdvanceOptions = { by?: string; to?: string }

/** The service answers within this time, also while the clock is still advancing. */
export const clockTimeoutMs = 120_000

/** Advances a test clock, and shows what has happened on the way. */
export async function advanceClock({ call }: Api, output: Output, id: string, options: AdvanceOptions): Promise<void> {
  if ((options.by === undefined) === (options.to === undefined)) {
    throw new InvalidArgumentError('Give either --by, such as P1D, or --to, such as 2030-01-31T00:00:00Z.')
  }
  const path = `/v1/test-helpers/clocks/${pathSegment(id)}/advance`
  const clock = await call<Clock>({ method: 'POST', path, body: { ...options }, timeoutMs: clockTimeoutMs })
  output.show(clock, () => [
    `${paint('bold', plain(clock.clock_id))}  ${shortTime(clock.frozen_time)} UTC${underWay(clock)}`,
    '',
    ...happenedLines(clock.happened),
  ])
}

const underWay = ({ advances_to }: Clock): string =>
  advances_to === null ? '' : `, still advancing to ${shortTime(advances_to)} UTC`

/** What has happened on a clock, a line each. */
export const happenedLines = (happened: readonly Happening[]): string[] =>
  happened.length === 0 ? ['Nothing has happened.'] : tableOf(happened, columns)

const columns: readonly Column<Happening>[] = [
  { heading: 'time (UTC)', textOf: ({ at }) => shortTime(at) },
  { heading: 'resource', textOf: ({ resource_id }) => resource_id },
  { heading: 'step', textOf: ({ step }) => step },
  { heading: 'actor', textOf: ({ actor }) => actor },
  { heading: 'error', textOf: ({ last_error }) => last_error, styleOf: () => 'red' },
]
