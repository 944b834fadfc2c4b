import { defineEntity, p } from '@mikro-orm/core'
import { newId } from '../../domain/id.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { isOwned, moment } from './columns.ts'
import type { EntityManager } from './database.ts'
import type { Encrypter } from './encryption.ts'

const schema = defineEntity({
  name: 'KeptMail',
  tableName: 'kept_mails',
  properties: {
    id: p.string().primary(),
    // The account of the recipient; null for the platform's staff, whose mail no merchant can read.
    accountId: p.string().strictNullable().check(isOwned),
    // Recipient, subject and text: a mail may hold a one-time code.
    encrypted: p.text().fieldName('sealed'),
    // A mail with which whoever reads it could take a role: its other readers must not raise themselves with it.
    isForOwners: p.boolean().default(false),
    createdAt: moment(),
  },
  indexes: [
    { name: 'kept_mails_newest', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'kept_mails_by_age', properties: ['createdAt'] },
  ],
})
/** A mail that was sent, kept for developers who try out the sandbox. */
export class KeptMail extends schema.class {}
schema.setClass(KeptMail)

/** Whether mails of this environment are kept: those of the sandbox are, those of live are not. */
export const isKept = (environment: Environment): boolean => environment === 'sandbox'

/** Keeps a mail with what `em` commits; `at` is in milliseconds since the epoch. */
export function keepMail(
  em: EntityManager,
  encrypter: Encrypter,
  kept: { accountId: string | null; mail: object; at: number; isForOwners?: boolean },
): void {
  const { accountId, mail, at, isForOwners = false } = kept
  const encrypted = encrypter.encrypt(JSON.stringify(mail))
  em.create(KeptMail, { id: newId('mail', at), accountId, encrypted, isForOwners, createdAt: new Date(at) })
}
