import type { Client, Pool } from 'pg'

const readOnlyTransaction = '25006'

/**
 * Closes a connection that has refused a write because its database is read-only. While it is in use, a connection
 * keeps the read-only setting with which it was opened, or leads to a server that has become a replica. A new
 * connection has the current state.
 */
export function dropReadOnlyConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    const { connection } = client as Client & { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      // The pool discards an ending connection when it is returned; queries already sent on it are still answered.
      if (code === readOnlyTransaction) void (client as Client).end().catch(() => undefined)
    })
  })
}
