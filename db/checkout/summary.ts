import { defineEntity, p } from '@mikro-orm/core'
import type { Corridor } from '../../domain/corridor.ts'
import type { Currency } from '../../domain/currency.ts'
import { dayMs } from '../../domain/duration.ts'
import type { Amount } from '../../domain/money.ts'
import { corridorKey, currencyCode, isOwned, money, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

const schema = defineEntity({
  name: 'PaymentDay',
  tableName: 'payment_days',
  properties: {
    ...tenant,
    accountId: p.string().primary().check(isOwned),
    environment: tenant.environment.primary(),
    // The day in UTC on which the payments were created.
    day: p.date().primary(),
    corridor: corridorKey().primary(),
    currency: currencyCode().primary(),
    // Connections use different shards, so that they do not wait for each other's commits.
    shard: p.integer().primary().fieldName('slot'),
    // What the succeeded ones have received, and how many have succeeded and failed. A second success of one sale does
    // not count.
    amount: money(),
    succeeded: p.bigint(),
    failed: p.bigint(),
  },
  indexes: [{ name: 'payment_days_shards', properties: ['shard'], where: 'slot <> 0' }],
})
/** The payments of a day, by method and currency. A trigger of `payments` adds them up in the statement of a change. */
export class PaymentDay extends schema.class {}
schema.setClass(PaymentDay)

/**
 * A sum of payments: of a currency on a day (`2026-11-25`), of a currency, or of a payment method, whose amounts may be
 * in several currencies and are not added up.
 */
type SummedRow = {
  currency: Currency | null
  day: string | null
  corridor: Corridor | null
  amount: Amount
  succeeded: number
  failed: number
}

export type CurrencySum = { currency: Currency; amount: Amount; succeeded: number; day: string | null }
export type MethodSum = { corridor: Corridor; succeeded: number; failed: number }

/**
 * Adds up the payments of an account that were created from `from` up to `until`: what was received by succeeded ones,
 * by currency and by day in UTC, and how many have succeeded and failed, by payment method. A second success of one
 * sale, which is refunded, does not count. It reads the sums of days, not the payments.
 */
export async function sumPayments(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { from, until }: { from: Date; until: Date },
): Promise<{ currencies: CurrencySum[]; methods: MethodSum[] }> {
  const rows = await em.execute<SummedRow[]>(
    summing,
    [
      [accountId, environment, dayOf(from), dayOf(until)],
      [accountId, environment, until, new Date(startOf(until) + dayMs)],
      [accountId, environment, new Date(startOf(from)), from],
    ].flat(),
  )
  return {
    currencies: rows.flatMap(({ currency, amount, succeeded, day }) =>
      currency !== null && succeeded > 0 ? { currency, amount, succeeded, day } : [],
    ),
    methods: rows.flatMap(({ corridor, succeeded, failed }) =>
      corridor !== null && succeeded + failed > 0 ? { corridor, succeeded, failed } : [],
    ),
  }
}

const startOf = (moment: Date): number => moment.getTime() - (moment.getTime() % dayMs)
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/**
 * The days are kept by a trigger of `payments`. What was created on the last day after the range, or on the first one
 * before it, is taken off again: payments of test clocks whose time is ahead, and none where a day has only begun.
 */
const takenOff = `
    select corridor, currency, (created_at at time zone 'UTC')::date,
      case status when 'succeeded' then -amount_received else 0 end, case status when 'succeeded' then -1 else 0 end,
      case status when 'failed' then -1 else 0 end from payments`

const summing = `
  with parts as materialized (
    select corridor, currency, day, amount, succeeded, failed from payment_days
    where account_id = ? and environment = ? and day >= ? and day <= ?
    union all ${takenOff}
    where account_id = ? and environment = ? and not duplicate and created_at > ? and created_at < ?
    union all ${takenOff}
    where account_id = ? and environment = ? and not duplicate and created_at >= ? and created_at < ?
  )
  select currency, to_char(day, 'YYYY-MM-DD') as day, corridor, sum(amount) as amount,
    sum(succeeded)::integer as succeeded, sum(failed)::integer as failed
  from parts group by grouping sets ((currency, day), (currency), (corridor))
  order by currency, day nulls first, corridor`
