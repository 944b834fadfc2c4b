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
    const why = isTaken ? 'something listens there already' : (error as Error).message
    const says = `The process cannot listen at ${host}:${port} (${variable}): ${why}`
    throw new CannotListen(says, { cause: error })
  }
}
