import { type Batch, kindOf } from './test-batches.ts'

/**
 * One more computing batch than cores, because each waits for a part of its time. With another one the same tests take
 * more processor time and longer, as everything that waits asks meanwhile. Waiting ones have few places because of the
 * memory of their processes.
 */
const placesMax = 4
const placesOf = { computing: 3, waiting: 2, measuring: 1 }

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

/** Long batches first, and the kinds mixed by their numbers, so that they end together. Measuring files come last. */
function inTurns(batches: Batch[]): Batch[] {
  const longFirst = batches.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)))
  const turns = [...Map.groupBy(longFirst, loadOf)].flatMap(([load, alike]) =>
    alike.map((batch, n) => ({ batch, turn: load === 'measuring' ? 1 : n / alike.length })),
  )
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ batch }) => batch)
}

/** Begun late, these would be the last to run, with empty places beside them. */
const long = /\/(field-values|api-fuzz|matrix)\./
const isLong = (batch: Batch): boolean => kindOf(batch) === 'process' || batch.some((file) => long.test(file))

function fits(batch: Batch, running: Batch[]): boolean {
  const load = loadOf(batch)
  if (load === 'measuring' || running.some((other) => loadOf(other) === 'measuring')) return running.length === 0
  const alike = running.filter((other) => loadOf(other) === load).length
  return running.length < placesMax && alike < placesOf[load]
}

/** Whether a batch computes, waits or measures. */
type Load = keyof typeof placesOf

function loadOf(batch: Batch): Load {
  const kind = kindOf(batch)
  return kind === 'process' || kind === 'other' ? 'computing' : kind
}
