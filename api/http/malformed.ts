import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { Refusal } from '../../domain/refusal.ts'
import { errorBody } from './error-object.ts'
import type { Services } from './services.ts'

/** Answers a request that is not valid HTTP, or whose headers are too large, with the error object. */
export function refuseMalformed(server: Server, { config, logger }: Pick<Services, 'config' | 'logger'>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const detail = isLate ? 'the request did not arrive in time' : 'the request is not valid HTTP'
    const body = errorBody(new Refusal('VALIDATION_ERROR', detail), config)
    const requestId = randomUUID()
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    socket.end([...head, `X-Request-Id: ${requestId}`, 'Connection: close', '', body].join('\r\n'))
    logger.info({ requestId, status: 400, code: error.code }, 'a request that is not valid')
  })
}
