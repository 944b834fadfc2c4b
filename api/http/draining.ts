import type { Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a server ends without a failed call. */
export type Draining = {
  /** Notes the calls of a server from now on. */
  watch(server: Server): Server
  /** Whether the process was told to stop. `/readyz` says so, and each answer closes its connection (`letGo`). */
  isStopping(): boolean
  /** From now on each answer closes its connection, also those of calls under way: callers go elsewhere next. */
  begin(): void
  /** Takes no more connections, and ends once the calls under way are answered, or after so many milliseconds. */
  end(withinMs: number): Promise<void>
}

const lookEveryMs = 50

/** The end of one server, which has not begun yet. */
export function createDraining(): Draining {
  let underWay = 0
  let watched: Server | null = null
  let isStopping = false

  return {
    watch(server) {
      watched = server
      // before the application, which may answer at once
      return server.prependListener('request', (_call, answer: ServerResponse) => {
        underWay += 1
        answer.once('close', () => (underWay -= 1))
      })
    },
    isStopping: () => isStopping,
    begin() {
      isStopping = true
    },
    async end(withinMs) {
      const server = watched
      if (!server) return
      const closed = new Promise((resolve) => server.close(resolve)) // closes idle connections too
      const limit = performance.now() + withinMs
      do await sleep(lookEveryMs)
      while (underWay > 0 && performance.now() < limit)
      // What is left has sent no whole request, or is too slow.
      server.closeAllConnections()
      await closed
    },
  }
}
