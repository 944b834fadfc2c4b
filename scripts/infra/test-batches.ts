import { dirname } from 'node:path'
import { type Batch, loadOf } from './test-places.ts'

/** How many files a batch holds at most. Larger batches of files that take long would leave places empty at the end. */
const mostOf = { process: 4, waiting: 3, measuring: 1, other: 8 }

/**
 * Puts files of the same folder together, as most of the time of a short file goes into loading the service and
 * compiling it.
 */
export function batchesOf(files: string[]): Batch[] {
  const kinds = Map.groupBy(files, (file) => `${dirname(file)} ${kindOf(file)}`)
  return [...kinds.values()].flatMap((alike) => chunksOf(alike, mostOf[kindOf(alike[0] ?? '')]))
}

function kindOf(file: string): keyof typeof mostOf {
  const load = loadOf(file)
  if (load !== 'busy') return load
  return file.includes('.process.') ? 'process' : 'other'
}

/** Chunks of nearly equal size, none of them longer than `max`. */
function chunksOf(files: string[], max: number): Batch[] {
  const count = Math.ceil(files.length / max)
  const chunks = Map.groupBy(files.entries(), ([index]) => index % count)
  return [...chunks.values()].map((entries) => entries.map(([, file]) => file) as unknown as Batch)
}
