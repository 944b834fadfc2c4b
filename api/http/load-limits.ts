import type { Database } from '../../db/core/database.ts'
import { readOverloaded } from '../../db/core/overloaded-account.ts'
import type { Queue } from '../../domain/process-contract.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isUnavailable } from '../../engine/unavailable.ts'

/** What a call needs room for: it `sells`, `begins` something else that a process goes on with, or `waits` for one. */
export type Needs = 'sells' | 'begins' | 'waits'

/** So many calls may wait for processes at a time, or as many as were answered in the last five seconds. */
const waitingMax = 64
const lookBackMs = 5_000
/** So many may have waited for longer than this, or as many as were answered in the last two seconds. */
const [lateMax, lateMs, lateLookBackMs] = [10, 7_000, 2_000]
/** A process was heard of so lately that the engine is there, and only has too much to do. */
const noticedMs = 3_000
/** When processes of an account are too late for more to begin; when deliveries are for a sale, and for a payment. */
const tooLateMs = { toBegin: 20_000, toSell: 5_000, toPay: 8_000 }
/** While deliveries of an account are so late, so many of its calls are under way, fewer the later; three at least. */
const [hurryMs, hurriedMax, hurriedMin] = [1_500, 12, 3]
/** What the workers say is read once a second, and counts for three. */
const [readEveryMs, readCountsMs] = [1_000, 3_000]

type Waiting = { accountId: string; since: number }

/**
 * Refuses, before anything is done for it, what is more than the service can do (decision 0028). All of it is known in
 * memory: which calls of this API process wait for processes and how many were answered, and by the workers' word,
 * read once a second beside the calls, how far behind accounts are. `now` is in milliseconds, from any moment.
 */
export function createLoadLimits(database: Database, now: () => number = () => performance.now()) {
  const waiting = new Set<Waiting>()
  const answered: number[] = []
  const howFarBehind = readBehind(database, now)
  const turns = createTurns((accountId) => underWayMax(howFarBehind('webhooks', accountId)))

  const answeredIn = (ms: number) => answered.length - firstAfter(answered, now() - ms)

  function isFull(accountId: string): boolean {
    const max = Math.max(waitingMax, answeredIn(lookBackMs))
    if (countLate() >= Math.max(lateMax, answeredIn(lateLookBackMs))) return true
    if (waiting.size < max) return false
    // A part is kept for accounts that have few: one that asks too much does not keep the others out.
    const own = [...waiting].filter((call) => call.accountId === accountId).length
    return own >= max / 4 || waiting.size >= max * 1.5
  }

  function countLate(): number {
    let count = 0
    for (const { since } of waiting) {
      if (now() - since < lateMs) break // they stand in the order in which they came
      count += 1
    }
    return count
  }

  function wait(accountId: string) {
    const call = { accountId, since: now() }
    waiting.add(call)
    return (wasAnswered: boolean) => {
      waiting.delete(call)
      if (!wasAnswered) return
      answered.push(now())
      answered.splice(0, firstAfter(answered, now() - lookBackMs))
    }
  }

  /** Refuses a call that begins something for an account while that asks for more than can be done. */
  function assertMayBegin(accountId: string): void {
    if (howFarBehind('main', accountId) >= tooLateMs.toBegin) throw overloaded(5)
    // What cannot be done now is not worth beginning; while the engine is unavailable nothing is answered, and we
    // accept.
    if (answeredIn(noticedMs) > 0 && isFull(accountId)) throw overloaded(2)
  }

  /** Refuses to begin a sale, as above, and also while deliveries about the sales before it are late. */
  function assertMaySell(accountId: string): void {
    if (howFarBehind('webhooks', accountId) >= tooLateMs.toSell) throw overloaded(5)
    assertMayBegin(accountId)
  }

  return {
    assertMaySell,
    /** Does what a call asks for, or refuses at once. */
    async run<T>(needs: Needs | undefined, accountId: string, work: () => Promise<T>): Promise<T> {
      if (needs === 'sells') assertMaySell(accountId)
      if (needs === 'begins') assertMayBegin(accountId)
      if (needs !== 'waits') return work()
      if (howFarBehind('webhooks', accountId) >= tooLateMs.toPay) throw overloaded(5)
      if (isFull(accountId)) throw overloaded(2)
      const leave = wait(accountId)
      return turns.take(accountId, work).then(
        (done) => {
          leave(true)
          return done
        },
        (error: unknown) => {
          leave(!isUnavailable(error))
          throw error
        },
      )
    },
  }
}

/** What has begun goes first: deliveries need the same workers. */
const underWayMax = (behindMs: number): number =>
  behindMs < hurryMs ? Infinity : Math.max(hurriedMin, Math.round((hurriedMax * hurryMs) / behindMs))

const overloaded = (retryAfter: number) =>
  new Refusal('SERVICE_UNAVAILABLE', 'more is asked for than can be done at the moment; try again', [], retryAfter)

/** Where the first number above `least` stands in ascending ones. */
function firstAfter(ascending: number[], least: number): number {
  const place = ascending.findIndex((each) => each > least)
  return place < 0 ? ascending.length : place
}

/** Lets so many calls of an account be under way at a time as `max` says; the others wait in the order they came in. */
function createTurns(max: (accountId: string) => number) {
  const accounts = new Map<string, { underWay: number; next: (() => void)[] }>()

  function goOn(accountId: string): void {
    const account = accounts.get(accountId)
    if (!account) return
    while (account.next.length > 0 && account.underWay < max(accountId)) {
      account.underWay += 1
      account.next.shift()?.()
    }
    if (account.underWay === 0 && account.next.length === 0) accounts.delete(accountId)
  }

  return {
    async take<T>(accountId: string, work: () => Promise<T>): Promise<T> {
      const account = accounts.get(accountId) ?? { underWay: 0, next: [] }
      accounts.set(accountId, account)
      await new Promise<void>((resolve) => {
        account.next.push(resolve)
        goOn(accountId)
      })
      return work().finally(() => {
        account.underWay -= 1
        goOn(accountId)
      })
    },
  }
}

/** Tells how far behind an account is, in ms, from what was last read; reads again beside the calls that ask. */
function readBehind({ orm }: Database, now: () => number) {
  let last: { at: number; accounts: Record<Queue, Map<string, number>> } | null = null
  let askedAt = -Infinity

  async function read(): Promise<void> {
    askedAt = now()
    try {
      last = { accounts: await readOverloaded(orm.em.fork()), at: now() }
    } catch {
      last = null // no word is no overload
    }
  }

  return (queue: Queue, accountId: string): number => {
    if (now() - askedAt >= readEveryMs) void read()
    return last !== null && now() - last.at < readCountsMs ? (last.accounts[queue].get(accountId) ?? 0) : 0
  }
}
