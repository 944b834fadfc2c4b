import { setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { ROOT } from './paths.ts'
import { describeSlowest, type FileDuration } from './slowest-files.ts'
import { type Batch, batchesOf } from './test-batches.ts'
import { takePlaces } from './test-places.ts'

/**
 * A test or batch that hangs fails, instead of stopping everything. A batch may take ten minutes where a machine is
 * slow, and fifteen beside other work: then all its files would fail.
 */
const LIMIT_MS = 1_800_000
/**
 * A test makes much garbage, and fewer collections save about 5 % of the processor time. One thread collects it: other
 * batches need the cores, and sharing the work costs about as much again.
 */
const HEAP_FLAGS = ['--max-semi-space-size=32', '--single-threaded-gc']
const secondRunsMax = 8 // failed files, one in seventy; more than these do not fail by chance
/** Batches that did not end. Where a machine stands still for a time, all that run come to their limit. */
const cutOffMax = 4
const BATCH_ENTRY = 'test/support/run-batch.ts'

type Options = {
  env: NodeJS.ProcessEnv
  /** Further flags of `node`, such as `--test-name-pattern=refund`. */
  flags: string[]
  signal: AbortSignal
}

/**
 * Runs the files in batches, some of them at a time, and prints the results. True if all passed. If a few files fail
 * beside others, or a few batches do not end, they are run once more, each file alone, and the second result counts
 * (docs/decisions/0091).
 */
export async function runTestFiles(files: string[], options: Options): Promise<boolean> {
  const startedAt = performance.now()
  // The runner sets properties of the abort reason, so it must be an object, and the session's is a number.
  const stopping = new AbortController()
  options.signal.addEventListener('abort', () => stopping.abort())
  setMaxListeners(0, stopping.signal) // every file listens to it
  const batches = chooseTests(options.flags) ? files.map((file): Batch => [file]) : batchesOf(files)
  const runIt = (batch: Batch) => runBatch(batch, { ...options, signal: stopping.signal })
  const report = beginReport()
  const results: Result[] = []
  const keep = (result: Result) => {
    report.add(result.events) // in one piece, else those of several batches would mix
    results.push(result)
  }
  const failed: Result[] = []
  await takePlaces(batches, stopping.signal, async (batch) => {
    const result = await runIt(batch)
    if (result.isPassed) keep(result)
    else failed.push(result)
  })
  const unsteady = files.length > 1 && isByChance(failed) && !stopping.signal.aborted ? failed : []
  if (unsteady.length === 0) failed.forEach(keep)
  else await reportFirstRun(unsteady)
  for (const result of unsteady) {
    const again = failedFiles(result)
    keep(withoutFiles(result, again))
    for (const file of again) keep(await runIt([file]))
  }

  report.add(totalOf(results, performance.now() - startedAt))
  await report.end()
  if (!chooseTests(options.flags)) process.stdout.write(describeSlowest(endedFiles(results)))
  if (unsteady.length > 0) process.stdout.write(`Failed beside others: ${unsteady.flatMap(failedFiles).join(', ')}\n`)
  return results.length >= batches.length && results.every(({ isPassed }) => isPassed)
}

/** Prints the results of test files in the form of the runner: passed ones at once, all failures at the end. */
function beginReport() {
  const report = new PassThrough({ objectMode: true })
  const printed = report.pipe(new spec())
  printed.pipe(process.stdout, { end: false })
  return {
    add: (events: TestEvent[]) => events.forEach((event) => report.write(event)),
    async end() {
      report.end()
      await finished(printed)
    },
  }
}

/** What failed before files are run again is printed whole: a pass alone does not say why. */
async function reportFirstRun(failed: Result[]): Promise<void> {
  process.stdout.write('These failed beside others, and are run again, each alone:\n')
  const report = beginReport()
  for (const { events } of failed) report.add(events)
  await report.end()
}

/** Whether so little has failed that it may be by chance. */
function isByChance(failed: Result[]): boolean {
  const { cutOff = [], whole = [] } = Object.groupBy(failed, (result) => (isCutOff(result) ? 'cutOff' : 'whole'))
  return cutOff.length <= cutOffMax && whole.flatMap(failedFiles).length <= secondRunsMax
}

/** Whether a batch did not come to the end of its files: its process has died, or has come to its limit. */
function isCutOff({ batch, events }: Result): boolean {
  const ended = endsIn(events)
  return !batch.every((file) => ended.has(file))
}

/** The files that have ended, and whether they have passed. */
const endsIn = (events: TestEvent[]): Map<string, boolean> =>
  new Map(events.flatMap((event) => fileEndedBy(event) ?? []).map(({ file, isPassed }) => [file, isPassed]))

/**
 * The files of a batch that have failed. All of them if one did not end, or an error was thrown outside of the tests:
 * then it is not known whose fault it is, and which of them have run.
 */
function failedFiles(result: Result): string[] {
  const { batch, events } = result
  const ended = endsIn(events)
  const failed = batch.filter((file) => !ended.get(file))
  const isKnown = !isCutOff(result) && !events.some(isStrayError)
  return isKnown && failed.length > 0 ? failed : [...batch]
}

/** Whether the runner says that an error was thrown outside of the tests. It does so in a line beside them. */
const isStrayError = ({ type, data }: TestEvent): boolean =>
  type === 'test:diagnostic' && data.nesting === 0 && data.message.startsWith('Error: ')

/** What a batch has reported of its files, one after another, but those that are run again. */
function withoutFiles({ batch, events }: Result, files: string[]): Result {
  const left: TestEvent[] = []
  let ofFile: TestEvent[] = []
  for (const event of events) {
    ofFile.push(event)
    const file = fileEndedBy(event)
    if (!file) continue
    if (batch.includes(file.file) && !files.includes(file.file)) left.push(...ofFile)
    ofFile = []
  }
  return { batch, events: left, isPassed: true }
}

/** Whether flags choose tests by their names. The file's suite never ends if none of its tests is chosen. */
const chooseTests = (flags: string[]): boolean => flags.some((flag) => flag.startsWith('--test-'))

type Result = { batch: Batch; events: TestEvent[]; isPassed: boolean }

/** Runs the files of a batch in one process. With chosen tests the batch is one file, which runs without a suite. */
async function runBatch(batch: Batch, { env, flags, signal }: Options): Promise<Result> {
  const isPlain = chooseTests(flags)
  const events: TestEvent[] = []
  let isPassed: boolean | undefined
  const reported: AsyncIterable<TestEvent> = run({
    files: isPlain ? [...batch] : [BATCH_ENTRY],
    cwd: ROOT,
    env: { ...env, TEST_BATCH: batch.join(' ') },
    execArgv: [...HEAP_FLAGS, ...flags],
    timeout: LIMIT_MS,
    signal,
  })
  for await (const event of reported) {
    if (event.type === 'test:summary') isPassed = event.data.success
    else if (isOfFile(event)) events.push(event)
  }
  if (isPassed === undefined) throw new Error(`the runner reported no result of ${batch.join(', ')}`)
  return { batch, events, isPassed }
}

const endedFiles = (results: Result[]): FileDuration[] =>
  results.flatMap(({ events }) => events.map(fileEndedBy)).filter((file) => file !== null)

/** The file whose suite ends with this event, with its time and whether it has passed. */
function fileEndedBy({ type, data }: TestEvent): (FileDuration & { isPassed: boolean }) | null {
  if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) return null
  return { file: data.name, tookMs: data.details.duration_ms, isPassed: type === 'test:pass' }
}

/** The other events are the totals of one file, which the totals of all files replace. */
const isOfFile = ({ data }: TestEvent) => data !== undefined && 'file' in data && data.file !== undefined

/** The totals of all files, in the form in which the runner reports those of one. */
function totalOf(results: Result[], tookMs: number): TestEvent[] {
  const { suite = [], ...tests } = Object.groupBy(
    results.flatMap(({ events }) => events.flatMap(endIn)),
    (end) => end,
  )
  const { pass = [], fail = [], skipped = [] } = tests
  const counts = {
    tests: pass.length + fail.length + skipped.length,
    suites: suite.length,
    pass: pass.length,
    fail: fail.length,
    skipped: skipped.length,
    seconds: Math.round(tookMs / 1_000),
  }
  return Object.entries(counts).map(([what, count]) => {
    return { type: 'test:diagnostic', data: { message: `${what} ${count}`, nesting: 0, level: 'info' } }
  })
}

/** How a test has ended, or that a suite has, if the event says so. */
function endIn({ type, data }: TestEvent): ('suite' | 'pass' | 'fail' | 'skipped')[] {
  if (type !== 'test:pass' && type !== 'test:fail') return []
  if (data.details.type === 'suite') return ['suite']
  if (data.skip !== undefined || data.todo !== undefined) return ['skipped']
  return [type === 'test:pass' ? 'pass' : 'fail']
}
