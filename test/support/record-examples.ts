import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { examplesFolder, type Recorded } from '../../api/http/examples.ts'
import { isSameButForChance } from './normalize-example.ts'

type ByOperation = Record<string, Recorded>
type Refusals = Record<string, Record<string, unknown>>

/**
 * Writes the examples to their files, one for each first word of the operations' ids. An example that differs from the
 * one in its file only by chance is left as it is there, so that a file changes only where an answer has.
 */
export function recordExamples(recorded: ByOperation, errors: Refusals, folder = examplesFolder): void {
  const groups = Map.groupBy(Object.entries(recorded), ([operationId]) => operationId.split('.')[0] ?? '')
  for (const file of readdirSync(folder)) {
    if (file !== 'errors.json' && !groups.has(file.replace('.json', ''))) rmSync(new URL(file, folder))
  }
  for (const [group, entries] of groups) {
    const before = read<ByOperation>(folder, group)
    write(
      folder,
      group,
      entries.map(([operationId, now]) => [operationId, asBefore(before[operationId], now)]),
    )
  }
  write(folder, 'errors', Object.entries(keptRefusals(read<Refusals>(folder, 'errors'), errors)))
}

function read<T extends object>(folder: URL, name: string): Partial<T> {
  if (!readdirSync(folder).includes(`${name}.json`)) return {}
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as T
}

function write(folder: URL, name: string, entries: [string, unknown][]): void {
  const sorted = Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(sorted, null, 2)}\n`)
}

/** What was recorded before of each call and refusal, unless more has changed than what differs by chance. */
function asBefore(before: Recorded | undefined, now: Recorded): Recorded {
  if (!before) return now
  const calls = now.calls.map((call) => {
    const old = before.calls.find(({ name }) => name === call.name)
    return old && isSameButForChance(old, call) ? old : call
  })
  return { calls, refusals: keptRefusals(before.refusals, now.refusals) }
}

const keptRefusals = (before: Partial<Refusals>, now: Refusals): Refusals =>
  Object.fromEntries(
    Object.entries(now).map(([code, body]) => {
      const old = before[code]
      return [code, old && isSameButForChance(old, body) ? old : body]
    }),
  )
