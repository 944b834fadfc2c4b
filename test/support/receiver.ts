import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { EventType } from '../../domain/webhook/event.ts'

/** One webhook as it arrived. */
export type Received = {
  headers: IncomingHttpHeaders
  body: string
  event: { id: string; type: EventType; data: Record<string, unknown> }
}

/**
 * A webhook receiver on this machine. It answers with the given statuses, one for each call, and then with 200. A 429
 * has a Retry-After of ten minutes.
 */
export async function startReceiver(statuses: number[] = []) {
  const received: Received[] = []
  let words = 'heard'
  let silence: Promise<void> | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, body, event: JSON.parse(body) })
      await silence
      response.statusCode = statuses.shift() ?? 200
      if (response.statusCode === 429) response.setHeader('retry-after', '600')
      response.end(words)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    types: () => received.map(({ event }) => event.type),
    /** Sets the statuses of the next answers. */
    answers: (next: number[]) => statuses.splice(0, statuses.length, ...next),
    /** Sets the body of all further answers. */
    says: (text: string) => void (words = text),
    /** Answers nothing from now on, until the function is called that this one returns. */
    fallsSilent(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      silence = promise
      return resolve
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
