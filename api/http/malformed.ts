import type { Server } from 'node:http'
import { Refusal } from '../../domain/refusal.ts'
import { errorBody } from './error-object.ts'

/** Answers a request that is not valid HTTP, or whose headers are too large, with the error object. */
export function refuseMalformed(server: Server, config: { publicUrl: string }): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const detail = isLate ? 'the request did not arrive in time' : 'the request is not valid HTTP'
    const body = errorBody(new Refusal('VALIDATION_ERROR', detail), config)
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    socket.end([...head, 'Connection: close', '', body].join('\r\n'))
  })
}
