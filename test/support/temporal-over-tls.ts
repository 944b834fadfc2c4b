import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { connect, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './certificate.ts'

/** A Temporal service as others run it, in front of that of the tests. */
type TemporalOverTls = {
  address: string
  /** The certificate for "localhost" that it shows, which is its own authority. */
  ca: string
  /** The `authorization` of each call. */
  authorizations: (string | undefined)[]
  close(): Promise<void>
}

type Options = {
  /** Whoever shows no certificate of this authority is not let in. */
  clientCa?: string
  /** The status of gRPC that calls of this name, or of this service, are answered with. */
  refuses?: { path: string; status: number; says: string }
}

/** Passes the calls on to the Temporal service at this address, which speaks no TLS. */
export async function temporalOverTls(behind: string, { clientCa, refuses }: Options = {}): Promise<TemporalOverTls> {
  const { cert, key } = selfSigned('localhost')
  const authorizations: TemporalOverTls['authorizations'] = []
  const backend = connect(`http://${behind}`)
  backend.on('error', () => undefined)
  const server = createSecureServer({ cert, key, ...(clientCa && { ca: clientCa, requestCert: true }) })
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined) // the caller gives it up
    authorizations.push(headers.authorization)
    if (refuses && headers[':path']?.includes(refuses.path)) {
      const refusal = { 'grpc-status': refuses.status, 'grpc-message': refuses.says }
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...refusal }, { endStream: true })
      return
    }
    const call = backend.request({ ...headers, ':scheme': 'http', ':authority': behind })
    call.on('error', () => stream.close())
    stream.on('close', () => call.close())
    call.on('response', (answered, flags) => {
      if (flags & 1) return stream.respond(answered, { endStream: true }) // END_STREAM: it is a refusal
      stream.respond(answered, { waitForTrailers: true })
      const trailers = once(call, 'trailers')
      stream.on('wantTrailers', () => void trailers.then(([sent]) => stream.sendTrailers(sent as OutgoingHttpHeaders)))
      call.pipe(stream)
    })
    stream.pipe(call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    ca: cert,
    authorizations,
    async close() {
      for (const session of sessions) session.destroy()
      backend.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
