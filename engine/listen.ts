import { once } from 'node:events'
import type { Server } from 'node:http'

/** A process cannot have its port. The message says which, why, and what sets it. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

/** Listens at the address that `variable` sets the port of. Throws `CannotListen` if that is not possible. */
export async function listenAt(server: Server, host: string, port: number, variable: string): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const why = isTaken ? `another process listens at ${host}:${port}` : (error as Error).message
    throw new CannotListen(`The port of ${variable} cannot be used: ${why}`, { cause: error })
  }
}
