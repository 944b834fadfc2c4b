import { defineEntity, LockMode, p } from '@mikro-orm/core'
import { moment } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

const schema = defineEntity({
  name: 'LoginFailures',
  tableName: 'login_failures',
  properties: {
    // Keyed by what was typed, so that an address that nobody has locks like any other.
    emailHash: p.string().length(64).primary(),
    count: p.smallint(),
    lastAt: moment().index('login_failures_by_age'),
  },
})
/** How often a login has failed for an email address since it last succeeded. */
export class LoginFailures extends schema.class {}
schema.setClass(LoginFailures)

const lockedForMs = 6 * 3_600_000

/** So many failures lock an email address (docs/contract/access.md, "Login"). */
export const failuresMax = 5

/**
 * Takes a place for one attempt before anything is checked, so that attempts that come at once cannot be more than
 * attempts in a row. Answers which place it is, from 1 to `failuresMax`, or null while the address is locked.
 */
export async function reserveAttempt(em: EntityManager, emailHash: string, now: number): Promise<number | null> {
  const forgottenAt = new Date(now - lockedForMs)
  const [row] = await em.execute<{ count: number }[]>(
    `insert into login_failures as f (email_hash, count, last_at) values (?, 1, ?)
     on conflict (email_hash) do update set
       count = case when f.last_at <= ? then 1 else f.count + 1 end, last_at = excluded.last_at
     where f.count < ? or f.last_at <= ?
     returning count`,
    [emailHash, new Date(now), forgottenAt, failuresMax, forgottenAt],
  )
  return row?.count ?? null
}

/** Gives an attempt's place back: what was checked was right. */
export async function giveBackAttempt(em: EntityManager, emailHash: string): Promise<void> {
  await em.execute('update login_failures set count = count - 1 where email_hash = ? and count > 0', [emailHash])
}

/** Forgets the failures of an address whose owner has logged in. */
export async function forgetFailures(em: EntityManager, emailHash: string): Promise<void> {
  await em.nativeDelete(LoginFailures, { emailHash })
}

/** Whether the address is locked. Holds its row until the transaction ends, so that two of them wait in one order. */
export async function isLocked(em: EntityManager, emailHash: string, now: number): Promise<boolean> {
  const row = await em.findOne(LoginFailures, { emailHash }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  return row !== null && row.count >= failuresMax && now - row.lastAt.getTime() < lockedForMs
}
