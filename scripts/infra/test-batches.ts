import { dirname } from 'node:path'
import { type Batch, loadOf } from './test-places.ts'

/** Process tests take a minute or so each: larger batches of them would leave places empty at the end. */
const [processTestsMax, othersMax] = [3, 8]

/**
 * Puts files of the same folder together, as most of the time of a short file goes into loading the service and
 * compiling it. Files that wait, or that need the whole machine, stay alone: most of their work is in other processes.
 */
export function batchesOf(files: string[]): Batch[] {
  const kinds = Map.groupBy(files, (file) => `${dirname(file)} ${loadOf(file)} ${file.includes('.process.')}`)
  return [...kinds.values()].flatMap((alike) => chunksOf(alike, maxOf(alike[0] ?? '')))
}

function maxOf(file: string): number {
  if (loadOf(file) !== 'busy') return 1
  return file.includes('.process.') ? processTestsMax : othersMax
}

/** Chunks of nearly equal size, none of them longer than `max`. */
function chunksOf(files: string[], max: number): Batch[] {
  const count = Math.ceil(files.length / max)
  const chunks = Map.groupBy(files.entries(), ([index]) => index % count)
  return [...chunks.values()].map((entries) => entries.map(([, file]) => file) as unknown as Batch)
}
