import { randomInt } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import { roles, staffRoles } from '../../domain/access/role.ts'
import { isOwned, moment } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { computeHmac } from '../core/hmac.ts'
import { FormerMember } from './team.ts'

/** The kinds of second factor. */
export const loginMethods = ['totp', 'email_otp'] as const

const userSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.string().primary(),
    // Null for the platform's own staff, who belong to no organization.
    accountId: p.string().strictNullable().check(isOwned).index('users_by_account'),
    role: p.enum(roles),
    email: p.string().length(320).unique().check('email = lower(email)'),
    fullName: p.string(),
    passwordHash: p.string(),
    emailVerified: p.boolean().default(false),
    // Only the previous release reads it: whoever is a person here has finished the introduction.
    hasOnboarded: p.boolean().default(false),
    method: p.enum(loginMethods).default('totp'),
    encryptedTotpSecret: p.text().strictNullable().fieldName('sealed_totp_secret'),
    // The newest step of 30 s whose code was used. Codes of this step and of older ones are refused.
    lastTotpStep: p.integer().strictNullable(),
    createdAt: moment(),
  },
})
/** A person who may log in. */
export class User extends userSchema.class {}
userSchema.setClass(User)

/** The names of people, also of those who have left, by their ids. Unknown ids are left out. */
export async function namesOf(
  em: EntityManager,
  ids: readonly (string | null | undefined)[],
): Promise<Record<string, string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))]
  const people = wanted.length > 0 ? await em.find(User, { id: wanted }, { fields: ['id', 'fullName'] }) : []
  const known = new Set(people.map(({ id }) => id))
  const gone = wanted.filter((id) => !known.has(id))
  const former = gone.length > 0 ? await em.find(FormerMember, { id: gone }, { fields: ['id', 'fullName'] }) : []
  return Object.fromEntries([...people, ...former].map(({ id, fullName }) => [id, fullName]))
}

/** Those of these people who are staff of the platform now. */
export async function staffAmong(em: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const staff = { id: [...new Set(ids)], accountId: null, role: { $in: [...staffRoles] } }
  const found = ids.length > 0 ? await em.find(User, staff, { fields: ['id'] }) : []
  return new Set(found.map(({ id }) => id))
}

/** The owners of an organization who get its mails: those with a verified address (decision 0070). */
export const verifiedOwnersOf = (em: EntityManager, accountId: string): Promise<User[]> =>
  em.find(User, { accountId, role: 'owner', emailVerified: true }, { orderBy: { id: 'asc' } })

const backupCodeSchema = defineEntity({
  name: 'BackupCode',
  tableName: 'backup_codes',
  properties: {
    hash: p.string().length(64).primary(),
    userId: p.string().index('backup_codes_by_user'),
    usedAt: moment().strictNullable(),
  },
})
/** A code that replaces the second factor once; only its HMAC is stored. */
export class BackupCode extends backupCodeSchema.class {}
backupCodeSchema.setClass(BackupCode)

const letters = '0123456789abcdefghjkmnpqrstvwxyz' // without i, l, o and u, which are easily misread

/** How many backup codes a person gets at once. */
const backupCodesCount = 8

/** A new backup code: 50 random bits in two groups of five. */
export function newBackupCode(): string {
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return `${group()}-${group()}`
}

/**
 * The hash under which a person's backup code is stored. Case and separators that the person types make no difference.
 */
export const hashBackupCode = (pepper: Buffer, userId: string, code: string): string =>
  computeHmac(pepper, 'backup code', userId, code.toLowerCase().replaceAll(/[\s-]/g, ''))

/**
 * Gives a person new backup codes in place of all earlier ones, used or not. Returns them: only their hashes are
 * stored, so they cannot be read later.
 */
export async function replaceBackupCodes(em: EntityManager, pepper: Buffer, userId: string): Promise<string[]> {
  await em.nativeDelete(BackupCode, { userId })
  const codes = Array.from({ length: backupCodesCount }, newBackupCode)
  for (const code of codes) em.create(BackupCode, { hash: hashBackupCode(pepper, userId, code), userId, usedAt: null })
  return codes
}

/** How many backup codes of a person still work. */
export const backupCodesLeft = (em: EntityManager, userId: string): Promise<number> =>
  em.count(BackupCode, { userId, usedAt: null })
