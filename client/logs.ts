import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { type Api, leastWaitMs } from './api.ts'
import { followLogs, type LogFilters, type LoggedCall, type LogPage, readLogs } from './log-feed.ts'
import { type Output, paint, plain, shortTime, type Style } from './output.ts'
import { readLimit } from './read-limit.ts'
import { type Column, tableOf } from './table.ts'

/** Fifteen calls a minute, of the hundred that a key may make. */
const everyMs = 4_000
const backOffMaxMs = 60_000
const shownFirst = 10

type Tools = () => readonly [Api, Output]

/** Adds `logs list` and `logs tail`. `untilStopped` aborts when the user ends the command. */
export function addLogs(program: Command, tools: Tools, untilStopped: () => AbortSignal): void {
  const logs = program.command('logs').description('list and follow the calls that reach the API')
  const filtered = (name: string, description: string) =>
    logs
      .command(name)
      .description(description)
      .option('--status <status>', 'only this status or class, such as 404 or 4xx', readStatus)
      .option('--path <path>', 'only paths that begin with this, such as /v1/payments', readPath)
  filtered('list', 'list the newest calls')
    .option('--limit <number>', 'maximum number of calls', readLimit(100), 20)
    .action((options: LogFilters & { limit: number }) => listLogs(...tools(), options))
  filtered('tail', 'show calls as they happen').action((options: LogFilters) =>
    tailLogs(...tools(), options, untilStopped()),
  )
}

function readStatus(text: string): string {
  if (/^[2-5](xx|\d\d)$/.test(text)) return text
  throw new InvalidArgumentError('Enter a status such as 404, or a class such as 4xx.')
}

function readPath(text: string): string {
  if (text.startsWith('/') && text.length <= 255) return text
  throw new InvalidArgumentError('Enter a path that begins with /, such as /v1/payments.')
}

const styleOf = ({ status }: LoggedCall): Style => (status < 400 ? 'green' : status < 500 ? 'yellow' : 'red')

const whoCalled = ({ api_key: key, user_id: userId }: LoggedCall): string | null =>
  key ? `…${key.last_four ?? '?'}` : userId

const columns: readonly Column<LoggedCall>[] = [
  { heading: 'time (UTC)', textOf: ({ created_at }) => shortTime(created_at) },
  { heading: 'status', textOf: ({ status }) => String(status), styleOf },
  { heading: 'method', textOf: ({ method }) => method },
  { heading: 'path', textOf: ({ path }) => path },
  { heading: 'error', textOf: ({ error_code }) => error_code },
  { heading: 'ms', textOf: ({ duration_ms }) => String(duration_ms) },
  { heading: 'by', textOf: whoCalled },
  { heading: 'request id', textOf: ({ request_id }) => request_id },
]

async function listLogs(api: Api, output: Output, filters: LogFilters & { limit: number }): Promise<void> {
  output.show<LogPage>(await readLogs(api, filters), ({ items, pagination }) => {
    if (items.length === 0) return ['No calls.']
    const more = pagination.has_more ? [`These are the newest ${items.length}. There are more.`] : []
    return [...tableOf(items, columns), ...more]
  })
}

/** Prints the newest calls, then each new one, until the signal aborts. */
async function tailLogs(api: Api, output: Output, filters: LogFilters, signal: AbortSignal): Promise<void> {
  const feed = followLogs(api, filters)
  const print = (calls: LoggedCall[]) => {
    for (const each of calls) {
      output.emit(each)
      output.say(lineOf(each))
    }
  }
  try {
    print(await feed.start(shownFirst, signal))
    output.say(paint('dim', 'Waiting for calls. Ctrl-C ends it.'))
    for (let failures = 0; ;) {
      await sleep(everyMs, undefined, { signal })
      try {
        print(await feed.next(signal))
        failures = 0
      } catch (error) {
        const leastMs = leastWaitMs(error)
        if (signal.aborted || leastMs === null) throw error
        if (failures++ === 0) output.say(paint('yellow', `${(error as Error).message} Still following.`))
        const pauseMs = Math.min(everyMs * 2 ** failures, backOffMaxMs)
        await sleep(leastMs || pauseMs, undefined, { signal })
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function lineOf(call: LoggedCall): string {
  const parts = [
    paint('dim', shortTime(call.created_at)),
    paint(styleOf(call), String(call.status)),
    plain(`${call.method} ${call.path}`),
    ...(call.error_code === null ? [] : [plain([call.error_code, ...call.error_fields].join(' '))]),
    `${call.duration_ms} ms`,
    plain(call.request_id),
  ]
  return parts.join('  ')
}
