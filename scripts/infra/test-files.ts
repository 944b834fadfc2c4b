import { setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { ROOT } from './paths.ts'
import { describeSlowest } from './slowest-files.ts'
import { takePlaces } from './test-places.ts'

const LIMIT_MS = 600_000 // a test or file that hangs fails, instead of stopping everything

type Options = {
  env: NodeJS.ProcessEnv
  /** Further flags of `node`, such as `--test-name-pattern=refund`. */
  flags: string[]
  signal: AbortSignal
}
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data']

/** Runs each file in its own process, some at a time, and prints the results. True if all passed. */
export async function runTestFiles(files: string[], options: Options): Promise<boolean> {
  const startedAt = performance.now()
  const report = new PassThrough({ objectMode: true })
  const printed = report.pipe(new spec())
  printed.pipe(process.stdout, { end: false })
  // The runner sets properties of the abort reason, so it must be an object, and the session's is a number.
  const stopping = new AbortController()
  options.signal.addEventListener('abort', () => stopping.abort())
  setMaxListeners(0, stopping.signal) // every file listens to it
  const summaries: Summary[] = []
  await takePlaces(files, stopping.signal, async (file) => {
    const { events, summary } = await runFile(file, { ...options, signal: stopping.signal })
    for (const event of events) report.write(event) // in one piece, else the events of several files would mix
    summaries.push(summary)
  })
  for (const event of totalOf(summaries, performance.now() - startedAt)) report.write(event)
  report.end()
  await finished(printed)
  process.stdout.write(describeSlowest(summaries))
  return summaries.length === files.length && summaries.every(({ success }) => success)
}

/** Runs a file. Returns the events of its tests, and their counts. */
async function runFile(file: string, { env, flags, signal }: Options) {
  const events: TestEvent[] = []
  let summary: Summary | undefined
  const reported: AsyncIterable<TestEvent> = run({
    files: [file],
    cwd: ROOT,
    env,
    execArgv: flags,
    timeout: LIMIT_MS,
    signal,
  })
  for await (const event of reported) {
    if (event.type === 'test:summary') summary = { ...event.data, file }
    else if (isOfFile(event)) events.push(event)
  }
  if (!summary) throw new Error(`the runner reported no result of ${file}`)
  return { events, summary }
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
