import { Client } from 'undici'
import { type Guard, openGuardedSocket } from './address-guard.ts'

/** One connection, used by one delivery at a time; `signal` is the clock of the delivery that has it. */
export type Connection = { origin: string; client: Client; signal: AbortSignal; isOpen: boolean }

export type BulkheadOptions = {
  /** At one time to one endpoint. */
  perEndpointMax?: number
  /** At one time to all endpoints together. */
  sendingMax?: number
  /** How many may wait for one endpoint, and for how long; the rest are turned away at once. */
  waitingMax?: number
  waitMs?: number
}

/** Deliveries that hold up a task of the engine, to all endpoints together; a worker process has 100 of these. */
const atOnceMax = 64

type Bulkhead = { running: number; waiting: Set<(entered: boolean) => void> }

const headBytesMax = 16 * 1024
/** Below the five seconds after which many servers close: a delivery must not meet a connection that is going away. */
const keepAliveMs = 2_000
const keepAliveMaxMs = 4_000

/**
 * Lets only so many deliveries go at a time, so that a receiver that hangs holds up its own and nobody else's.
 * Deliveries to one endpoint enter in the order they came.
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

  function leave(name: string, bulkhead: Bulkhead, atOnce: boolean): void {
    if (atOnce) atOnceCount -= 1
    const [next] = bulkhead.waiting
    if (next !== undefined) return next(true) // the place passes on
    bulkhead.running -= 1
    sending -= 1
    if (bulkhead.running === 0) bulkheads.delete(name)
  }

  return {
    /**
     * Answers, once there is a place, what gives it back; null when there will be none. `max` asks for fewer places;
     * with `atOnce` nobody waits, and only so many over all endpoints have a place.
     */
    async enter(name: string, { max = perEndpointMax, atOnce = false } = {}): Promise<(() => void) | null> {
      const bulkhead: Bulkhead = bulkheads.get(name) ?? { running: 0, waiting: new Set() }
      const place = () => leave(name, bulkhead, atOnce)
      if (bulkhead.running < Math.min(max, perEndpointMax)) {
        if (sending >= sendingMax || (atOnce && atOnceCount >= atOnceMax)) return null
        bulkheads.set(name, bulkhead)
        bulkhead.running += 1
        sending += 1
        if (atOnce) atOnceCount += 1
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
    /** How many have a place that was asked for `atOnce`. */
    atOnce: () => atOnceCount,
    close(): void {
      for (const bulkhead of bulkheads.values()) for (const decide of bulkhead.waiting) decide(false)
    },
  }
}

const knownMax = 10_000

/**
 * How many deliveries of an endpoint may hold up a task of the engine while they run, by how long its last answer took:
 * many where it came at once, one where nothing is known yet, none where it took its time.
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
 * A connection belongs to one delivery until it is given back, so nothing of one delivery (a slow connect, a dying
 * socket, an unread body) reaches another. Open connections are never more than deliveries under way plus `idleMax`,
 * over all origins; the longest idle one goes first.
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
    /** The connection of this origin used last, or a new one that opens with its first request. */
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
    /** Kept only after a complete exchange; anything else may still have bytes under way. */
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
