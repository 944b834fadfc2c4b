import type { Client, Pool } from 'pg'

const readOnlyTransaction = '25006'

/**
 * Gives no connection out again that has refused a write because its database is read-only. A connection keeps what the
 * database was set to when it began, or leads to a server that has become a copy of another one, for as long as it is
 * busy; a new one finds out how things stand now.
 */
export function dropReadOnlyConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    const { connection } = client as Client & { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      // The pool throws away what is ending when it comes back; what has been asked meanwhile is still answered.
      if (code === readOnlyTransaction) void (client as Client).end().catch(() => undefined)
    })
  })
}
