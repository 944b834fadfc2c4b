import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a listener hears of an event: no more than it needs to know which one it is. */
export type Heard = { id: string; type: string; created_at: string; data: { checkout_id?: string | null } }

/** A webhook receiver of this process that answers at once and keeps nothing. */
export async function startListener(hear: (event: Heard) => void): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      response.end()
      hear(JSON.parse(text) as Heard)
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
