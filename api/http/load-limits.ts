import type { Database } from '../../db/core/database.ts'
import { readOverloaded } from '../../db/core/overloaded-account.ts'
import type { Queue } from '../../domain/process-contract.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isUnavailable } from '../../engine/unavailable.ts'

/** The load that a call adds: it `sells`, `begins` another process, or `waits` for one. */
export type Needs = 'sells' | 'begins' | 'waits'

/** The calls that may wait for processes at a time: this many, or as many as were answered in the last five seconds. */
const waitingMax = 64
const lookBackMs = 5_000
/**
 * The calls that may have waited longer than `lateMs`: this many, or as many as were answered in the last 2 seconds.
 */
const [lateMax, lateMs, lateLookBackMs] = [10, 7_000, 2_000]
/** If a process has answered within this time, the engine is available, so waiting calls mean overload. */
const noticedMs = 3_000
/**
 * The delays at which an account is refused: of its processes, to begin more; of its deliveries, to sell and to pay.
 */
const tooLateMs = { toBegin: 20_000, toSell: 5_000, toPay: 8_000 }
/** While an account's deliveries are late by `hurryMs`, 12 of its calls run at a time; fewer when later, at least 3. */
const [hurryMs, hurriedMax, hurriedMin] = [1_500, 12, 3]
/** The workers' figures are read once a second, and are valid for three seconds. */
const [readEveryMs, readCountsMs] = [1_000, 3_000]

type Waiting = { accountId: string; since: number }

/**
 * Refuses calls beyond what the service can do, before any work is done for them (decision 0028). The decision needs no
 * query: this process knows which of its calls wait for processes and how many were answered. How late each account
 * is comes from the workers, and is read once a second beside the calls. `now` is in milliseconds, from any origin.
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
    // Above `max`, an account with fewer than a quarter of it may still wait, up to 1.5 times `max` in all. So one busy
    // account does not shut out the others.
    const own = [...waiting].filter((call) => call.accountId === accountId).length
    return own >= max / 4 || waiting.size >= max * 1.5
  }

  function countLate(): number {
    let count = 0
    for (const { since } of waiting) {
      if (now() - since < lateMs) break // the calls are in the order of their arrival
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

  /** Refuses a call that begins a process for an account that is overloaded. */
  function assertMayBegin(accountId: string): void {
    if (howFarBehind('main', accountId) >= tooLateMs.toBegin) throw overloaded(5)
    // Refused only while the engine answers: if it is unavailable, the call is accepted and its process starts later.
    if (answeredIn(noticedMs) > 0 && isFull(accountId)) throw overloaded(2)
  }

  /** Refuses to begin a sale for an overloaded account, and while the deliveries about its earlier sales are late. */
  function assertMaySell(accountId: string): void {
    if (howFarBehind('webhooks', accountId) >= tooLateMs.toSell) throw overloaded(5)
    assertMayBegin(accountId)
  }

  return {
    assertMaySell,
    /** Runs the work of a call, or refuses at once. */
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

/** The calls of an account that run at a time. Fewer while deliveries are late, as both need the same workers. */
const underWayMax = (behindMs: number): number =>
  behindMs < hurryMs ? Infinity : Math.max(hurriedMin, Math.round((hurriedMax * hurryMs) / behindMs))

const overloaded = (retryAfter: number) =>
  new Refusal('SERVICE_UNAVAILABLE', 'the service is overloaded at the moment; try again', [], retryAfter)

/** The index of the first number above `least` in an ascending list. */
function firstAfter(ascending: number[], least: number): number {
  const place = ascending.findIndex((each) => each > least)
  return place < 0 ? ascending.length : place
}

/** Runs at most `max` calls of an account at a time. The others wait in the order of their arrival. */
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

/** Returns how late an account is, in ms, from the last reading. Reads again in the background. */
function readBehind({ orm }: Database, now: () => number) {
  let last: { at: number; accounts: Record<Queue, Map<string, number>> } | null = null
  let readAt = -Infinity

  async function read(): Promise<void> {
    readAt = now()
    try {
      last = { accounts: await readOverloaded(orm.em.fork()), at: now() }
    } catch {
      last = null // without a reading no account counts as overloaded
    }
  }

  return (queue: Queue, accountId: string): number => {
    if (now() - readAt >= readEveryMs) void read()
    return last !== null && now() - last.at < readCountsMs ? (last.accounts[queue].get(accountId) ?? 0) : 0
  }
}
