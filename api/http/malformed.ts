import { randomUUID } from 'node:crypto'
import { maxHeaderSize, type Server } from 'node:http'
import { Refusal } from '../../domain/refusal.ts'
import { errorBody } from './error-object.ts'
import type { Services } from './services.ts'

const notHttp = 'the request is not valid HTTP'
const details: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
  HPE_HEADER_OVERFLOW: `address and headers are too long: at most ${maxHeaderSize / 1024} KB together`,
}

/** Answers a request that is not valid HTTP, or whose headers are too large, with the error object. */
export function refuseMalformed(server: Server, { config, logger }: Pick<Services, 'config' | 'logger'>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const body = errorBody(new Refusal('VALIDATION_ERROR', details[error.code ?? ''] ?? notHttp), config)
    const requestId = randomUUID()
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    socket.end([...head, `X-Request-Id: ${requestId}`, 'Connection: close', '', body].join('\r\n'))
    logger.info({ requestId, status: 400, code: error.code }, 'a request that is not valid')
  })
}
