import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'
import { withFormRoom } from '../../api/http/form-room.ts'
import { readArriving } from '../../api/http/read-arriving.ts'
import { createPages } from '../../web/pages.ts'
import { atEnd } from './use.ts'

/**
 * The answer of the API to a call such as `GET /v1/payments`: a body, or the status of a refusal. `reused`: a conflict
 * of a key that was sent before with other values. A list: the fields that are wrong. `key`: the idempotency key.
 */
export type Answering = (call: string, key: string | undefined) => object | number | 'reused' | string[]

const codes: Record<number, string> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
}
/** A conflict is that of a call whose first try is still running. */
const running = { field: 'Idempotency-Key', message: 'is in use', type: 'value_error', code: 'idempotency_key_in_use' }
const reused = { ...running, message: 'was used with another body', code: 'idempotency_key_reused' }

const wrong = (fields: string[]) =>
  fields.map((field) => ({ field, message: 'is wrong', type: 'value_error', code: null }))

/** The pages before an API whose answers a test chooses: no database, no processes. It refuses every call at first. */
export async function openStubbedPages() {
  let answering: Answering = () => 503
  const calls: string[] = []
  const api = createServer((request, response) => {
    const call = `${request.method} ${request.url}`
    calls.push(call)
    const answer = answering(call, request.headers['idempotency-key']?.toString())
    const status = answer === 'reused' ? 409 : Array.isArray(answer) ? 400 : typeof answer === 'number' ? answer : 200
    const isRunning = answer === 409
    const errors = isRunning ? [running] : answer === 'reused' ? [reused] : Array.isArray(answer) ? wrong(answer) : []
    const refusal = { error_code: codes[status], detail: 'try again', doc_url: '', errors }
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': isRunning ? '0.001' : '1' })
    request.resume().once('end', () => response.end(JSON.stringify(status === 200 ? answer : refusal)))
  })
  const router = new Router()
  createPages({ address: () => api.address(), callFor: () => ({}), now: () => 0, publicUrl: '' })(router)
  const app = new Koa().use((ctx, next) => {
    Object.assign(ctx.state, { arriving: () => readArriving(ctx.req), withFormRoom })
    return next()
  })
  const site = createServer(app.use(router.routes()).callback())
  for (const server of [api, site]) {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    atEnd(() => {
      server.closeAllConnections()
      server.close()
    })
  }
  const base = `http://127.0.0.1:${portOf(site)}`
  return {
    base,
    router,
    /** Sends a form of our own page, as a browser does. */
    send: (path: string, cookie: string, body: URLSearchParams | FormData) =>
      fetch(base + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body,
      }),
    /** Has the API answer so from now on. Returns the calls that it gets from then on. */
    answer(next: Answering): string[] {
      answering = next
      calls.length = 0
      return calls
    },
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port
