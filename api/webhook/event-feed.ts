import { setTimeout as sleep } from 'node:timers/promises'
import { invalid, Refusal } from '../../domain/refusal.ts'
import type { Database } from '../../db/core/database.ts'
import { lastSequence } from '../../db/webhook/event-feed.ts'
import type { Logger } from '../../engine/logger.ts'
import { endMs, Follower, type Following } from './event-follower.ts'
import { createSettledReader } from './settled-events.ts'

/** How many streams may be open at a time, in one process. */
const usualLimits = { perAccount: 10, perProcess: 200 }
const retryAfterSeconds = 10

/** How often new events are looked for, while a stream is open. */
const pollMs = 250
/** How long transactions from before a call may hold up the beginning of its stream. */
const settleMaxMs = 10_000

type Opening = { upTo: number; done(error?: unknown): void }

/**
 * The new events of a process, for all its streams. One reader looks for them, as long as a stream is open. A stream
 * that does not wait when they come reads them from the database when it goes on.
 */
export class EventFeed {
  readonly #database: Database
  readonly #logger: Logger
  readonly #limits: typeof usualLimits
  readonly #followers = new Set<Follower>()
  readonly #openings = new Set<Opening>()
  #reader: ReturnType<typeof createSettledReader>
  #running: Promise<void> | null = null
  #hurry: () => void = () => undefined
  #isClosing = false

  constructor({ database, logger }: { database: Database; logger: Logger }, limits = usualLimits) {
    this.#database = database
    this.#logger = logger
    this.#limits = limits
    this.#reader = createSettledReader(this.#em())
  }

  /** Opens a stream. Refuses one too many, and a place that no event has reached. */
  async open(following: Following): Promise<Follower> {
    if (this.#isClosing) throw new Refusal('SERVICE_UNAVAILABLE', 'this process is about to end; try again')
    this.#assertRoom(following.holder)
    const follower = new Follower(following, {
      head: () => this.#reader.head(),
      em: () => this.#em(),
      left: (gone) => void this.#followers.delete(gone),
    })
    this.#followers.add(follower)
    try {
      const last = await lastSequence(this.#em())
      const { after } = following
      if (after !== null && after > last) throw beyondLast(following.afterField)
      await this.#settled(last)
      follower.position = after ?? this.#reader.head()
      return follower
    } catch (error) {
      follower.leave()
      throw error
    }
  }

  /** Ends all streams, waits until they have ended, and stops reading. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#endAll('this process is about to end')
    for (let waitedMs = 0; this.#followers.size > 0 && waitedMs < 2 * endMs; waitedMs += 10) await sleep(10)
    this.#followers.clear()
    this.#hurry()
    await this.#running
  }

  #assertRoom(holder: string): void {
    const { perAccount, perProcess } = this.#limits
    const mine = [...this.#followers].filter(({ following }) => following.holder === holder).length
    if (mine < perAccount && this.#followers.size < perProcess) return
    const what = mine < perAccount ? 'too many streams are open' : `${mine} streams of your account are open`
    throw new Refusal('TOO_MANY_REQUESTS', `${what}: end one, or try again later`, [], retryAfterSeconds)
  }

  async #run(): Promise<void> {
    this.#reader = createSettledReader(this.#em())
    try {
      while (this.#followers.size > 0) {
        const waiting = [...this.#followers].filter((follower) => follower.isWaiting())
        const followed = new Set(waiting.map(({ following }) => following.accountId))
        const { events, hasMore } = await this.#reader.round([...followed])
        for (const follower of this.#followers) follower.offer(events, followed)
        for (const { upTo, done } of this.#openings) if (this.#reader.isReady() && this.#reader.head() >= upTo) done()
        if (!hasMore) await this.#pause()
      }
    } catch (error) {
      this.#logger.warn({ err: error }, 'the reader of new events stops')
      for (const { done } of this.#openings) done(error)
      this.#endAll('the service is not available for the moment')
    } finally {
      this.#running = null
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Waits until no event up to this one can appear any more. */
  #settled(upTo: number): Promise<void> {
    this.#running ??= this.#run()
    this.#hurry()
    return new Promise((resolve, reject) => {
      const late = new Refusal('SERVICE_UNAVAILABLE', 'a change from before this call has not ended yet; try again')
      const timer = setTimeout(() => opening.done(late), settleMaxMs)
      const opening: Opening = {
        upTo,
        done: (error) => {
          clearTimeout(timer)
          this.#openings.delete(opening)
          if (error) reject(error as Error)
          else resolve()
        },
      }
      this.#openings.add(opening)
    })
  }

  #endAll(reason: string): void {
    for (const follower of this.#followers) follower.end(reason)
  }

  #em() {
    return this.#database.orm.em.fork()
  }
}

/** Who comes back has had that event: the database was restored since, and its next event is later again. */
function beyondLast(field: string): Refusal {
  const again = field === 'after' ? 'leave it out to begin with what happens from now on' : 'come back with it later'
  return invalid(field, `is beyond the last event; ${again}`, 'value_error.range')
}
