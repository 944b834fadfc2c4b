import { setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { ROOT } from './paths.ts'
import { describeSlowest, type FileDuration } from './slowest-files.ts'
import { type Batch, batchesOf } from './test-batches.ts'
import { takePlaces } from './test-places.ts'

const LIMIT_MS = 900_000 // a test or batch that hangs fails, instead of stopping everything
const YOUNG_GENERATION = '--max-semi-space-size=32' // a test makes much garbage; fewer collections save about 5 %
const BATCH_ENTRY = 'test/support/run-batch.ts'

type Options = {
  env: NodeJS.ProcessEnv
  /** Further flags of `node`, such as `--test-name-pattern=refund`. */
  flags: string[]
  signal: AbortSignal
}
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data']

/** Runs the files in batches, some of them at a time, and prints the results. True if all passed. */
export async function runTestFiles(files: string[], options: Options): Promise<boolean> {
  const startedAt = performance.now()
  const report = new PassThrough({ objectMode: true })
  const printed = report.pipe(new spec())
  printed.pipe(process.stdout, { end: false })
  // The runner sets properties of the abort reason, so it must be an object, and the session's is a number.
  const stopping = new AbortController()
  options.signal.addEventListener('abort', () => stopping.abort())
  setMaxListeners(0, stopping.signal) // every file listens to it
  const batches = chooseTests(options.flags) ? files.map((file): Batch => [file]) : batchesOf(files)
  const results: Result[] = []
  await takePlaces(batches, stopping.signal, async (batch) => {
    const result = await runBatch(batch, { ...options, signal: stopping.signal })
    for (const event of result.events) report.write(event) // in one piece, else those of several batches would mix
    results.push(result)
  })
  const summaries = results.map(({ summary }) => summary)
  for (const event of totalOf(summaries, performance.now() - startedAt)) report.write(event)
  report.end()
  await finished(printed)
  process.stdout.write(describeSlowest(results.flatMap(({ durations }) => durations)))
  return summaries.length === batches.length && summaries.every(({ success }) => success)
}

/** Whether flags choose tests by their names. The file's suite never ends if none of its tests is chosen. */
const chooseTests = (flags: string[]): boolean => flags.some((flag) => flag.startsWith('--test-'))

type Result = { events: TestEvent[]; summary: Summary; durations: FileDuration[] }

/** Runs the files of a batch in one process. With chosen tests the batch is one file, which runs without a suite. */
async function runBatch(batch: Batch, { env, flags, signal }: Options): Promise<Result> {
  const isPlain = chooseTests(flags)
  const events: TestEvent[] = []
  let summary: Summary | undefined
  const reported: AsyncIterable<TestEvent> = run({
    files: isPlain ? [...batch] : [BATCH_ENTRY],
    cwd: ROOT,
    env: { ...env, TEST_BATCH: batch.join(' ') },
    execArgv: [YOUNG_GENERATION, ...flags],
    timeout: LIMIT_MS,
    signal,
  })
  for await (const event of reported) {
    if (event.type === 'test:summary') summary = event.data
    else if (isOfFile(event)) events.push(event)
  }
  if (!summary) throw new Error(`the runner reported no result of ${batch.join(', ')}`)
  return { events, summary, durations: isPlain ? [] : events.flatMap(durationIn) }
}

/** How long a file took, if the event is the end of its suite. */
function durationIn({ type, data }: TestEvent): FileDuration[] {
  if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) return []
  return [{ file: data.name, tookMs: data.details.duration_ms }]
}

/** The other events are the totals of one file, which the totals of all files replace. */
const isOfFile = ({ data }: TestEvent) => data !== undefined && 'file' in data && data.file !== undefined

/** The totals of all files, in the form in which the runner reports those of one. */
function totalOf(summaries: Summary[], tookMs: number): TestEvent[] {
  const sum = (what: keyof Summary['counts']) => summaries.reduce((all, { counts }) => all + counts[what], 0)
  const [tests, pass, cancelled, skipped, todo] = (['tests', 'passed', 'cancelled', 'skipped', 'todo'] as const).map(
    sum,
  )
  const fail = Number(tests) - Number(pass) - Number(cancelled) - Number(skipped) - Number(todo)
  const counts = {
    tests,
    suites: sum('suites'),
    pass,
    fail,
    cancelled,
    skipped,
    todo,
    seconds: Math.round(tookMs / 1_000),
  }
  return Object.entries(counts).map(([what, count]) => {
    return { type: 'test:diagnostic', data: { message: `${what} ${count}`, nesting: 0, level: 'info' } }
  })
}
