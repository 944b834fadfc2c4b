import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { exactNumber } from '../../../domain/exact-json.ts'

export type Body = Record<string, unknown>
export type Call = { method: string; path: string; query: URLSearchParams; body: Body; bytes: Buffer }
export type Answer = { status: number; body: unknown }
/** What answers a call, by its method and the pattern of its path; `parts` are the groups of the pattern. */
export type Route = {
  method: string
  path: RegExp
  answer: (call: Call, parts: string[]) => Answer
  /** Belongs to the storage, which must not be given the key. */
  isStorage?: boolean
}

/**
 * What goes wrong with a call. `lost`: carried out, and the connection cut before the answer. `cut`: cut before
 * anything. `hang`: carried out, and never answered. `broken`: carried out, and answered with 500. A number: that
 * status, and nothing carried out. `nonsense`, `strange` and `huge`: carried out, and answered with no JSON, with JSON
 * of another shape, or with 2 MB. `late`: carried out only after `lateMs`. `held`: carried out at once, and answered
 * when `letGo` is called. `drip`: carried out, and answered a byte at a time.
 */
export type Fault =
  | 'lost'
  | 'cut'
  | 'hang'
  | 'broken'
  | 'nonsense'
  | 'strange'
  | 'huge'
  | 'late'
  | 'held'
  | 'drip'
  | number

type Planned = { on: string; fault: Fault; left: number; about: string | null }

/** JSON in which a bigint is a number with all its digits. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? exactNumber(String(each)) : each))

export const done = (data: unknown, message = 'done'): Answer => ({
  status: 200,
  body: { status: true, message, data },
})

/** An error as Paystack's page "Errors" describes it. */
export const failed = (status: number, message: string, code: string, type = 'validation_error'): Answer => ({
  status,
  body: { status: false, message, meta: { nextStep: 'See the documents' }, type, code },
})

/** Serves routes as Paystack's API, checks the key, and lets calls fail on demand. */
export async function serve(routes: Route[], secretKey: string) {
  const planned: Planned[] = []
  const calls: Call[] = []
  const held: (() => void)[] = []
  /** While it is away every call is cut off before anything is carried out. */
  const state = { lateMs: 100, isAway: false }

  function answerTo(request: IncomingMessage, call: Call): Answer {
    for (const { method, path, answer, isStorage } of routes) {
      const [match, ...parts] = path.exec(call.path) ?? []
      if (method !== call.method || match === undefined) continue
      const expected = isStorage ? undefined : `Bearer ${secretKey}`
      if (request.headers.authorization !== expected) break
      return answer(call, parts)
    }
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return failed(401, 'Invalid key', 'invalid_Key', 'api_error')
    return failed(404, 'Route not found', 'route_not_found', 'api_error')
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request)
    calls.push(call)
    if (state.isAway) return void response.destroy()
    const plan = planned.find((one) => isMeant(one, call))
    if (plan) plan.left -= 1
    const fault = plan?.fault
    if (fault === 'cut') return void response.destroy()
    if (typeof fault === 'number') return write(response, failed(fault, 'Not now', 'unknown', 'api_error'))
    if (fault === 'late') await sleep(state.lateMs)
    const answer = answerTo(request, call)
    if (fault === 'held') await new Promise<void>((resolve) => held.push(resolve))
    if (fault === 'lost') return void response.destroy()
    if (fault === 'hang') return
    if (fault === 'broken') return write(response, failed(500, 'An error occurred', 'unknown', 'api_error'))
    if (fault === 'nonsense') return void response.end('<html>Bad gateway</html>')
    if (fault === 'strange') return write(response, done({ id: 'x', status: 7, reference: null }))
    if (fault === 'huge') return void response.end(`{"status":true,"data":"${'x'.repeat(2 * 1024 * 1024)}"}`)
    if (fault === 'drip') return void (await drip(response))
    write(response, answer)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    state,
    /** Lets the next calls whose method and path begin so fail. */
    fails: (on: string, fault: Fault, times = 1) => void planned.push({ on, fault, left: times, about: null }),
    /** Lets the next such call about this reference fail. */
    failsAbout: (reference: string, on: string, fault: Fault) =>
      void planned.push({ on, fault, left: 1, about: reference }),
    /** How many calls there were whose method and path begin so. */
    countOf: (on: string) => calls.filter(({ method, path }) => `${method} ${path}`.startsWith(on)).length,
    /** Answers the calls that are held. */
    letGo: () => held.splice(0).forEach((answer) => answer()),
    worksAgain: () => void planned.splice(0),
    setAway: (isAway: boolean) => void (state.isAway = isAway),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const isMeant = ({ on, left, about }: Planned, { method, path, body }: Call): boolean =>
  left > 0 && `${method} ${path}`.startsWith(on) && (about === null || body['reference'] === about)

/** Answers with a space every 20 ms, until the caller has gone. */
async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    response.write(' ')
    await sleep(20)
  }
}

function write(response: ServerResponse, { status, body }: Answer): void {
  const limit = status === 429 && { 'x-ratelimit-reset': '7' }
  response.writeHead(status, { 'content-type': 'application/json', ...limit })
  response.end(toJson(body))
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://paystack')
  const isJson = request.headers['content-type'] === 'application/json'
  const body = isJson ? (JSON.parse(bytes.toString()) as Body) : {}
  return { method: request.method ?? '', path: decodeURIComponent(pathname), query: searchParams, body, bytes }
}
