import type { Socket } from 'node:net'
import type { Pool } from 'pg'

/** What the driver does not declare of its client. */
type Internals = { connection: { stream: Socket }; readyForQuery: boolean }

/**
 * Closes a connection on which a statement has had no answer for `silenceMs` milliseconds; 0 closes none. A database
 * ends a statement that exceeds its time limit and says so. Where nothing is said, the database or the way to it is
 * gone, and its statement would otherwise wait for as long as the system keeps the connection. A connection that waits
 * for its next statement is not closed.
 */
export const dropSilentConnections =
  (silenceMs: number) =>
  (pool: Pool): void => {
    if (silenceMs === 0) return
    pool.on('connect', (client) => {
      const internals = client as unknown as Internals
      const { stream } = internals.connection
      stream.setTimeout(silenceMs).on('timeout', () => {
        // Nobody waits. A statement that begins right after this has the whole time again.
        if (internals.readyForQuery) return
        const { bytesRead } = stream
        // An answer that has come while this process stood still is read first.
        setImmediate(() => {
          if (internals.readyForQuery || stream.bytesRead !== bytesRead) return
          stream.destroy(new Error('Connection terminated: the database has not answered'))
        })
      })
    })
  }
