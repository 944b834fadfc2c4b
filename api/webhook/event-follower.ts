import type { Environment } from '../../domain/access/scope.ts'
import { eventsKeptMs } from '../../domain/retention.ts'
import type { EventType } from '../../domain/webhook/event.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { type FedEvent, type NewEvent, readEventsInOrder } from '../../db/webhook/event-feed.ts'

/** How long a stream may take to end by itself, before its connection is cut. */
export const endMs = 1_000
/** A stream holds so many events at most. What its reader has not taken yet stays in the database. */
const pageMax = 100

/** Which events a stream is about. */
export type Following = {
  accountId: string
  environment: Environment
  /** Null: all. */
  types: readonly EventType[] | null
  /** The sequence number after which it goes on; null: with what happens from now on. */
  after: number | null
  /** Where the caller has named it, for the error. */
  afterField: 'Last-Event-ID' | 'after'
  /** The account whose streams are counted together: of the credential. */
  holder: string
  /** The time, in milliseconds since the epoch. */
  now: number
}

/** What a stream needs of the feed: the sequence number up to which all events are known, and a way to read them. */
type Source = { head(): number; em(): EntityManager; left(follower: Follower): void }

/** The place of one stream in the feed of new events. */
export class Follower {
  readonly following: Following
  /** Every event up to this sequence number has been returned. */
  position = 0
  /** Why it has ended; null if it has not. */
  ended: string | null = null
  /** Cuts the connection. */
  cut: () => void = () => undefined

  readonly #source: Source
  #wake: ((events: FedEvent[] | null) => void) | null = null
  #cutting: NodeJS.Timeout | undefined

  constructor(following: Following, source: Source) {
    this.following = following
    this.#source = source
  }

  /**
   * The next events, at most 100. Returns an empty list if nothing has happened for `quietMs`, and once it has ended.
   * With 0 it returns what has happened so far and does not wait.
   */
  async next(quietMs: number): Promise<FedEvent[]> {
    while (!this.ended && this.position < this.#source.head()) {
      const events = await this.#readPage()
      if (events.length > 0) return events
    }
    if (this.ended || quietMs === 0) return []
    return (await this.#wait(quietMs)) ?? this.next(quietMs)
  }

  isWaiting(): boolean {
    return this.#wake !== null
  }

  /**
   * Passes on what all accounts have done, if the stream waits; if not, it reads that from the database later.
   * `followed` are the accounts whose events have their bodies.
   */
  offer(events: readonly NewEvent[], followed: ReadonlySet<string>): void {
    const { accountId, environment, types } = this.following
    const own = events.filter((event) => event.accountId === accountId && event.environment === environment)
    if (!this.#wake || own.length === 0) return
    const wanted = own.flatMap(({ sequence, type, resourceId, body }) =>
      body && (types === null || types.includes(type)) ? [{ sequence, type, resourceId, body }] : [],
    )
    if (!followed.has(accountId) || wanted.length > pageMax) this.#wake(null)
    else if (wanted.length > 0) this.#wake(wanted)
  }

  /** Lets the stream end by itself, and cuts its connection if it does not. */
  end(reason: string): void {
    this.ended ??= reason
    this.#wake?.([])
    this.#cutting ??= setTimeout(() => this.cut(), endMs)
  }

  /** Gives its place back, once the connection has ended. */
  leave(): void {
    this.end('the caller has gone')
    clearTimeout(this.#cutting)
    this.#source.left(this)
  }

  async #readPage(): Promise<FedEvent[]> {
    const { following, position: after } = this
    const upTo = this.#source.head()
    const createdAfter = following.now - eventsKeptMs
    const wanted = { ...following, after, upTo, createdAfter, limit: pageMax }
    const events = await readEventsInOrder(this.#source.em(), wanted)
    this.position = events.length === pageMax ? (events.at(-1)?.sequence ?? upTo) : upTo
    return events
  }

  /** Waits for new events. Null: they are in the database. */
  #wait(quietMs: number): Promise<FedEvent[] | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.([]), quietMs)
      this.#wake = (events) => {
        clearTimeout(timer)
        this.#wake = null
        if (events) this.position = this.#source.head() // all up to here was offered while it waited
        resolve(events)
      }
    })
  }
}
