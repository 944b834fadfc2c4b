import { defineEntity, p, type RequiredEntityData } from '@mikro-orm/core'
import { isOwned, moment } from './columns.ts'
import { type EntityManager, realTimeOf } from './database.ts'

const schema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.bigint().primary().autoincrement(),
    accountId: p.string().strictNullable().check(isOwned),
    userId: p.string().strictNullable(),
    // The API key that did it; null for a person, and for what was done without a key.
    keyId: p.string().strictNullable(),
    // What was done, as `noun.verb_in_the_past`.
    action: p.string().length(64),
    // What it was done to: an id, never a name or a secret.
    target: p.string().strictNullable(),
    // Why, in the words of the member of staff who did it; null where nobody is asked for a reason.
    reason: p.string().length(500).nullable(),
    // The IP address that the call came from.
    address: p.string().length(64),
    at: moment(),
  },
  // Each filter of the log is one read of an index, newest first.
  indexes: [
    { name: 'audit_entries_by_time', properties: ['at', 'id'] },
    { name: 'audit_entries_of_account', properties: ['accountId', 'at', 'id'] },
    { name: 'audit_entries_of_user', properties: ['userId', 'at', 'id'] },
    { name: 'audit_entries_of_action', properties: ['action', 'at', 'id'] },
    { name: 'audit_entries_of_target', properties: ['target', 'at', 'id'] },
  ],
})
/** Who did what, when and from where. Rows are only ever added. */
export class AuditEntry extends schema.class {}
schema.setClass(AuditEntry)

type Entry = Pick<RequiredEntityData<AuditEntry>, 'accountId' | 'userId' | 'action' | 'target' | 'address'> & {
  keyId?: string | null
  reason?: string | null
}

/**
 * Adds an entry to what `em` commits; `now` is in milliseconds since the epoch. Whoever reads the log has to know when
 * something was really done: a call that goes by a test clock has the real time in it.
 */
export function audit(em: EntityManager, entry: Entry, now: number): void {
  const { keyId = null, reason = null } = entry
  em.create(AuditEntry, { ...entry, keyId, reason, at: new Date(realTimeOf(em) ?? now) })
}
