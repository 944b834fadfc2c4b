/** Test files that run in one process, one after another. */
export type Batch = readonly [first: string, ...rest: string[]]

/**
 * What a test file mostly does. One of a process computes for long, beside an engine of its own. A waiting one waits:
 * for a browser, or for the time-outs of something unavailable. A measuring one uses the whole machine, or asserts how
 * long something takes: nothing runs beside it. All others compute.
 */
export type Kind = 'process' | 'waiting' | 'measuring' | 'other'

const kinds: [Kind, RegExp][] = [
  ['measuring', /\/(overload|noisy-neighbour)\.fault\./],
  ['waiting', /(\.fault|\.browser|\/slow-bodies|\/client-listen)\./],
  ['process', /\.process\./],
]
const kindOfFile = (file: string): Kind => kinds.find(([, pattern]) => pattern.test(file))?.[0] ?? 'other'

/** All files of a batch are of the same kind. */
export const kindOf = ([first]: Batch): Kind => kindOfFile(first)

/** How many files a batch holds at most. Larger batches of files that take long would leave places empty at the end. */
const mostOf: Record<Kind, number> = { process: 4, waiting: 3, measuring: 1, other: 8 }

/**
 * Puts files of the same kind together, as most of the time of a short file goes into loading the service and compiling
 * it.
 */
export function batchesOf(files: string[]): Batch[] {
  return [...Map.groupBy(files, kindOfFile)].flatMap(([kind, alike]) => chunksOf(alike, mostOf[kind]))
}

/** Chunks of nearly equal size, none of them longer than `max`. */
function chunksOf(files: string[], max: number): Batch[] {
  const count = Math.ceil(files.length / max)
  const chunks = Map.groupBy(files.entries(), ([index]) => index % count)
  return [...chunks.values()].map((entries) => entries.map(([, file]) => file) as unknown as Batch)
}
