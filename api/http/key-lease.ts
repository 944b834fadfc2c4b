import type { Database } from '../../db/core/database.ts'
import { runPrepared } from '../../db/core/prepared-statement.ts'
import { Refusal } from '../../domain/refusal.ts'
import { removeFrom } from './remove-from.ts'

/** A call that holds an idempotency key: the record's id, and a token that no other call has. */
export type Holder = { id: string; token: string }

/** A lease ends this long after its last renewal, in seconds by the database's clock. */
export const leaseSeconds = 5
/** Short enough for several tries within a lease: a try that waits for a full connection pool takes two seconds. */
const renewEveryMs = 1_000

type Held = Holder & {
  /** Restarts the lease at a moment of the monotonic clock. */
  holdFrom(startedAt: number): void
}

type Leases = { held: Held[]; isRenewing: boolean }

const leasesOf = new WeakMap<Database, Leases>()

/**
 * Runs `work` while the call holds its key. A running process renews the leases of all its calls once a second; those
 * of a dead process end some seconds later. If a lease cannot be renewed in time (no connection, or the process was
 * suspended), the call is answered SERVICE_UNAVAILABLE before another call may take the key, so that a call never runs
 * beside its own repetition. `startedAt` is from before the key was taken, on the monotonic clock.
 */
export async function runUnderLease<T>(
  database: Database,
  holder: Holder,
  startedAt: number,
  work: () => Promise<T>,
): Promise<T> {
  const leases = leasesOf.get(database) ?? { held: [], isRenewing: false }
  leasesOf.set(database, leases)
  const { promise: lost, reject } = Promise.withResolvers<never>()
  const lose = () => reject(new Refusal('SERVICE_UNAVAILABLE', 'the call was cut off from the database; repeat it'))
  let timer: NodeJS.Timeout | undefined
  const held: Held = {
    ...holder,
    holdFrom(from) {
      clearTimeout(timer)
      timer = setTimeout(lose, from + leaseSeconds * 1_000 - performance.now()).unref()
    },
  }
  held.holdFrom(startedAt)
  leases.held.push(held)
  renewSoon(database, leases)
  try {
    return await Promise.race([work(), lost])
  } finally {
    clearTimeout(timer)
    removeFrom(leases.held, held)
  }
}

/** Renews all leases of this process in one statement, and repeats that while there are any. */
function renewSoon(database: Database, leases: Leases): void {
  if (leases.isRenewing || leases.held.length === 0) return
  leases.isRenewing = true
  setTimeout(async () => {
    const startedAt = performance.now()
    const renewed = await renew(database, leases.held).catch(() => new Set()) // the next renewal tries again
    for (const held of leases.held) if (renewed.has(held.token)) held.holdFrom(startedAt)
    leases.isRenewing = false
    renewSoon(database, leases)
  }, renewEveryMs).unref()
}

/** Renews the leases, and returns the tokens of those that were renewed. */
async function renew({ orm }: Database, held: readonly Held[]): Promise<Set<unknown>> {
  if (held.length === 0) return new Set()
  const text = `update idempotency_records as r set running_until = clock_timestamp() + make_interval(secs => $3)
    from unnest($1::text[], $2::text[]) as held (id, token) where r.id = held.id and r.held_by = held.token
    returning r.held_by as token`
  const values = [held.map(({ id }) => id), held.map(({ token }) => token), leaseSeconds]
  return new Set((await runPrepared(orm.em.fork(), text, values)).map(({ token }) => token))
}
