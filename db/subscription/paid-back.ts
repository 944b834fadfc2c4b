import { add, type Amount, subtract } from '../../domain/money.ts'
import { sharesOf } from '../../domain/subscription/funding.ts'
import type { PaidBack } from '../../domain/subscription/proration.ts'
import {
  afterCounted,
  paidBackOf,
  type PaidPart,
  type Return,
  uncountedOf,
  type Withheld,
} from '../../domain/subscription/returns.ts'
import type { EntityManager } from '../core/database.ts'
import type { Subscription } from './subscription.ts'

type Charged = Pick<Subscription, 'id' | 'chargedFrom' | 'currentPeriodEnd' | 'withheld' | 'funding'>

/**
 * What payments have paid of a subscription's current charge, and what refunds and disputes that are not counted yet
 * have returned of it. `unpaid`: what nobody has paid of the charge, as its invoice was paid by an accepted part.
 */
export async function readPaidBack(
  em: EntityManager,
  subscription: Charged,
): Promise<{ paid: PaidPart[]; returned: PaidBack[]; unpaid: Amount }> {
  const { paid, unpaid } = await readPaid(em, subscription)
  const returns = await returnsOf(em, idsOf(paid))
  return { paid, returned: paidBackOf(paid, uncountedOf(returns, subscription.withheld)), unpaid }
}

/** Locks the payments that have paid a subscription's current charge, so that none of them is refunded meanwhile. */
export async function lockPaymentsOfCharge(em: EntityManager, subscription: Charged): Promise<void> {
  const ids = idsOf((await readPaid(em, subscription)).paid)
  if (ids.length > 0) await em.execute('select id from payments where id in (?) order by id for update', [ids])
}

const idsOf = (paid: readonly PaidPart[]): string[] => paid.map(({ paymentId }) => paymentId)

/**
 * What payments have paid of a subscription's current charge. Its invoices say that, without those of periods that
 * never began (`takeBackAhead`). What earlier payments have paid of it was noted when it began; of one from before
 * 2026-12 the invoices for longer periods say it.
 */
async function readPaid(em: EntityManager, subscription: Charged): Promise<{ paid: PaidPart[]; unpaid: Amount }> {
  const { id, chargedFrom, currentPeriodEnd, withheld, funding } = subscription
  const noted = sharesOf(funding, chargedFrom)
  const sql = `select p.id as "paymentId", i.total, i.total * ${keptOf('p')} / p.amount as amount,
      i.period_start as start, i.period_end as "end" from invoices i join payments p on p.id = i.payment_id
    where i.subscription_id = ? and i.status = 'paid' and i.period_start ${noted ? '=' : '<='} ? and i.period_end > ?
      and i.id not in (select jsonb_object_keys(?::jsonb)) order by p.id`
  type Row = Pick<PaidPart, 'paymentId' | 'amount'> & { total: Amount; start: Date; end: Date }
  const rows = await em.execute<Row[]>(sql, [id, chargedFrom, chargedFrom, JSON.stringify(withheld)])
  const period = { start: chargedFrom.getTime(), end: currentPeriodEnd.getTime() }
  const earlier = (noted ?? []).map((share) => ({ ...share, period }))
  const own = rows.filter((row) => !earlier.some(({ paymentId }) => paymentId === row.paymentId))
  const invoiced = own.map(({ paymentId, amount, start, end }) => ({
    paymentId,
    amount,
    part: '1',
    period: { start: new Date(start).getTime(), end: new Date(end).getTime() },
  }))
  const unpaid = own
    .filter(({ start }) => new Date(start).getTime() === period.start)
    .reduce((sum, { total, amount }) => add(sum, subtract(total, amount)), '0')
  const returns = await returnsOf(em, idsOf(invoiced))
  return { paid: [...earlier, ...afterCounted(invoiced, returns, withheld)], unpaid }
}

/**
 * The refunds and disputes of some payments, and of those of which refunds have failed, or disputes were won, that are
 * withheld.
 */
export async function returnsOfCredit(
  em: EntityManager,
  paymentIds: readonly string[],
  withheld: Withheld,
): Promise<Return[]> {
  const ids = Object.keys(withheld)
  if (ids.length === 0) return returnsOf(em, paymentIds)
  const sql = `select charge_id as id from refunds where status = 'failed' and id in (?)
    union select payment_id from disputes where status = 'won' and id in (?)`
  const undone = await em.execute<{ id: string }[]>(sql, [ids, ids])
  return returnsOf(em, [...paymentIds, ...undone.map(({ id }) => id)])
}

/**
 * What a payment is worth of its sale: its amount, or what was left of a short payment when it was accepted, as its
 * settlement says. What was refunded before that, what arrives afterwards and a surplus are none of it.
 */
const keptOf = (payment: string): string => `case when ${payment}.partial then least(${payment}.amount, (
    select -sum(e.amount) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where t.kind = 'settlement' and t.source_id = ${payment}.id and e.book = 'buyer'))
  else least(${payment}.amount, ${payment}.amount_received) end`

/**
 * The refunds and disputes of some payments, each with the part of its payment that it returns, if it stands. Refunds
 * return first what has paid for no time (`keptOf`). A refund of that only has the part 0, but may be counted already.
 * A dispute is of the sale, as where a share of it is taken back.
 */
async function returnsOf(em: EntityManager, paymentIds: readonly string[]): Promise<Return[]> {
  if (paymentIds.length === 0) return []
  const sql = `select r.id, p.id as "paymentId", r.part, r.stands from (
      select id, kept, received - kept as surplus, nullif(kept - fee, 0) as settled
      from (select id, amount_received as received, fee, ${keptOf('payments')} as kept from payments) paid
    ) p cross join lateral (
      select id, created_at, stands, case when stands
        then greatest(sum - p.surplus, 0) - greatest(sum - amount - p.surplus, 0) else amount end / p.settled as part
      from (
        select id, created_at, requested_amount as amount, status <> 'failed' as stands,
          sum(requested_amount) filter (where status <> 'failed') over (order by created_at, id) as sum
        from refunds where charge_id = p.id
      ) each
      union all select id, created_at, status in ('needs_response', 'under_review', 'lost'),
        amount / nullif(p.kept, 0) from disputes where payment_id = p.id
    ) r where p.id in (?) and r.part >= 0 order by r.created_at, r.id`
  return em.execute<Return[]>(sql, [paymentIds])
}
