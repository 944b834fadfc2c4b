import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Webhook = {
  event: { id: string; type: string; data: Record<string, unknown> }
  body: string
  attempt: number
  isSigned: boolean
  answered: number
  /** By this machine's clock, in milliseconds since the epoch. */
  at: number
}

/** The check that every receiver must make first: the signature over exactly the bytes that it received. */
function isSignedWith(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const expected = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${body}`).digest()
  const given = Buffer.from(String(headers['x-service-signature']), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A merchant's receiver on this machine. `answer` decides the status of each webhook that arrives. */
export async function startReceiver(secret: string, answer: (webhook: Omit<Webhook, 'answered'>) => number) {
  const received: Webhook[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const isSigned = isSignedWith(secret, request.headers, body)
      const attempt = Number(request.headers['x-service-attempt'])
      const webhook = { event: JSON.parse(body) as Webhook['event'], body, attempt, isSigned, at: Date.now() }
      const answered = isSigned ? answer(webhook) : 401
      received.push({ ...webhook, answered })
      response.writeHead(answered).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    /** What arrived about a session: its own events and those of its payments. */
    about: (checkoutId: string): Webhook[] => received.filter(({ event }) => event.data['checkout_id'] === checkoutId),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
