import type { Corridor } from '../../domain/corridor.ts'
import type { Currency } from '../../domain/currency.ts'
import type { Amount } from '../../domain/money.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

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
 * sale, which is refunded, does not count. It reads one index, not the rows.
 */
export async function sumPayments(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { from, until }: { from: Date; until: Date },
): Promise<{ currencies: CurrencySum[]; methods: MethodSum[] }> {
  const rows = await em.execute<SummedRow[]>(summing, [accountId, environment, from, until])
  return {
    currencies: rows.flatMap(({ currency, amount, succeeded, day }) =>
      currency !== null && succeeded > 0 ? { currency, amount, succeeded, day } : [],
    ),
    methods: rows.flatMap(({ corridor, succeeded, failed }) =>
      corridor !== null && succeeded + failed > 0 ? { corridor, succeeded, failed } : [],
    ),
  }
}

/** The index `payments_summed` has each column that this reads. */
const summing = `
  with parts as materialized (
    select corridor, currency, date_trunc('day', created_at, 'UTC') as day,
      coalesce(sum(amount_received) filter (where status = 'succeeded'), 0) as amount,
      count(*) filter (where status = 'succeeded') as succeeded,
      count(*) filter (where status = 'failed') as failed
    from payments
    where account_id = ? and environment = ? and created_at >= ? and created_at <= ? and not duplicate
    group by corridor, currency, day
  )
  select currency, to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, corridor, sum(amount) as amount,
    sum(succeeded)::integer as succeeded, sum(failed)::integer as failed
  from parts group by grouping sets ((currency, day), (currency), (corridor))
  order by currency, day nulls first, corridor`
