import { defineEntity, type EntityName, type FilterQuery, p, raw } from '@mikro-orm/core'
import { isOwned, moment, type Tenant, tenant } from './columns.ts'
import type { EntityManager } from './database.ts'
import { hourMs } from '../../domain/duration.ts'

const place = {
  accountId: p.string().primary().check(isOwned),
  environment: tenant.environment.primary(),
  tableName: p.string().length(63).primary(),
  /** The endpoint of deliveries and the kind of transfers, each of which has a list of its own. Otherwise empty. */
  facet: p.string().length(100).primary().default(''),
}

const listSchema = defineEntity({
  name: 'CountedList',
  tableName: 'counted_lists',
  properties: { ...place, since: moment().default(raw('now()')), countedUntil: moment().nullable() },
  indexes: [
    {
      name: 'counted_lists_behind',
      expression: 'create index "counted_lists_behind" on "counted_lists" ("counted_until" nulls first)',
    },
  ],
})
/** A list with many rows, whose hours are counted once they are over, up to the moment `countedUntil`. */
export class CountedList extends listSchema.class {}
listSchema.setClass(CountedList)

const hourSchema = defineEntity({
  name: 'CountedHour',
  tableName: 'counted_hours',
  properties: { ...place, hour: moment().primary(), count: p.bigint() },
})
/** How many rows of a list were created in an hour. Triggers change it when a row comes late, or goes. */
export class CountedHour extends hourSchema.class {}
hourSchema.setClass(CountedHour)

type LongTable = { facet?: { column: string; property: string; isOfOneOwner?: true }; only?: string }

/**
 * The tables with lists of a time that can become long. `facet` tells the lists of a table apart; `row_counts` has it
 * as the first part of its own facet. `only` says which rows a list has. Migrations 0078 and 0084 have triggers for
 * each table.
 */
const longTables: Record<string, LongTable> = {
  balance_transactions: {},
  checkouts: {},
  conversions: {},
  // They are found by their endpoint alone, whose index has all that is counted.
  deliveries: { facet: { column: 'endpoint_id', property: 'endpointId', isOfOneOwner: true } },
  disputes: {},
  events: { only: "not is_test and body <> ''" },
  invoices: {},
  payments: {},
  payout_destinations: { only: 'deactivated_at is null' },
  subscriptions: {},
  transfers: { facet: { column: 'kind', property: 'kind' } },
  virtual_accounts: {},
}

/** With fewer rows reading them takes no longer than reading the hours. */
const LONG = 10_000
/** Lists that one transaction counts, each by at most a day. */
const listsMax = 10

type Behind = Tenant & { tableName: string; facet: string; from: string | null }

/**
 * Counts the hours that are over of lists that are long, some lists at a time. Returns whether there are more to count.
 * An hour is counted two hours after its end. It goes by the time of the database, as the triggers do.
 */
export async function countHours(em: EntityManager): Promise<boolean> {
  const behind = await em.execute<Behind[]>(
    `select account_id as "accountId", environment, table_name as "tableName", facet, counted_until as "from"
     from counted_lists
     where since < now() - interval '2 minutes' -- until then a row that was written before may not be committed yet
       and (counted_until is null or counted_until < date_trunc('hour', now() - interval '2 hours', 'UTC'))
     order by counted_until nulls first limit ? for update skip locked`,
    [listsMax],
  )
  for (const list of behind) await countNext(em, list)
  return behind.length > 0
}

/** Counts a day of a list, or what is over of it. The list is locked. */
async function countNext(em: EntityManager, { tableName, facet, accountId, environment, from }: Behind): Promise<void> {
  const { facet: listed, only = 'true' } = longTables[tableName] ?? {}
  const whose: Record<string, string> = {
    ...(!listed?.isOfOneOwner && { account_id: accountId, environment }),
    ...(listed && { [listed.column]: facet }),
  }
  const own = Object.keys(whose).map((column) => `${column} = ?`)
  const rows = `${tableName} where ${[...own, only].join(' and ')}`
  const [part] = await em.execute<{ from: string; to: string }[]>(
    `select "from", least("from" + interval '24 hours', over) as "to"
     from (select date_trunc('hour', now() - interval '2 hours', 'UTC') as over) o, lateral (
       select coalesce(?::timestamptz, (
         select date_trunc('hour', created_at, 'UTC') from ${rows} order by created_at limit 1), over) as "from") f`,
    [from, ...Object.values(whose)],
  )
  const list = [accountId, environment, tableName, facet]
  await em.execute(
    `insert into counted_hours (account_id, environment, table_name, facet, hour, count)
     select ?, ?, ?, ?, date_trunc('hour', created_at, 'UTC') as hour, count(*)
     from ${rows} and created_at >= ? and created_at < ? group by hour`,
    [...list, ...Object.values(whose), part?.from, part?.to],
  )
  await em.execute(
    `update counted_lists set counted_until = ?
     where account_id = ? and environment = ? and table_name = ? and facet = ?`,
    [part?.to, ...list],
  )
}

/**
 * Has the hours of lists counted from now on that have become long. It reads the counts of all accounts: once an hour
 * is enough. Safe to repeat.
 */
export async function addLongLists(em: EntityManager): Promise<void> {
  const tables = Object.keys(longTables)
  const divided = tables.filter((table) => longTables[table]?.facet)
  await em.execute(
    `insert into counted_lists (account_id, environment, table_name, facet)
     select account_id, environment, table_name, list from (
       select *, case when table_name in (?) then split_part(facet, '/', 1) else '' end as list
       from row_counts where table_name in (?)) r
     group by account_id, environment, table_name, list having sum(count) >= ?
     on conflict do nothing`,
    [divided, tables, LONG],
  )
}

/** Which rows of a list: those after the one moment and before the other. */
export type Range = { $gt?: Date; $lt?: Date }
type Row = { id: string; createdAt: Date }
type Counted = { upTo: string; count: string }

/** The list of an account, of which `facet` is the endpoint or the kind where a table has several lists. */
export type ListOf = Tenant & { tableName: string; facet?: string }

/** Whether the hours of the list with these filters, beside its owner, are counted once it is long. */
export const hasCountedHours = (tableName: string, filters: object): boolean => {
  const facet = longTables[tableName]?.facet?.property ?? ''
  return tableName in longTables && Object.keys(filters).join() === facet
}

/**
 * How many rows of a list were created in a range. `where` is the condition of the list without the range. Hours that
 * are counted are not read again, so that only the first hour and what is not over is read.
 */
export async function countInRange<T extends Row>(
  em: EntityManager,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { accountId, environment, tableName, facet = '' }: ListOf,
  range: Range,
): Promise<number> {
  const { $gt: after, $lt: before } = range
  const countRead = (createdAt: object) => em.count(entity, { ...(where as object), createdAt } as FilterQuery<T>)
  const [from, to] = [after ? nextHour(after) : null, before ? hourOf(before) : null]
  const [counted] = await em.execute<Counted[]>(
    `select least(?::timestamptz, l.counted_until) as "upTo", (
       select coalesce(sum(h.count), 0) from counted_hours h
       where h.account_id = l.account_id and h.environment = l.environment and h.table_name = l.table_name
         and h.facet = l.facet and h.hour < least(?::timestamptz, l.counted_until)
         and h.hour >= coalesce(?::timestamptz, '-infinity')) as count
     from counted_lists l
     where l.account_id = ? and l.environment = ? and l.table_name = ? and l.facet = ?
       and l.counted_until is not null -- a list that was only just found to be long: least() passes over a null
       and least(?::timestamptz, l.counted_until) > coalesce(?::timestamptz, '-infinity')`,
    [to, to, from, accountId, environment, tableName, facet, to, from],
  )
  if (!counted) return countRead(range)
  const [first, last] = await Promise.all([
    from ? countRead({ $gt: after, $lt: from }) : 0,
    countRead({ $gte: new Date(counted.upTo), ...(before && { $lt: before }) }),
  ])
  return first + Number(counted.count) + last
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs)
const nextHour = (at: Date): Date => new Date(hourOf(at).getTime() + hourMs)
