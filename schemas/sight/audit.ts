import Type, { type Static } from 'typebox'
import type { AuditEntry as AuditRow } from '../../db/core/audit.ts'
import { iso, nullable, Timestamp } from '../common.ts'

/** Who did what, when, to what and why. */
export const AuditEntry = Type.Object(
  {
    audit_entry_id: Type.String({ description: 'The number of the entry.' }),
    at: Timestamp,
    action: Type.String({ description: 'What was done, as `noun.verb_in_the_past`.', examples: ['payout.approved'] }),
    target: nullable(Type.String({ description: 'What it was done to: an id.' })),
    reason: nullable(Type.String({ description: 'Why, in the words of the person. Only staff give reasons.' })),
    user_id: nullable(Type.String({ description: 'The person; null for an API key, and where nobody was signed in.' })),
    user_name: nullable(Type.String({ description: 'The name of the person; null without one.' })),
    api_key_id: nullable(Type.String()),
    account_id: nullable(Type.String({ description: 'The account that it concerns; null where it concerns none.' })),
    account_name: nullable(Type.String()),
    address: Type.String({ description: 'The IP address of the call; `process` for what a process has carried out.' }),
  },
  { $id: 'AuditEntry' },
)

type Names = Record<string, string>

/** `users` and `accounts` are the names of the people and the accounts, by their ids. */
export const presentAuditEntry = (row: AuditRow, users: Names, accounts: Names): Static<typeof AuditEntry> => ({
  audit_entry_id: String(row.id),
  at: iso(row.at),
  action: row.action,
  target: row.target,
  reason: row.reason ?? null,
  user_id: row.userId,
  user_name: nameIn(users, row.userId),
  api_key_id: row.keyId,
  account_id: row.accountId,
  account_name: nameIn(accounts, row.accountId),
  address: row.address,
})

const nameIn = (names: Names, id: string | null): string | null => (id === null ? null : (names[id] ?? null))
