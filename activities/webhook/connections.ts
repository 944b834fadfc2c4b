import { Client } from 'undici'
import { type Guard, openGuardedSocket } from './address-guard.ts'

/** A connection, used by one delivery at a time; `signal` is the time limit of that delivery. */
export type Connection = { origin: string; client: Client; signal: AbortSignal; isOpen: boolean }

export type BulkheadOptions = {
  /** The most deliveries to one endpoint at a time. */
  perEndpointMax?: number
  /** The most deliveries to all endpoints at a time. */
  sendingMax?: number
  /** How many deliveries may wait for one endpoint, and for how long. Further ones are refused at once. */
  waitingMax?: number
  waitMs?: number
}

/**
 * The most deliveries under way `atOnce`, over all endpoints. Each of them may hold up a task of the engine; a worker
 * process has 100 such tasks.
 */
const atOnceMax = 64

type Entering = { atOnce: boolean; holdsTask: boolean }

type Bulkhead = { running: number; waiting: Set<(entered: boolean) => void> }

const headBytesMax = 16 * 1024
/**
 * Many servers close an idle connection after five seconds. Ours closes earlier, so that no delivery meets a connection
 * that is being closed.
 */
const keepAliveMs = 2_000
const keepAliveMaxMs = 4_000

/**
 * Limits the deliveries under way, so that a receiver that hangs delays only its own. Deliveries to one endpoint are
 * let through in the order in which they arrived.
 */
export function createBulkheads({
  perEndpointMax = 32,
  sendingMax = 512,
  waitingMax = 8,
  waitMs = 5_000,
}: BulkheadOptions) {
  const bulkheads = new Map<string, Bulkhead>()
  let sending = 0
  let atOnceCount = 0
  let tasksHeld = 0

  function leave(name: string, bulkhead: Bulkhead, { atOnce, holdsTask }: Entering): void {
    if (atOnce) atOnceCount -= 1
    if (holdsTask) tasksHeld -= 1
    const [next] = bulkhead.waiting
    if (next !== undefined) return next(true) // the place passes to the next delivery that waits
    bulkhead.running -= 1
    sending -= 1
    if (bulkhead.running === 0) bulkheads.delete(name)
  }

  return {
    /**
     * Waits for a place and returns the function that gives it back; null when there will be no place. `max` asks for
     * fewer places. With `atOnce` the call does not wait, and the number of such places over all endpoints is limited.
     * `holdsTask`: a task of the engine waits for the delivery meanwhile.
     */
    async enter(
      name: string,
      { max = perEndpointMax, atOnce = false, holdsTask = false } = {},
    ): Promise<(() => void) | null> {
      const bulkhead: Bulkhead = bulkheads.get(name) ?? { running: 0, waiting: new Set() }
      const place = () => leave(name, bulkhead, { atOnce, holdsTask: atOnce && holdsTask })
      if (bulkhead.running < Math.min(max, perEndpointMax)) {
        if (sending >= sendingMax || (atOnce && atOnceCount >= atOnceMax)) return null
        bulkheads.set(name, bulkhead)
        bulkhead.running += 1
        sending += 1
        if (atOnce) atOnceCount += 1
        if (atOnce && holdsTask) tasksHeld += 1
        return place
      }
      if (atOnce || bulkhead.waiting.size >= waitingMax) return null
      return await new Promise((resolve) => {
        const decide = (entered: boolean) => {
          clearTimeout(timer)
          bulkhead.waiting.delete(decide)
          resolve(entered ? place : null)
        }
        const timer = setTimeout(decide, waitMs, false)
        bulkhead.waiting.add(decide)
      })
    },
    /** How many deliveries with a place hold up a task of the engine. */
    tasksHeld: () => tasksHeld,
    close(): void {
      for (const bulkhead of bulkheads.values()) for (const decide of bulkhead.waiting) decide(false)
    },
  }
}

const knownMax = 10_000

/**
 * How many deliveries of an endpoint may hold up a task of the engine while they run. It depends on how long the last
 * answer took: many after a quick answer, one where no answer is known yet, none after a slow answer.
 */
export function rememberResponseTimes() {
  const paces = new Map<string, number>()
  return {
    places(name: string): number {
      const ms = paces.get(name)
      if (ms === undefined) return 1
      return ms <= 100 ? 32 : ms <= 1_000 ? 4 : 0
    },
    took(name: string, ms: number): void {
      paces.delete(name)
      paces.set(name, ms)
      const [oldest] = paces.keys()
      if (paces.size > knownMax && oldest !== undefined) paces.delete(oldest)
    },
  }
}

/**
 * A connection belongs to one delivery until it is given back, so no fault of one delivery (a slow connect, a broken
 * socket, an unread body) reaches another. There are never more open connections than deliveries under way plus
 * `idleMax`, over all origins; the one idle for longest is closed first.
 */
export function createConnectionPool(guard: Guard, idleMax: number) {
  const all = new Set<Connection>()
  const idle = new Set<Connection>()

  const drop = (connection: Connection): Promise<void> => {
    idle.delete(connection)
    all.delete(connection)
    return connection.client.destroy()
  }

  return {
    /** The most recently used connection to this origin, or a new one that opens with its first request. */
    take(origin: string, signal: AbortSignal): Connection {
      const kept = [...idle].findLast((connection) => connection.origin === origin)
      if (kept === undefined) {
        const connection = newConnection(origin, signal, guard)
        all.add(connection)
        connection.client.on('disconnect', () => {
          if (idle.has(connection)) void drop(connection)
        })
        return connection
      }
      idle.delete(kept)
      kept.signal = signal
      return kept
    },
    /** Keeps the connection only after a complete exchange; otherwise bytes may still be under way on it. */
    giveBack(connection: Connection, isComplete: boolean): void {
      if (!isComplete || !connection.isOpen) return void drop(connection)
      idle.add(connection)
      const [oldest] = idle
      if (idle.size > idleMax && oldest !== undefined) void drop(oldest)
    },
    async close(): Promise<void> {
      await Promise.all([...all].map(drop))
    },
  }
}

/** HTTP/1.1 by undici's `Client`, which knows neither proxies, nor redirects, nor decompression. */
function newConnection(origin: string, signal: AbortSignal, guard: Guard): Connection {
  const client = new Client(origin, {
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: headBytesMax,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    connect(target, opened) {
      openGuardedSocket(target, guard, connection.signal).then(
        (socket) => opened(null, socket),
        (error: Error) => opened(error, null),
      )
    },
  })
  const connection: Connection = { origin, client, signal, isOpen: false }
  client.on('connect', () => {
    connection.isOpen = true
  })
  client.on('disconnect', () => {
    connection.isOpen = false
  })
  return connection
}
