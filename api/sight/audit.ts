import type { FilterQuery } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { FormerMember } from '../../db/access/team.ts'
import { namesOf, User } from '../../db/access/user.ts'
import { accountNamesOf } from '../../db/core/account.ts'
import { AuditEntry as AuditRow } from '../../db/core/audit.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { invalid } from '../../domain/refusal.ts'
import { idParameter, Moment, nullable } from '../../schemas/common.ts'
import { AuditEntry, presentAuditEntry } from '../../schemas/sight/audit.ts'
import { operation } from '../http/operation.ts'
import { readPlace, writePlace } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'
import { forStaff } from '../http/staff.ts'

const ListAudit = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  user: Type.Optional(Type.String({ maxLength: 320, description: 'A person, by the id or the email.' })),
  account_id: Type.Optional(idParameter('acct')),
  action: Type.Optional(Type.String({ maxLength: 64, examples: ['payout.approved'] })),
  target: Type.Optional(Type.String({ maxLength: 255, description: 'The id of what it was done to.' })),
  from: Type.Optional(Type.String({ ...Moment, description: 'Only what was done at this moment or later.' })),
  until: Type.Optional(Type.String({ ...Moment, description: 'Only what was done before this moment.' })),
})
type Asked = Static<typeof ListAudit>

const AuditPage = Type.Object(
  { items: Type.Array(AuditEntry), next_cursor: nullable(Type.String()), has_more: Type.Boolean() },
  { $id: 'AuditPage' },
)

// No total: the log has millions of rows, and counting them would take longer than reading the page.
export const listAudit = operation({
  ...forStaff,
  tag: 'Audit log',
  method: 'get',
  path: '/api/v1/admin/audit-entries',
  summary: 'List who did what, when, to what and why, newest first',
  query: ListAudit,
  returns: [200, AuditPage],
  refuses: ['FORBIDDEN'],

  async handle({ query, em, services }) {
    const { limit = 50 } = query
    const where = await conditionsOf(em, query, services)
    const orderBy = [{ at: 'desc' as const }, { id: 'desc' as const }]
    const found = where ? await em.find(AuditRow, where, { orderBy, limit: limit + 1 }) : []
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return {
      items: await presentAll(em, shown),
      next_cursor: last
        ? writePlace('audit', { at: last.at.getTime(), id: String(last.id), word: 'audit' }, services)
        : null,
      has_more: last !== undefined,
    }
  },
})

async function presentAll(em: EntityManager, rows: readonly AuditRow[]) {
  const users = await namesOf(
    em,
    rows.map(({ userId }) => userId),
  )
  const accounts = await accountNamesOf(
    em,
    rows.map(({ accountId }) => accountId),
  )
  return rows.map((row) => presentAuditEntry(row, users, accounts))
}

/** The condition of the list; null where there is no such person, and so nothing that they did. */
async function conditionsOf(
  em: EntityManager,
  { user, account_id: accountId, action, target, from, until, cursor }: Asked,
  services: Services,
): Promise<FilterQuery<AuditRow> | null> {
  const people = user === undefined ? undefined : await peopleOf(em, user.trim())
  if (people?.length === 0) return null
  const range = { ...(from && { $gte: new Date(from) }), ...(until && { $lt: new Date(until) }) }
  const conditions: FilterQuery<AuditRow>[] = [
    ...(people === undefined ? [] : [{ userId: { $in: people } }]),
    ...(accountId === undefined ? [] : [{ accountId }]),
    ...(action === undefined ? [] : [{ action }]),
    ...(target === undefined ? [] : [{ target }]),
    ...(from || until ? [{ at: range }] : []),
    ...(cursor ? [before(cursor, services)] : []),
  ]
  return conditions.length > 0 ? { $and: conditions } : {}
}

/**
 * Whatever comes after a place of the list. The first condition is there because an index can use it. The id stays the
 * text of a number, which the database reads: it may be too large for a number of JavaScript.
 */
function before(cursor: string, services: Services): FilterQuery<AuditRow> {
  const place = readPlace('audit', cursor, services)
  if (place.word !== 'audit') throw invalid('cursor', 'is of another list')
  const at = new Date(place.at)
  return { $and: [{ at: { $lte: at } }, { $or: [{ at: { $lt: at } }, { id: { $lt: place.id as never } }] }] }
}

/**
 * The ids of whoever is named by an id or by an email. One email may have been that of several people: each who was
 * removed and came back got a new id.
 */
async function peopleOf(em: EntityManager, named: string): Promise<string[]> {
  if (!named.includes('@')) return [named]
  const email = named.toLowerCase()
  const people = await em.find(User, { email }, { fields: ['id'] })
  const former = await em.find(FormerMember, { email }, { fields: ['id'] })
  return [...people, ...former].map(({ id }) => id)
}
