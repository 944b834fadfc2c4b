import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { examples, examplesFolder, type Recorded } from '../../api/http/examples.ts'

type ByOperation = Record<string, Recorded>

/** Writes the examples to their files, one for each first word of the operations' ids. */
export function recordExamples(recorded: ByOperation, errors: Record<string, object>): void {
  const kept = Object.fromEntries(
    Object.entries(recorded).map(([operationId, now]) => [operationId, asBefore(examples[operationId], now)]),
  )
  const groups = Map.groupBy(Object.entries(kept), ([operationId]) => operationId.split('.')[0] ?? '')
  for (const file of readdirSync(examplesFolder)) {
    if (file !== 'errors.json' && !groups.has(file.replace('.json', ''))) rmSync(new URL(file, examplesFolder))
  }
  for (const [group, entries] of groups) write(group, entries)
  write('errors', Object.entries(errors))
}

function write(name: string, entries: [string, unknown][]): void {
  const sorted = Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(new URL(`${name}.json`, examplesFolder), `${JSON.stringify(sorted, null, 2)}\n`)
}

/** What was recorded before, unless something has changed but times and numbers, which differ from run to run. */
const asBefore = (before: Recorded | undefined, now: Recorded): Recorded =>
  before && steady(before) === steady(now) ? before : now

const steady = (recorded: Recorded): string =>
  JSON.stringify(recorded, (_, value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d{4}-\d\d-\d\d|^\d+$/.test(value)) ? 0 : value,
  )
