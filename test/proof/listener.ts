import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fields of an event that a listener reads. */
export type ReceivedEvent = { id: string; type: string; created_at: string; data: { checkout_id?: string | null } }

/** A webhook receiver in this process that answers at once and stores nothing. */
export async function startListener(receive: (event: ReceivedEvent) => void): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      response.end()
      receive(JSON.parse(text) as ReceivedEvent)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
