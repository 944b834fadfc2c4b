/**
 * What a test file does to the machine. A busy one computes. A waiting one mostly waits: for a browser, or for the
 * time-outs of what is away. A measuring one asserts how long something takes, or loads the machine with all it bears:
 * nothing runs beside it.
 */
type Load = 'busy' | 'waiting' | 'measuring'

const measuring = /\/(killed-api|overload|noisy-neighbour|webhook-storm)\.fault\.test\.ts$/
const waiting = /(\.fault|\.browser|\/slow-bodies|\/client-listen)\.test\.ts$/
const loadOf = (file: string): Load => (measuring.test(file) ? 'measuring' : waiting.test(file) ? 'waiting' : 'busy')

/** As many as keep two cores at work: even a busy one waits for a third of its time. */
const [placesMax, busyMax] = [4, 3]

/** Runs each file as soon as there is a place for it; none is begun after `signal`. */
export async function takePlaces(
  files: string[],
  signal: AbortSignal,
  runFile: (file: string) => Promise<void>,
): Promise<void> {
  const left = files.toSorted((one, other) => rankOf(one) - rankOf(other))
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

/** Busy files go on at any time, the long ones first, with a waiting one beside them; measuring ones come last. */
function rankOf(file: string): number {
  if (loadOf(file) === 'busy') return file.includes('.process.') ? 0 : 1
  return loadOf(file) === 'waiting' ? 2 : 3
}

function fits(file: string, running: string[]): boolean {
  const load = loadOf(file)
  if (load === 'measuring' || running.some((other) => loadOf(other) === 'measuring')) return running.length === 0
  const busy = running.filter((other) => loadOf(other) === 'busy').length
  return running.length < placesMax && (load === 'waiting' || busy < busyMax)
}
