import { p } from '@mikro-orm/core'
import { environments } from '../../domain/access/scope.ts'
import type { Corridor } from '../../domain/corridor.ts'
import type { Currency } from '../../domain/currency.ts'

/** Money at any currency's precision, as a decimal string. The database refuses NaN where a check is added. */
export const money = () => p.decimal().precision(38).scale(18)

/** A moment, to the millisecond, in UTC. */
export const moment = () => p.datetime().length(3)

/** A currency that the service knows, by its ISO 4217 code. */
export const currencyCode = () => p.string().$type<Currency>().length(10)

/** A corridor, by its key. */
export const corridorKey = () => p.string().$type<Corridor>().length(32)

/** Refuses the empty text, which once stood for "nobody", where a row must have an owner. */
export const isOwned = "account_id <> ''"

/** The two columns that every tenant row carries; no query of a tenant's rows leaves them out. */
export const tenant = {
  accountId: p.string().check(isOwned),
  environment: p.enum(environments),
}

/** The test clock by whose time the row lives; null: the real time. Rows of live are on none. */
export const onClock = { clockId: p.string().nullable() }

/** When the rail is asked next, and how often it has been asked, while a resource waits for it. */
export const polled = { nextPollAt: moment().nullable(), pollCount: p.integer().default(0) }

/** When the rail announced news, until it was asked for them; null: there are none. A process may be lost meanwhile. */
export const announced = { newsDueAt: moment().nullable() }

/** Since when staff have stopped a resource's process from sending anything; null as long as they have not. */
export const holdable = { onHoldSince: moment().nullable() }

/** The rows that one key may see: its account and its environment. */
export type Tenant = { accountId: string; environment: (typeof environments)[number] }
