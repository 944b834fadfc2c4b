import { currencyCodes, perUsd } from '../../domain/currency.ts'

/**
 * The invoices that a subscription's periods are paid by: one for each, unless it was taken back (one that was paid is
 * noted then, see `takeBackAhead`, and its money goes back), or refunded whole before its period began.
 */
const ofPeriods = `select * from invoices each where billing_reason in ('subscription_create', 'subscription_cycle')
  and status <> 'void'
  and not exists (select from subscriptions s where s.id = each.subscription_id and jsonb_exists(s.withheld, each.id)
    and (each.payment_id is null or exists (select from refunds r where r.charge_id = each.payment_id)))
  and not exists (select from payments p join refunds r on r.charge_id = p.id
    where p.id = each.payment_id and r.status = 'succeeded' and r.completed_at <= each.period_start
    and p.refunded_amount >= p.amount_received - p.fee)`

/** The payments that have paid something, also where the paid period was then not used, and were not unwanted. */
const kept = `select p.* from payments p where p.invoice_id is not null and p.status = 'succeeded' and not p.duplicate
  and not exists (select from refunds r where r.charge_id = p.id
    and r.reason in ('late payment', 'duplicate'))`

/** What one US dollar is worth in each currency. */
const dollars = `(values ${currencyCodes.map((code) => `('${code}', ${perUsd(code)})`).join(', ')}) d (currency, worth)`

/**
 * Whether an invoice is worth less than a card in another currency can be charged: half a cent, by a rate that may
 * differ a little. It has no payment.
 */
const tooSmall = `i.total > 0 and i.payment_id is null and p.id is null and exists (
  select from subscriptions s join ${dollars} on d.currency = i.currency
  where s.id = i.subscription_id and split_part(s.corridor, '_', 1) <> i.currency and i.total < d.worth * 0.006)`

/** What must hold for subscriptions and invoices in any database once all work is done. */
export const rules: Record<string, string> = {
  'a subscription comes from one completed checkout of a recurring product, and each of those began one': `
    select s.id from subscriptions s left join checkouts c on c.id = s.checkout_id
    where c.id is null or c.status <> 'completed' or c.recurring is null or c.subscription_id <> s.id
    union all select c.id from checkouts c left join subscriptions s on s.checkout_id = c.id
    where (c.recurring is not null and c.status = 'completed') <> (s.id is not null)`,
  'every period has one invoice, and a trial has none': `
    select subscription_id, period_start from (${ofPeriods}) i group by subscription_id, period_start
    having count(*) > 1
    union all select s.id, s.current_period_start from subscriptions s
    where s.current_period_end is distinct from s.trial_end and s.status <> 'paused' and not exists (
      select from invoices i where i.subscription_id = s.id and i.period_end = s.current_period_end
        and (i.billing_reason <> 'subscription_update'
          or i.line_items @> '[{"kind": "plan"}]'))`,
  'no time is invoiced twice: a period begins when the one before has ended, or a change of plan has ended it': `
    select i.id from (${ofPeriods}) i join (${ofPeriods}) o on o.subscription_id = i.subscription_id
      and o.period_start < i.period_start and o.period_end > i.period_start
    where not exists (select from invoices u where u.subscription_id = i.subscription_id
      and u.billing_reason = 'subscription_update' and u.line_items @> '[{"kind": "plan"}]'
      and u.period_start >= o.period_start and u.period_start <= i.period_start)`,
  'nothing is invoiced for a time after the end of a subscription': `
    select i.id from (${ofPeriods}) i join subscriptions s on s.id = i.subscription_id
    where i.period_start >= s.ended_at and not (i.period_start = s.created_at) and i.total > 0
      and i.status in ('open', 'paid') and not exists (select from refunds r where r.charge_id = i.payment_id)`,
  'no card is charged after the end of a subscription': `
    select p.id from payments p join subscriptions s on s.id = p.subscription_id
    where p.checkout_id is null and p.created_at > s.ended_at`,
  'the lines of an invoice add up to its total': `
    select id from invoices where total <> (
      select coalesce(sum((line ->> 'line_total')::numeric), 0) from jsonb_array_elements(line_items) line)`,
  'a paid invoice is paid by one payment of its total; one of nothing, or of less than the card can pay, by none': `
    select i.id from invoices i left join (${kept}) p on p.invoice_id = i.id
    where i.status = 'paid' and not (${tooSmall}) group by i.id
    having count(p.id) <> case when i.total = 0 then 0 else 1 end
      or (i.total > 0 and min(coalesce(p.base_amount,
        case p.fee_preference when 'customer_pays' then p.amount - p.fee else p.amount end)) <> i.total)
      or (i.total > 0 and min(p.id) is distinct from i.payment_id)`,
  'only a paid invoice has a payment that was kept': `
    select i.id from invoices i join (${kept}) p on p.invoice_id = i.id where i.status <> 'paid'`,
  'the numbers of an account’s invoices have no gap': `
    select c.account_id, c.environment from invoice_counts c left join invoices i
      on i.account_id = c.account_id and i.environment = c.environment and i.number is not null
    group by c.account_id, c.environment, c.count
    having count(i.id) <> c.count
      or max(i.number) <> 'INV-' || lpad(c.count::text, greatest(6, length(c.count::text)), '0')
    union all select account_id, environment from invoices i where number is not null and not exists (
      select from invoice_counts c where c.account_id = i.account_id and c.environment = i.environment)`,
  'a subscription that is past due owes an invoice, and an active one owes none': `
    select s.id, s.status from subscriptions s where s.charge_due_at is null and s.payment_id is null
      and s.status in ('past_due', 'active') and (s.status = 'past_due') <> exists (
        select from invoices i where i.subscription_id = s.id and i.status = 'open'
          and i.due_at < s.current_period_end)`,
  'a past due subscription with an open invoice is charged, will be, or has a day on which it ends': `
    select s.id from subscriptions s where s.status = 'past_due' and s.charge_due_at is null and s.payment_id is null
      and s.next_payment_attempt_at is null and s.dunning_ends_at is null and exists (
        select from invoices i where i.subscription_id = s.id and i.status = 'open')`,
  'an ended subscription has no open invoice, and charges nothing': `
    select s.id from subscriptions s where s.status = 'canceled' and (s.charge_due_at is not null
      or s.wakes_at is not null or exists (
        select from invoices i where i.subscription_id = s.id and i.status = 'open'))`,
  'a payment under way is the subscription’s own, and is not decided': `
    select s.id from subscriptions s left join payments p on p.id = s.payment_id
    where s.payment_id is not null and (p.subscription_id is distinct from s.id or p.status <> 'processing')
    union all select p.id from payments p join subscriptions s on s.id = p.subscription_id
    where p.checkout_id is null and p.status = 'processing' and s.payment_id is distinct from p.id`,
  'a subscription is told as created once, as past due not twice in a row, and its end once at most': `
    select resource_id from events where type = 'customer.subscription.created' group by resource_id
    having count(*) > 1
    union all select resource_id from (
      select resource_id, type, lag(type) over (partition by resource_id order by sequence) as before from events
      where type in ('customer.subscription.past_due', 'customer.subscription.renewed',
        'customer.subscription.updated', 'customer.subscription.resumed', 'customer.subscription.canceled')) told
    where type = 'customer.subscription.past_due' and before = type
    union all select e.resource_id from events e join subscriptions s on s.id = e.resource_id
    where e.type = 'customer.subscription.canceled' group by e.resource_id, s.status
    having count(*) > 1 and s.status = 'canceled' and not exists (select from events r
      where r.resource_id = e.resource_id and r.type = 'customer.subscription.renewed')`,
  'an invoice is told as paid once, and only if it is': `
    select i.id from invoices i left join events e on e.resource_id = i.id and e.type = 'invoice.paid'
    group by i.id, i.status having count(e.id) <> case i.status when 'paid' then 1 else 0 end`,
  'a renewal is told after its invoice was paid, and once for each period that began': `
    select e.resource_id from events e join subscriptions s on s.id = e.resource_id
    where e.type = 'customer.subscription.renewed' group by e.resource_id
    having count(*) > (select count(*) from invoices i where i.subscription_id = e.resource_id
      and i.billing_reason = 'subscription_cycle' and i.status <> 'draft')`,
  'every mail about a subscription was sent': `select id from subscription_mails where sent_at is null`,
}
