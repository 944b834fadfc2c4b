import { defineEntity, LockMode, p } from '@mikro-orm/core'
import { moment } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { hourMs } from '../../domain/duration.ts'

const schema = defineEntity({
  name: 'LoginFailures',
  tableName: 'login_failures',
  properties: {
    // Keyed by the address that was typed, so that an address without a user is locked like any other. What fails while
    // somebody changes their own login is keyed by their session.
    emailHash: p.string().length(64).primary(),
    count: p.smallint(),
    lastAt: moment().index('login_failures_by_age'),
  },
})
/** How often a login has failed for an email address, or a change of one's own login, since it last succeeded. */
export class LoginFailures extends schema.class {}
schema.setClass(LoginFailures)

const lockedForMs = 6 * hourMs

/** This many failures lock an email address (docs/contract/access.md, "Login"). */
export const failuresMax = 5

/**
 * Counts an attempt before its password or code is checked, so that attempts at the same time are limited like attempts
 * in a row. Returns the number of the attempt, from 1 to `failuresMax`, or null while the address is locked.
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

/** Uncounts an attempt whose password or code was right. */
export async function giveBackAttempt(em: EntityManager, emailHash: string): Promise<void> {
  await em.execute('update login_failures set count = count - 1 where email_hash = ? and count > 0', [emailHash])
}

/** Forgets the failures of an address whose owner has logged in. */
export async function forgetFailures(em: EntityManager, emailHash: string): Promise<void> {
  await em.nativeDelete(LoginFailures, { emailHash })
}

/**
 * Whether the address is locked. Locks its row until the transaction ends, so that two attempts run one after another.
 */
export async function isLocked(em: EntityManager, emailHash: string, now: number): Promise<boolean> {
  const row = await em.findOne(LoginFailures, { emailHash }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  return row !== null && row.count >= failuresMax && now - row.lastAt.getTime() < lockedForMs
}
