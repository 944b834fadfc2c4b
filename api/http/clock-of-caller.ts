import { Account } from '../../db/core/account.ts'
import { type ClockTime, type Database } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { TestClock } from '../../db/core/test-clock.ts'
import type { Caller } from './operation.ts'
import { remembering } from './remembering.ts'

/**
 * Reads the test clock by which a call goes: that of the caller's whole account, in the sandbox. People go by the real
 * time, as their logins do. That an account is on a clock is known half a second later in other processes; the clock's
 * time is read anew for each call.
 */
export function createClockReader({ orm }: Database): (caller: Caller) => Promise<ClockTime | null> {
  const clockIdOf = remembering(async (id) => (await readRow(orm.em, Account, { id }))?.clockId ?? null)
  return async ({ accountId, environment, userId }) => {
    if (environment !== 'sandbox' || accountId === '' || userId !== null) return null
    const clockId = await clockIdOf(accountId)
    const clock = clockId === null ? null : await readRow(orm.em, TestClock, { id: clockId })
    return clock && { id: clock.id, time: clock.frozenTime.getTime() }
  }
}
