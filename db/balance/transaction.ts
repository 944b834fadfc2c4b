import { defineEntity, p } from '@mikro-orm/core'
import { type BalanceTransactionType, balanceTransactionTypes } from '../../domain/balance/transaction.ts'
import type { Amount } from '../../domain/money.ts'
import { currencyCode, moment, money, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import type { MovementKind } from '../ledger/tables.ts'

/**
 * The type that a merchant reads when a movement changes their balance; null where no movement of this kind may change
 * it.
 */
export const balanceTransactionTypeOf: Record<MovementKind, BalanceTransactionType | null> = {
  deposit: null,
  settlement: 'payment',
  surplus: 'payment',
  owed_repaid: null,
  refund_hold: 'refund',
  refund_paid: null,
  refund_released: 'refund_reversal',
  refund_returned: 'refund_reversal',
  conversion_hold: 'conversion',
  conversion_done: 'conversion',
  conversion_released: 'conversion_reversal',
  payout_hold: 'payout',
  payout_paid: null,
  payout_released: 'payout_reversal',
  payout_returned: 'payout_return',
  transfer: 'transfer',
  transfer_reversed: 'transfer_reversal',
  transfer_restored: 'transfer',
  platform_fee: 'platform_fee',
  platform_fee_refunded: 'platform_fee_reversal',
  platform_fee_restored: 'platform_fee',
  dispute_hold: 'dispute',
  dispute_fee_hold: 'dispute_fee',
  dispute_paid: null,
  dispute_released: 'dispute_reversal',
  dispute_fee_paid: null,
}

/** The index of one currency's rows in their order, from which the running balance is added up. */
const chain = 'create index balance_transactions_chain on balance_transactions'

const schema = defineEntity({
  name: 'BalanceTransaction',
  tableName: 'balance_transactions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ledgerTransactionId: p.string().index('balance_transactions_by_ledger_transaction'),
    type: p.enum(balanceTransactionTypes),
    currency: currencyCode(),
    amount: money().check("amount <> 0 and amount <> 'NaN'"),
    sourceId: p.string(),
    availableAt: moment(),
    createdAt: moment(),
  },
  indexes: [
    { name: 'balance_transactions_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'balance_transactions_by_type', properties: ['accountId', 'environment', 'type', 'createdAt', 'id'] },
    { name: 'balance_transactions_by_source', properties: ['accountId', 'environment', 'sourceId'] },
    {
      name: 'balance_transactions_maturing',
      properties: ['accountId', 'environment', 'availableAt'],
      where: "type <> 'payment'",
    },
    {
      name: 'balance_transactions_chain',
      expression: `${chain} (account_id, environment, currency, created_at, id) include (amount)`,
    },
  ],
})
/**
 * What one ledger transaction changes in a merchant's balance of one currency, pending money included and what is owed
 * deducted; never changed.
 */
export class BalanceTransaction extends schema.class {}
schema.setClass(BalanceTransaction)

/**
 * A currency's total, available and pending together less what is owed, after each of these transactions in the order
 * of their creation, by transaction id. What happened before a transaction's ten minutes is read from the sums of days,
 * hours and ten minutes, so the query reads the rows of ten minutes at most, however long the ledger is.
 */
export async function balancesAfter(
  em: EntityManager,
  { accountId, environment }: Tenant,
  rows: readonly BalanceTransaction[],
): Promise<Map<string, Amount>> {
  if (rows.length === 0) return new Map()
  const found = await em.execute<{ id: string; amount: Amount }[]>(
    `with wanted as (
       select *, span_of(1440::smallint, created_at) as day, span_of(60::smallint, created_at) as hour,
         span_of(10::smallint, created_at) as span
       from (values ${rows.map(() => '(?, ?, ?::timestamptz)').join(', ')}) as w (id, currency, created_at)
     ), placed as (
       select *, lag(created_at) over spans as last_at, lag(id) over spans as last_id from wanted
       window spans as (partition by currency, span order by created_at, id)
     ), steps as (
       select p.*, (
         select sum(t.amount) from balance_transactions t
         where t.account_id = ? and t.environment = ? and t.currency = p.currency
           and t.created_at >= coalesce(p.last_at, p.span) and t.created_at <= p.created_at
           and (p.last_id is null or (t.created_at, t.id) > (p.last_at, p.last_id))
           and (t.created_at, t.id) <= (p.created_at, p.id)) as amount
       from placed p
     ), earlier as (
       select currency, sum(amount) as amount from ledger_sums
       where account_id = ? and environment = ? and book in ('merchant', 'owed') and minutes = 1440
         and created_from < (select min(day) from wanted)
       group by currency
     ), days as (
       select currency, created_from as day,
         sum(sum(amount)) over (partition by currency order by created_from) - sum(amount) as before
       from ledger_sums where account_id = ? and environment = ? and book in ('merchant', 'owed') and minutes = 1440
         and created_from between (select min(day) from wanted) and (select max(day) from wanted)
       group by currency, created_from
     ), hours as (
       select currency, day, created_from as hour,
         before + sum(sum(s.amount)) over (partition by currency, day order by created_from) - sum(s.amount) as before
       from (select distinct currency, day from wanted) w join days using (currency, day)
         join ledger_sums s using (currency)
       where account_id = ? and environment = ? and book in ('merchant', 'owed') and minutes = 60
         and created_from >= day and created_from < day + interval '24 hours'
       group by currency, day, created_from, before
     ), spans as materialized (
       select currency, span, before + coalesce(e.amount, 0) + coalesce((
         select sum(amount) from ledger_sums t
         where account_id = ? and environment = ? and book in ('merchant', 'owed') and minutes = 10
           and t.currency = w.currency and created_from >= w.hour and created_from < w.span), 0) as before
       from (select distinct currency, hour, span from wanted) w join hours using (currency, hour)
         left join earlier e using (currency)
     )
     select id, before + sum(amount) over (partition by currency, span order by created_at, id) as amount
     from steps join spans using (currency, span)`,
    [
      ...rows.flatMap(({ id, currency, createdAt }) => [id, currency, createdAt]),
      ...Array.from({ length: 5 }, () => [accountId, environment]).flat(),
    ],
  )
  return new Map(found.map(({ id, amount }) => [id, amount]))
}
