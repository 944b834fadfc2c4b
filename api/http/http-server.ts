import { createServer, type Server } from 'node:http'
import type Koa from 'koa'
import { refuseMalformed } from './malformed.ts'
import type { Services } from './services.ts'

/** Longer than the slowest file that `readArriving` accepts: this limit only catches bodies that no code reads. */
const requestTimeoutMs = 45 * 60_000
const headersTimeoutMs = 15_000
/** Longer than proxies keep an idle connection: else they send a call on one that this end has just closed. */
const keepAliveTimeoutMs = 65_000
/** A connection on which nothing moves is ended. Longer than a call is worked on, and than a pause in a body. */
const idleTimeoutMs = 5 * 60_000

/**
 * The HTTP server of an application, not listening yet. All its waits for callers have time-outs; `createApp` has a
 * shorter one for an answer of which its caller takes nothing. An answer that has begun may wait for its source.
 */
export function createHttpServer(app: Koa, services: Pick<Services, 'config' | 'logger'>): Server {
  const times = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 5_000,
  }
  const answer = app.callback()
  // Node itself answers a call without Host, and one with an expectation that it does not know, with an empty body.
  const server = createServer({ ...times, requireHostHeader: false }, answer)
  server.on('checkExpectation', answer)
  server.setTimeout(idleTimeoutMs)
  refuseMalformed(server, services)
  return server
}
