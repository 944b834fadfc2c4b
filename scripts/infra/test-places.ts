/** Test files that run in one process, one after another. */
export type Batch = readonly [first: string, ...rest: string[]]

/**
 * How a test file loads the machine. A busy one computes. A waiting one mostly waits: for a browser, or for the
 * time-outs of something unavailable. A measuring one uses the whole machine, or asserts how long something takes:
 * nothing runs beside it.
 */
type Load = 'busy' | 'waiting' | 'measuring'

const measuring = /\/(overload|noisy-neighbour)\.fault\.test\.ts$/
const waiting = /(\.fault|\.browser|\/slow-bodies|\/client-listen)\.test\.ts$/
export const loadOf = (file: string): Load =>
  measuring.test(file) ? 'measuring' : waiting.test(file) ? 'waiting' : 'busy'

/**
 * One more busy batch than cores, because each waits for a part of its time. With another one the same tests take more
 * processor time and longer, as everything that waits asks meanwhile. Waiting files have few places because of the
 * memory of their processes.
 */
const placesMax = 4
const placesOf: Record<Load, number> = { busy: 3, waiting: 2, measuring: 1 }

/** Runs each batch as soon as there is a place for it. Starts none after `signal` has aborted. */
export async function takePlaces(
  batches: Batch[],
  signal: AbortSignal,
  runBatch: (batch: Batch) => Promise<void>,
): Promise<void> {
  const left = inTurns(batches)
  const running = new Map<Batch, Promise<void>>()
  const begin = (batch: Batch) => runBatch(batch).finally(() => running.delete(batch))
  while (left.length > 0 && !signal.aborted) {
    const next = left.findIndex((batch) => fits(batch, [...running.keys()]))
    const [batch] = next === -1 ? [] : left.splice(next, 1)
    if (batch === undefined) await Promise.race(running.values())
    else running.set(batch, begin(batch))
  }
  await Promise.all(running.values())
}

const loadOfBatch = ([first]: Batch): Load => loadOf(first) // all its files are of the same kind

/** Long batches first, and the loads mixed by their numbers, so that they end together. Measuring files come last. */
function inTurns(batches: Batch[]): Batch[] {
  const longFirst = batches.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)))
  const turns = [...Map.groupBy(longFirst, loadOfBatch)].flatMap(([load, alike]) =>
    alike.map((batch, n) => ({ batch, turn: load === 'measuring' ? 1 : n / alike.length })),
  )
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ batch }) => batch)
}

/** Begun late, these would be the last to run, with empty places beside them. */
const long = /\.process\.|\/(field-values|api-fuzz|matrix)\./
const isLong = (batch: Batch): boolean => batch.some((file) => long.test(file))

function fits(batch: Batch, running: Batch[]): boolean {
  const load = loadOfBatch(batch)
  if (load === 'measuring' || running.some((other) => loadOfBatch(other) === 'measuring')) return running.length === 0
  const alike = running.filter((other) => loadOfBatch(other) === load).length
  return running.length < placesMax && alike < placesOf[load]
}
