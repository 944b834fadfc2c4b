import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { ROOT } from './paths.ts'

const shown = 15

/** Prints which test files took the longest, with their seconds: what `npm test` waits for. */
async function* slowestFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { file: string; seconds: number }[] = []
  for await (const { type, data } of source) {
    if (type !== 'test:summary' || data.file === undefined) continue
    files.push({ file: relative(ROOT, data.file), seconds: data.duration_ms / 1_000 })
  }
  if (files.length <= shown) return
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, shown)
  yield `The slowest of ${files.length} files:\n`
  for (const { file, seconds } of slowest) yield `${seconds.toFixed(1).padStart(7)} s  ${file}\n`
}

export default slowestFiles // as `node --test-reporter` takes it
