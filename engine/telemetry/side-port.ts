import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenAt } from '../listen.ts'
import type { Logger } from '../logger.ts'

/** Why a process can do no work at the moment, in words without secrets; null if it can. */
export type Problem = () => Promise<string | null>

export const starting: Problem = async () => 'it is starting'
export const stopping: Problem = async () => 'it is stopping'

type Answer = { status: number; type: string; body: string }

export type SidePort = {
  /** The port that was taken. */
  port: number
  close(): Promise<void>
}

type Parts = { host: string; port: number; problem: Problem; metrics: () => Promise<Answer>; logger: Logger }

const limits = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 }

/**
 * Serves `/metrics`, `/healthz` (the process answers) and `/readyz` (it can do its work) of one process, on a port that
 * is for the operators' own network alone: it asks nobody who they are. Throws `CannotListen` if the port is taken.
 */
export async function openSidePort({ host, port, problem, metrics, logger }: Parts): Promise<SidePort> {
  const paths: Record<string, () => Promise<Answer>> = {
    '/metrics': metrics,
    '/healthz': async () => json(200, 'ok'),
    async '/readyz'() {
      const found = await problem()
      return json(found === null ? 200 : 503, found ?? 'ready')
    },
  }
  const answer = async (req: IncomingMessage): Promise<Answer> => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    const read = Object.hasOwn(paths, path) ? paths[path] : undefined
    if (!read) return json(404, 'not found')
    return req.method === 'GET' || req.method === 'HEAD' ? await read() : json(405, 'method not allowed')
  }
  const server = createServer(limits, (req, res) => {
    answer(req)
      .catch((error: unknown) => {
        logger.error({ err: error }, 'the port of the metrics could not answer')
        return json(500, 'error')
      })
      .then((done) => send(req, res, done))
  })
  await listenAt(server, host, port, 'METRICS_PORT')
  return { port: (server.address() as AddressInfo).port, close: () => close(server) }
}

const json = (status: number, text: string): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ status: text }),
})

function send(req: IncomingMessage, res: ServerResponse, { status, type, body }: Answer): void {
  req.resume() // a body that nobody asked for is not kept
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** Ends idle connections at once: a scraper keeps one open. */
async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
