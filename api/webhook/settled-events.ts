import type { EntityManager } from '../../db/core/database.ts'
import { lastSequence, type NewEvent, readNewEvents, writersOfEvents } from '../../db/webhook/event-feed.ts'

const batchMax = 1_000

/** Sequence numbers of which some are missing, and the transactions that may still write them. */
type Open = { upTo: number; writers: string[] }

/**
 * Reads the events of all accounts in the order of their sequence, each one once. A number that is missing belongs to a
 * transaction that is still running, or to one that was rolled back. No event with a higher number is read before all
 * transactions that may hold the number have ended.
 */
export function createSettledReader(em: EntityManager) {
  /** No event up to here can appear any more. Null until that is known of the events before the first round. */
  let head: number | null = null
  let open: Open | null = null

  /** Events up to this one have taken their numbers, so their writers are among those that are running now. */
  const openAt = async (upTo: number): Promise<Open> => ({ upTo, writers: await writersOfEvents(em) })

  async function isSettled(): Promise<boolean> {
    if (!open) return false
    if (open.writers.length > 0) {
      const running = new Set(await writersOfEvents(em))
      open.writers = open.writers.filter((writer) => running.has(writer))
    }
    return open.writers.length === 0
  }

  return {
    head: () => head ?? 0,
    isReady: () => head !== null,
    /**
     * Returns the events that have been settled since the last round; those of `followed` accounts have their bodies.
     * `hasMore` says that the next round will find more at once.
     */
    async round(followed: readonly string[]): Promise<{ events: NewEvent[]; hasMore: boolean }> {
      if (head === null) {
        open ??= await openAt(await lastSequence(em))
        if (await isSettled()) [head, open] = [open.upTo, null]
        return { events: [], hasMore: false }
      }
      const settled = (await isSettled()) ? open : null
      const rows = await readNewEvents(em, { after: head, followed, limit: batchMax })
      const isFull = rows.length === batchMax
      const last = rows.at(-1)?.sequence ?? head
      let upTo = head
      if (settled) upTo = isFull ? Math.min(settled.upTo, last) : settled.upTo
      for (const { sequence } of rows) if (sequence === upTo + 1) upTo = sequence
      if (open && upTo >= open.upTo) open = null
      if (last > upTo) open ??= await openAt(last)
      head = upTo
      return { events: rows.filter(({ sequence }) => sequence <= upTo), hasMore: isFull || open?.writers.length === 0 }
    },
  }
}
