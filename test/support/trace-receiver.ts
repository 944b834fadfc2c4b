import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Attribute = { key: string; value: Record<string, unknown> }

/** A span as OTLP sends it. */
export type SentSpan = {
  service: string
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attribute[]
}

type Sent = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Omit<SentSpan, 'service'>[] }[] }[]
}

/** Takes traces as a collector does, by OTLP over HTTP with JSON. */
export async function startTraceReceiver() {
  const spans: SentSpan[] = []
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      headers.push(request.headers)
      for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
        const named = resource.attributes.find(({ key }) => key === 'service.name')
        const service = String(named?.value['stringValue'])
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))))
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    /** The spans of one trace. */
    of: (traceId: string) => spans.filter((span) => span.traceId === traceId),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** An attribute of a span. */
export const attributeOf = ({ attributes }: SentSpan, key: string): unknown =>
  Object.values(attributes.find((attribute) => attribute.key === key)?.value ?? {})[0]
