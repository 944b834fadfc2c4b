import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

const HOST = '127.0.0.1'

/** A free TCP port of this machine: `preferred` if it is free. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await tryPort(preferred)) !== null) return preferred
  const port = await tryPort(0)
  if (port === null) throw new Error('this machine gives no free TCP port')
  return port
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer().listen({ port, host: HOST, exclusive: true })
  try {
    await once(server, 'listening')
  } catch {
    return null
  }
  const address = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return address.port
}
