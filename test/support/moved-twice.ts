import type { Stack } from './stack.ts'

/** For what the rails have moved money, in words, and the ids of the orders that did so. */
export type Moved = Map<string, Set<string>>

/**
 * Each order that has moved money, by what it was for. A rail keeps an order once for each id, so money that moves
 * twice moves by two ids: a sale, a period of a subscription, a run of a schedule, a refund or a quote then has two of
 * them. The id of a schedule's payout begins with the moment of its run (decision 0118). What goes back by itself,
 * because another payment came first, counts for nothing; a refund that a process makes has a reason, and may be one of
 * several of its payment, which bounds them.
 */
const orders = `
  select case when i.id is null then 'the sale ' || p.checkout_id
      else concat_ws(' ', i.billing_reason, 'of', i.subscription_id, 'from', i.period_start) end as purpose,
      p.id as "order"
    from payments p left join invoices i on i.id = p.invoice_id
    where (p.checkout_id is not null or i.id is not null) and not exists (
        select from refunds r where r.charge_id = p.id and r.reason in ('duplicate', 'late payment'))
      and p.id in (select payment_id from simulated_charges where status = 'succeeded'
      union all select payment_id from simulated_prompts where status = 'succeeded')
  union all select 'the run of ' || p.schedule_id || ' at ' || left(p.id, 14), p.id
    from payouts p join simulated_payouts s on s.payout_id = p.id
    where p.schedule_id is not null and s.status in ('completed', 'returned')
  union all select 'the refund ' || r.reference || ' of ' || r.charge_id, r.id
    from refunds r join simulated_refunds s on s.refund_id = r.id where s.status = 'succeeded' and r.reason is null
  union all select 'the quote ' || c.quote_id, c.id
    from conversions c join simulated_conversions s on s.conversion_id = c.id where s.status = 'completed'`

/** What the simulated rails have moved money for, with what they had moved `before`, whose rows may be lost. */
export async function findMoved({ sql }: Pick<Stack, 'sql'>, before: Moved = new Map()): Promise<Moved> {
  const moved: Moved = new Map([...before].map(([purpose, ids]) => [purpose, new Set(ids)]))
  for (const { purpose, order } of await sql<{ purpose: string; order: string }>(orders)) {
    moved.set(purpose, (moved.get(purpose) ?? new Set()).add(order))
  }
  return moved
}

/** What money has moved for more than once, in words. */
export const movedTwice = (moved: Moved): string[] =>
  [...moved].flatMap(([purpose, ids]) =>
    ids.size === 1 ? [] : [`money moved ${ids.size} times for ${purpose}: ${[...ids].join(', ')}`],
  )
