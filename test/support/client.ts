import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { until } from './until.ts'

const root = join(import.meta.dirname, '../..')
/** What somebody has stored on this machine is not for the tests. */
const noLogin = { XDG_CONFIG_HOME: join(root, 'test/support/no-such-folder') }
export const testKey = 'sk_sandbox_a-key-of-the-tests'

/** Runs the command line client as a process, against the service at `baseUrl`. */
export function startClient(baseUrl: string, args: string[], env: NodeJS.ProcessEnv = {}, input?: string) {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = process.env
  const child = spawn(process.execPath, [join(root, 'client/main.ts'), ...args], {
    env: { ...inherited, ...noLogin, STEADYPAY_BASE_URL: baseUrl, STEADYPAY_API_KEY: testKey, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  assert.ok(child.stdout && child.stderr)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const stderr = text(child.stderr)
  const exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    printed: () => printed,
    /** What `--json` has printed so far, one object a line. */
    lines: () =>
      printed
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    says: (what: string) => until(() => printed.includes(what), `${what} is printed; so far: ${printed}`),
    async end(signal?: NodeJS.Signals) {
      if (signal) child.kill(signal)
      const [code] = await exited
      return { code, stdout: printed, stderr: await stderr }
    },
  }
}

/** Runs a command to its end. */
export const runClient = (baseUrl: string, args: string[], env?: NodeJS.ProcessEnv, input?: string) =>
  startClient(baseUrl, args, env, input).end()

type FakeEvent = {
  id: string
  type: string
  created_at: string
  data: Record<string, unknown>
  resource_id: string
  sequence: number
}
type Call = {
  method: string
  path: string
  query: URLSearchParams
  body: string
  headers: NodeJS.Dict<string | string[]>
}
type Answer = { status: number; headers?: Record<string, string>; body?: unknown }

/** A server that lists and streams events as the API does, and answers everything else as `other` says. */
export async function startFakeApi(other: (call: Call) => Answer | undefined = () => undefined) {
  const events: FakeEvent[] = []
  const calls: (Call & { at: number })[] = []
  const errors: Answer[] = []

  function answer(call: Call): Answer {
    const given = errors.shift() ?? other(call)
    if (given) return given
    if (call.path !== '/v1/webhooks/events')
      return { status: 404, body: { detail: 'no such path', error_code: 'NOT_FOUND' } }
    const newest = events.toSorted((one, two) => (one.created_at + one.id < two.created_at + two.id ? 1 : -1))
    const cursor = call.query.get('cursor')
    const from = cursor ? newest.findIndex(({ id }) => id === cursor) + 1 : 0
    const items = newest.slice(from, from + Number(call.query.get('limit')))
    const hasMore = from + items.length < newest.length
    return { status: 200, body: { items, pagination: { next_cursor: hasMore ? items.at(-1)?.id : null } } }
  }

  const streams = new Set<ServerResponse>()
  function stream({ headers, query }: Call, response: ServerResponse): void {
    let at = Number(headers['last-event-id'] ?? Math.max(0, ...events.map(({ sequence }) => sequence)))
    const types = query.get('types')?.split(',')
    const send = () => {
      const next = events.filter(({ sequence }) => sequence > at).toSorted((one, two) => one.sequence - two.sequence)
      for (const event of next) {
        at = event.sequence
        if (types && !types.includes(event.type)) continue
        response.write(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      }
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`retry: 1000\nid: ${at}\n\n`)
    const timer = setInterval(send, 10)
    streams.add(response)
    response.on('close', () => {
      clearInterval(timer)
      streams.delete(response)
    })
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const { method = '', headers } = request
    const call = { method, path: url.pathname, query: url.searchParams, body: await text(request), headers }
    calls.push({ ...call, at: performance.now() })
    if (call.path === '/v1/events/stream' && errors.length === 0) return stream(call, response)
    const { status, headers: more = {}, body } = answer(call)
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    calls,
    errors,
    add(...sequences: number[]): void {
      for (const sequence of sequences) events.push(fakeEvent(sequence))
    },
    /** Cuts the streams that are open. */
    cut(): void {
      for (const response of streams) response.destroy()
    },
    /** Ends the streams that are open, as the service does after their time. */
    endStreams(): void {
      for (const response of streams) response.end(': come back\n\n')
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A fake event; a higher sequence is a later one, a second apart. */
export const fakeEvent = (sequence: number, type = 'collection.succeeded'): FakeEvent => ({
  id: `evt_${String(sequence).padStart(6, '0')}`,
  type,
  created_at: new Date(Date.UTC(2026, 0, 1) + sequence * 1000).toISOString(),
  data: { payment_id: `pay_${sequence}`, metadata: { name: 'Adé' } },
  resource_id: `pay_${sequence}`,
  sequence,
})
