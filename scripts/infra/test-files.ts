import { setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { ROOT } from './paths.ts'
import { describeSlowest } from './slowest-files.ts'
import { takePlaces } from './test-places.ts'

const LIMIT_MS = 600_000 // a test or file that hangs fails, instead of holding up everything

type Options = {
  env: NodeJS.ProcessEnv
  /** What `node` is told besides, such as `--test-name-pattern=refund`. */
  flags: string[]
  signal: AbortSignal
}
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data']

/** Runs each file in a process of its own, some at a time, and prints what came of them; true when all passed. */
export async function runTestFiles(files: string[], options: Options): Promise<boolean> {
  const startedAt = performance.now()
  const report = new PassThrough({ objectMode: true })
  const printed = report.pipe(new spec())
  printed.pipe(process.stdout, { end: false })
  // The runner writes on the reason why it is stopped, so it must be an object, and the session's is a number.
  const stopping = new AbortController()
  options.signal.addEventListener('abort', () => stopping.abort())
  setMaxListeners(0, stopping.signal) // every file listens to it
  const summaries: Summary[] = []
  await takePlaces(files, stopping.signal, async (file) => {
    const { events, summary } = await runFile(file, { ...options, signal: stopping.signal })
    for (const event of events) report.write(event) // together, as files that run at a time would mix theirs
    summaries.push(summary)
  })
  for (const event of totalOf(summaries, performance.now() - startedAt)) report.write(event)
  report.end()
  await finished(printed)
  process.stdout.write(describeSlowest(summaries))
  return summaries.length === files.length && summaries.every(({ success }) => success)
}

/** What a file tells of its tests, and the counts of all of them. */
async function runFile(file: string, { env, flags, signal }: Options) {
  const events: TestEvent[] = []
  let summary: Summary | undefined
  const told: AsyncIterable<TestEvent> = run({
    files: [file],
    cwd: ROOT,
    env,
    execArgv: flags,
    timeout: LIMIT_MS,
    signal,
  })
  for await (const event of told) {
    if (event.type === 'test:summary') summary = { ...event.data, file }
    else if (isOfFile(event)) events.push(event)
  }
  if (!summary) throw new Error(`nothing was told of ${file}`)
  return { events, summary }
}

/** The rest is the sum of one file, which the sum of all replaces. */
const isOfFile = ({ data }: TestEvent) => data !== undefined && 'file' in data && data.file !== undefined

/** The counts of all files, as the runner tells those of one. */
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
