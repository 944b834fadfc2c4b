import { defineEntity, p, type RequiredEntityData } from '@mikro-orm/core'
import { isOwned, moment } from './columns.ts'
import type { EntityManager } from './database.ts'

const schema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.bigint().primary().autoincrement(),
    accountId: p.string().strictNullable().check(isOwned),
    userId: p.string().strictNullable().index('audit_entries_by_user'),
    // The API key that did it; null for a person, and for what was done without a key.
    keyId: p.string().strictNullable(),
    // What was done, as `noun.verb_in_the_past`.
    action: p.string().length(64),
    // What it was done to: an id, never a name or a secret.
    target: p.string().strictNullable(),
    // The IP address that the call came from.
    address: p.string().length(64),
    at: moment(),
  },
  indexes: [{ name: 'audit_entries_newest', properties: ['accountId', 'at'] }],
})
/** Who did what, when and from where. Rows are only ever added. */
export class AuditEntry extends schema.class {}
schema.setClass(AuditEntry)

type Entry = Pick<RequiredEntityData<AuditEntry>, 'accountId' | 'userId' | 'action' | 'target' | 'address'> & {
  keyId?: string | null
}

/** Adds an entry to what `em` commits; `now` is in milliseconds since the epoch. */
export function audit(em: EntityManager, entry: Entry, now: number): void {
  em.create(AuditEntry, { ...entry, keyId: entry.keyId ?? null, at: new Date(now) })
}
