/**
 * How a test file loads the machine. A busy one computes. A waiting one mostly waits: for a browser, or for the
 * time-outs of something unavailable. A measuring one uses the whole machine, or asserts how long something takes:
 * nothing runs beside it.
 */
type Load = 'busy' | 'waiting' | 'measuring'

const measuring = /\/((overload|noisy-neighbour|webhook-storm)\.fault|long-process\.process)\.test\.ts$/
const waiting = /(\.fault|\.browser|\/slow-bodies|\/client-listen)\.test\.ts$/
const loadOf = (file: string): Load => (measuring.test(file) ? 'measuring' : waiting.test(file) ? 'waiting' : 'busy')

/**
 * One core for each busy file: with more of them on two cores, calls of a file that has just begun exceed the time
 * limits of the service, and its tests fail. Waiting files have few places because of the memory of their processes.
 */
const placesMax = 3
const placesOf: Record<Load, number> = { busy: 2, waiting: 2, measuring: 1 }

/** Runs each file as soon as there is a place for it. Starts none after `signal` has aborted. */
export async function takePlaces(
  files: string[],
  signal: AbortSignal,
  runFile: (file: string) => Promise<void>,
): Promise<void> {
  const left = inTurns(files)
  const running = new Map<string, Promise<void>>()
  const begin = (file: string) => runFile(file).finally(() => running.delete(file))
  while (left.length > 0 && !signal.aborted) {
    const next = left.findIndex((file) => fits(file, [...running.keys()]))
    const [file] = next === -1 ? [] : left.splice(next, 1)
    if (file === undefined) await Promise.race(running.values())
    else running.set(file, begin(file))
  }
  await Promise.all(running.values())
}

/** Long files first, and the loads mixed by their numbers, so that they end together. Measuring files come last. */
function inTurns(files: string[]): string[] {
  const longFirst = files.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)))
  const turns = [...Map.groupBy(longFirst, loadOf)].flatMap(([load, alike]) =>
    alike.map((file, n) => ({ file, turn: load === 'measuring' ? 1 : n / alike.length })),
  )
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ file }) => file)
}

const isLong = (file: string): boolean => file.includes('.process.')

function fits(file: string, running: string[]): boolean {
  const load = loadOf(file)
  if (load === 'measuring' || running.some((other) => loadOf(other) === 'measuring')) return running.length === 0
  const alike = running.filter((other) => loadOf(other) === load).length
  return running.length < placesMax && alike < placesOf[load]
}
