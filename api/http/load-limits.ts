import type { Database } from '../../db/core/database.ts'
import { readOverloaded } from '../../db/core/overloaded-account.ts'
import type { Queue } from '../../domain/process-contract.ts'
import { type ProviderName, providerNames } from '../../domain/rail-provider.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isUnavailable } from '../../engine/unavailable.ts'
import { createTurns } from './turns.ts'
import { createWaitingCalls, type WaitingCalls } from './waiting-calls.ts'

/** Says which provider a call waits for beside the engine; null: none. */
export type WaitsOn = (provider: ProviderName | null) => void

/** The load that a call adds: it `sells`, `begins` another process, or `waits` for one. */
export type Needs = 'sells' | 'begins' | 'waits'

/** If a process has answered within this time, the engine is available, so waiting calls mean overload. */
const noticedMs = 3_000
/**
 * The delays at which an account is refused: of its processes, to begin more; of its deliveries, to sell and to pay.
 */
const tooLateMs = { toBegin: 20_000, toSell: 5_000, toPay: 8_000 }
/** From this delay of an account's deliveries on, in milliseconds, only some of its calls run at a time. */
const hurryMs = 1_500
/** How many run at `hurryMs`. The later the deliveries are, the fewer. */
const hurriedMax = 12
/** How many run however late the deliveries are. */
const hurriedMin = 3
/** How often the workers' figures are read. */
const readEveryMs = 1_000
/** How long a figure that was read is valid. */
const readCountsMs = 3_000

/**
 * Refuses calls beyond what the service can do, before any work is done for them (decision 0028). The decision needs no
 * query: this process knows which of its calls wait for processes and how many were answered. How late each account
 * is comes from the workers, and is read once a second beside the calls. `now` is in milliseconds, from any origin.
 */
export function createLoadLimits(database: Database, now: () => number = () => performance.now()) {
  const ofEngine = createWaitingCalls(now)
  const ofProviders = new Map(providerNames.map((name) => [name, createWaitingCalls(now)]))
  const howFarBehind = readBehind(database, now)
  const turns = createTurns((accountId) => underWayMax(howFarBehind('webhooks', accountId)))

  /**
   * Whether the engine answers, and all that wait do so for too long. If only those of one provider do, the others can
   * be served. If the engine is unavailable, calls are accepted, and their processes start later.
   */
  function isFull(accountId: string): boolean {
    const answers = (calls: WaitingCalls) => calls.answeredIn(noticedMs) > 0
    const active = [ofEngine, ...ofProviders.values()].filter((calls) => !calls.isEmpty() || answers(calls))
    return active.some(answers) && active.every((calls) => calls.isFull(accountId))
  }

  /** Refuses a call that begins a process for an account that is overloaded. */
  function assertMayBegin(accountId: string): void {
    if (howFarBehind('main', accountId) >= tooLateMs.toBegin) throw overloaded(5)
    if (isFull(accountId)) throw overloaded(2)
  }

  /** Refuses to begin a sale for an overloaded account, and while the deliveries about its earlier sales are late. */
  function assertMaySell(accountId: string): void {
    if (howFarBehind('webhooks', accountId) >= tooLateMs.toSell) throw overloaded(5)
    assertMayBegin(accountId)
  }

  return {
    assertMaySell,
    /**
     * Runs the work of a call, or refuses at once. A call that needs a provider says so by `waitsOn`, which refuses it
     * where too many wait for that provider. From then on it does not count among those that wait for the engine alone.
     */
    async run<T>(needs: Needs | undefined, accountId: string, work: (waitsOn: WaitsOn) => Promise<T>): Promise<T> {
      if (needs === 'sells') assertMaySell(accountId)
      if (needs === 'begins') assertMayBegin(accountId)
      if (needs !== 'waits') return work(() => undefined)
      if (howFarBehind('webhooks', accountId) >= tooLateMs.toPay) throw overloaded(5)
      if (ofEngine.isFull(accountId)) throw overloaded(2)
      let leave = ofEngine.enter(accountId)
      const waitsOn: WaitsOn = (provider) => {
        const calls = provider === null ? undefined : ofProviders.get(provider)
        if (!calls) return
        if (calls.isFull(accountId)) throw slowProvider()
        leave(false)
        leave = calls.enter(accountId)
      }
      return turns
        .take(accountId, () => work(waitsOn))
        .then(
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

const slowProvider = () =>
  new Refusal('SERVICE_UNAVAILABLE', 'the payment provider is slow: try again, or choose another payment method', [], 2)

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
