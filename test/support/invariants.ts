import { readdirSync } from 'node:fs'
import type { Database, EntityManager } from '../../db/core/database.ts'
import { openRowsSql, openSources } from '../../commands/open-rows.ts'
import { systemClock } from '../../engine/clock.ts'
import { endedBy } from './action-invariants.ts'
import { agendaRules } from './agenda-rules.ts'
import { rules as disputeRules } from './dispute-invariants.ts'
import { rules as ledgerRules } from './ledger-invariants.ts'
import { rules as transferRules } from './transfer-invariants.ts'
import { checkProcesses, type EngineOf, findStrays, type Looked, type Unfinished } from './running-processes.ts'

/** The rules in the files of this folder such as `payout-invariants.ts`. */
async function rulesOfFiles(): Promise<Record<string, string>> {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('-invariants.ts'))
  const found = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<{ rules: Record<string, string> }>),
  )
  return Object.assign({}, ...found.map((file) => file.rules))
}

/** What the simulated banks and networks received, in each payment's currency. */
const deposits = `
  select payment_id || '/' || session_id as id, payment_id, amount from simulated_deposits
  union all select payment_id || '/' || tx_hash, payment_id, worth from simulated_coins`

/** A page of Paystack's takes another card after one was declined: a payment `p` that has failed may then succeed. */
const hasPage = `exists (select from paystack_orders o where o.id = p.id
    and (o.channel = 'card_page' or o.next_action ->> 'type' = 'redirect'))`

/** The fee that a buyer was asked for on top of the price. */
const onTop = `case p.fee_preference when 'customer_pays' then coalesce(p.quoted_fee, p.fee) else 0 end`

/** The buyer of session `c` has picked a free plan: its trial needs no card. A pick has one line. */
const isFreePick = `(c.session_mode = 'SELECTION' and coalesce((c.line_items -> 0 ->> 'line_total')::numeric, 1) = 0)`

/** The tables whose rows are counted by their status alone, as payments are. */
const countedByStatus = ['conversions', 'invoices', 'payouts', 'refunds', 'subscriptions']
const countOf = (table: string) =>
  `union all select '${table}', account_id, environment, status, count(*) from ${table} group by 2, 3, 4`

/** What must hold in any database once all work is done. Each query returns the rows that break the rule. */
const rules: Record<string, string> = {
  ...(await rulesOfFiles()),
  'a payment has succeeded exactly when it is settled once': `
    select p.id, p.status, count(t.id) from payments p
    left join ledger_transactions t on t.kind = 'settlement' and t.source_id = p.id
    group by p.id having count(t.id) <> case p.status when 'succeeded' then 1 else 0 end`,
  'the settled amount is what arrived, and the fee is posted': `
    select p.id from payments p join ledger_transactions t on t.kind = 'settlement' and t.source_id = p.id
    where p.amount_received <> coalesce((
        select -sum(e.amount) from refunds r join ledger_transactions h on h.source_id = r.id and h.kind = 'refund_hold'
        join ledger_entries e on e.transaction_id = h.id and e.book = 'buyer'
        where r.charge_id = p.id and r.created_at < p.completed_at and (r.status <> 'failed'
          or r.completed_at > p.completed_at)), 0) + (
        select -sum(amount) from ledger_entries where amount < 0 and transaction_id in (
          select t.id union select s.id from ledger_transactions s
          join (${deposits}) d on d.id = s.source_id
          where s.kind = 'surplus' and d.payment_id = p.id))
       or p.fee <> (select coalesce(sum(amount), 0) from ledger_entries where transaction_id = t.id and book = 'fees')`,
  'the card rail and the payments agree': `
    select p.id, p.status, c.status from payments p
    join simulated_charges c on c.payment_id = p.id where c.card_token is not null
    and ((c.status = 'succeeded' and p.status <> 'succeeded')
      or (p.status = 'succeeded' and c.status <> 'succeeded' and not ${endedBy('p', 'mark_settled')}))`,
  'every card that the rail charged belongs to a payment': `
    select c.payment_id from simulated_charges c left join payments p on p.id = c.payment_id where p.id is null`,
  'every transfer at the bank, and all confirmed coins, are posted once and counted': `
    select p.id from payments p join (${deposits}) d on d.payment_id = p.id where p.news_due_at is null
    group by p.id having sum(d.amount) <> p.amount_received
      or count(*) filter (where d.amount > 0) <> (
        select count(*) from ledger_transactions t join (${deposits}) x on x.id = t.source_id
        where t.kind = 'deposit' and x.payment_id = p.id)`,
  'the wallets and the payments agree': `
    select p.id, p.status, w.status, w.executions from simulated_prompts w
    left join payments p on p.id = w.payment_id where p.id is null
      or w.executions <> case w.status when 'succeeded' then 1 else 0 end
      or (p.status = 'succeeded' and w.status <> 'succeeded' and not ${endedBy('p', 'mark_settled')})
      or (w.status = 'succeeded' and p.status <> 'succeeded' and p.news_due_at is null)`,
  'an address belongs to a payment, and its coins add up to their worth at its rate': `
    select a.payment_id from simulated_addresses a left join payments p on p.id = a.payment_id
    left join simulated_coins c on c.payment_id = a.payment_id group by a.payment_id, a.rate, p.id
    having p.id is null or coalesce(sum(c.worth), 0) <> trunc(coalesce(sum(c.coins), 0) * a.rate, 2)`,
  'a sale of products costs the sum of its lines, and its payments are for the same': `
    select c.id from checkouts c where not c.setup and jsonb_typeof(c.line_items) = 'array' and c.amount <> (
        select sum((item ->> 'line_total')::numeric) from jsonb_array_elements(c.line_items) item)
      or (c.session_mode = 'CART' and exists (select from payments p where p.checkout_id = c.id
        and p.line_items is distinct from c.line_items))
      or (c.status = 'completed' and exists (select from payments p where p.id = c.payment_id
        and p.line_items is distinct from c.line_items))`,
  'a payment that its rail has failed is not looked up again, unless it has a page that takes another card': `
    select id from payments p where news_due_at is not null and status = 'failed'
      and not ${endedBy('p', 'mark_failed')}
      and not ${hasPage}`,
  'every transfer to a virtual account is one payment to its owner, in full': `
    select s.session_id, d.id, p.status from simulated_deposits s
    join virtual_accounts v on v.account_number = s.account_number and v.bank_name = 'Sandbox Bank'
    left join deposits d on d.session_id = s.session_id and d.virtual_account_id = v.id
    left join payments p on p.id = d.id
    where p.id is null or s.account_id <> v.account_id or p.checkout_id is not null
      or (p.account_id, p.environment) <> (v.account_id, v.environment) or p.customer_id is distinct from v.customer_id
      or not (p.status in ('processing', 'succeeded') or (p.status = 'failed' and ${endedBy('p', 'mark_failed')}))
      or p.amount_received <> case p.status when 'succeeded' then s.amount else 0 end`,
  'a deposit comes from the bank, into an account that exists': `
    select d.id from deposits d left join virtual_accounts v on v.id = d.virtual_account_id
    left join simulated_deposits s on s.session_id = d.session_id and s.account_number = v.account_number
    where d.environment = 'sandbox' and s.session_id is null`,
  'a payment link counts its completed sessions, and has no more than it may have': `
    select l.id, l.completed_count, l.max_completions, count(c.id) from payment_links l
    left join checkouts c on c.payment_link_id = l.id and c.status = 'completed'
    group by l.id having l.completed_count <> count(c.id) or l.completed_count > l.max_completions`,
  'a session of a payment link belongs to the link’s owner': `
    select c.id from checkouts c left join payment_links l on l.id = c.payment_link_id
      and (l.account_id, l.environment) = (c.account_id, c.environment)
    where (c.source_type = 'PAYMENT_LINK' or c.payment_link_id is not null) and l.id is null`,
  'a session has the events of its one end': `
    select c.id, c.status from checkouts c left join events e on e.resource_id = c.id group by c.id
    having count(*) filter (where e.type = 'checkout.completed') <> case c.status when 'completed' then 1 else 0 end
        or count(*) filter (where e.type = 'checkout.expired') <> case c.status when 'expired' then 1 else 0 end`,
  'a payment has the events of its end': `
    select p.id, p.status from payments p left join events e on e.resource_id = p.id group by p.id
    having count(*) filter (where e.type = 'collection.succeeded') <> case p.status when 'succeeded' then 1 else 0 end
        or count(*) filter (where e.type = 'collection.failed')
          - case when p.status = 'failed' or ${endedBy('p', 'mark_failed')} then 1 else 0 end
          not in (0, case when p.status = 'succeeded' and ${hasPage} then 1 else 0 end)
        or (p.status = 'underpaid' and count(*) filter (where e.type = 'collection.underpaid') = 0)`,
  'a converted payment is the sale’s amount at its rate, to the last unit': `
    select p.id from payments p join checkouts c on c.id = p.checkout_id
    where (p.rate is not null) <> (p.currency <> c.currency)
      or (p.rate is null and c.session_mode = 'CART'
        and c.amount <> p.amount - ${onTop})
      or (p.rate is not null and (p.base_currency <> c.currency
        or (c.session_mode = 'CART' and p.base_amount <> c.amount)
        or round(p.base_amount * p.rate, case when p.currency in ('RWF', 'UGX', 'XAF', 'XOF') then 0 else 2 end)
          <> p.amount - ${onTop}))`,
  'a completed session is billed in the currency that was paid': `
    select c.id from checkouts c join payments p on p.id = c.payment_id where c.status = 'completed'
      and (p.corridor is distinct from c.corridor or coalesce(c.billing_currency, c.currency) <> p.currency
        or c.rate is distinct from p.rate)`,
  'a session that saves a card has no payment, and has saved a card exactly when it is completed': `
    select c.id from checkouts c left join saved_payment_methods m on m.checkout_id = c.id
    where c.setup and (exists (select from payments p where p.checkout_id = c.id)
      or (c.status = 'completed' and m.id is null and not ${isFreePick})
      or (c.status <> 'completed' and m.id is not null) or m.customer_id <> c.customer_id
      or (select count(*) from card_setups s where s.checkout_id = c.id and s.status = 'succeeded')
        <> case when m.id is null then 0 else 1 end)
    union all select m.id from saved_payment_methods m left join checkouts c on c.id = m.checkout_id
      and (c.setup or c.recurring is not null or c.invoice_id is not null)
    where c.id is null`,
  'the card network and the saved cards agree': `
    select s.setup_id from simulated_setups s left join card_setups c on c.id = s.setup_id
    where c.id is null or (c.status = 'succeeded' and s.status <> 'succeeded')
      or (c.status = 'failed') <> (s.status = 'failed')`,
  'an ended session has no card that still waits for its buyer': `
    select s.id from card_setups s join checkouts c on c.id = s.checkout_id
    where c.status <> 'open' and s.status in ('processing', 'requires_action')`,
  'a customer was created once': `
    select c.id from customers c left join events e on e.resource_id = c.id and e.type = 'customer.created'
    group by c.id having count(e.id) <> 1`,
  'a completed session was paid by one payment, or was free': `
    select id from checkouts where status = 'completed' and (payment_status <> 'succeeded'
      or (amount > 0 and not exists (select from payments p where p.id = payment_id and p.status = 'succeeded')))`,
  'a sale keeps the whole payment of one attempt alone': `
    select checkout_id, array_agg(id) from payments p
    where checkout_id is not null and status = 'succeeded' and not duplicate and not partial
      and not exists (select from refunds r where r.charge_id = p.id) group by 1 having count(*) > 1`,
  'an ended session has no attempt that still waits for its buyer': `
    select p.id, p.status from payments p join checkouts c on c.id = p.checkout_id
    where c.status <> 'open' and p.status = 'requires_action'`,
  'an expired or cancelled session has a canceled payment status': `
    select id, status, payment_status from checkouts
    where status in ('expired', 'cancelled') and payment_status <> 'canceled'`,
  'attempts are numbered without a gap and agree with the status of their delivery': `
    select d.id from deliveries d left join delivery_attempts a on a.delivery_id = d.id group by d.id
    having d.attempt_count <> count(a.number) or d.attempt_count <> coalesce(max(a.number), 0)
        or (d.status = 'failed' and d.attempt_count <> d.attempts_max and not exists (select from operator_actions o
          where o.resource_id = d.id and o.action = 'mark_failed' and o.state = 'executed'))
        or (d.status = 'succeeded') <>
           coalesce(bool_or(a.error is null and a.response_status between 200 and 299), false)`,
  'every endpoint whose filter has an event has exactly one automatic delivery of it': `
    select e.id, w.id from events e join webhook_endpoints w on w.account_id = e.account_id
      and w.environment = e.environment and w.created_at < e.created_at and w.updated_at < e.created_at
      and w.account_scope <> 'connected' and ('*' = any(w.events) or e.type = any(w.events))
      and not e.is_test and e.body <> '' and w.simulated_answers is null
    left join deliveries d on d.event_id = e.id and d.endpoint_id = w.id and d.trigger = 'automatic'
    group by e.id, w.id having count(d.id) <> 1`,
  'an endpoint is disabled for failing only after 72 hours, and 48 hours after its mail': `
    select id from webhook_endpoints where disabled_reason is not null and (enabled or warned_at is null
      or disabled_at < failing_since + interval '72 hours' or disabled_at < warned_at + interval '48 hours')`,
  'the reserved money is that of open refunds, conversions, payouts and disputes': `
    select * from (
      select account_id, environment, currency, sum(amount) as reserved from ledger_entries where book = 'reserved'
      group by 1, 2, 3) books
    full join (
      select account_id, environment, currency, sum(amount) as held from (
        select account_id, environment, currency,
          requested_amount + case fee_bearer when 'ORG' then fee_amount else 0 end as amount
        from refunds where status in ('pending', 'processing')
        union all select account_id, environment, from_currency, from_amount
        from conversions where status in ('pending', 'processing')
        union all select account_id, environment, currency, amount + fee
        from disputes where status in ('needs_response', 'under_review')
        union all select account_id, environment, source_currency, source_amount + fee
        from payouts where status in ('requested', 'pending', 'approved', 'processing')) holding group by 1, 2, 3) held
      using (account_id, environment, currency)
    where coalesce(reserved, 0) <> coalesce(held, 0)`,
  'refunds of a charge that have not failed fit its settled amount, and the payment counts them': `
    select p.id, p.refund_claimed, p.refunded_amount from payments p left join refunds r on r.charge_id = p.id
    group by p.id having p.refund_claimed
        > greatest(p.amount_received - case p.status when 'underpaid' then 0 else p.fee end, 0)
      or p.refund_claimed <> coalesce(sum(r.requested_amount) filter (where r.status <> 'failed'), 0)
      or p.refunded_amount <> coalesce(sum(r.requested_amount) filter (where r.status = 'succeeded'), 0)`,
  'a refund has one hold, and then one payment or one release; a returned payment is reversed': `
    select r.id, r.status from refunds r left join ledger_transactions t on t.source_id = r.id group by r.id
    having count(*) filter (where t.kind = 'refund_hold') <> 1
        or count(*) filter (where t.kind = 'refund_paid') - count(*) filter (where t.kind = 'refund_returned')
          <> case r.status when 'succeeded' then 1 else 0 end
        or count(*) filter (where t.kind in ('refund_released', 'refund_returned'))
          <> case r.status when 'failed' then 1 else 0 end`,
  'a refund takes the requested amount, sends it and keeps its fee, or takes nothing': `
    select r.id, r.status, e.book, sum(e.amount) from refunds r
    join ledger_transactions t on t.source_id = r.id
    join (select transaction_id, amount,
        case when book in ('buyer', 'owed') then 'merchant' else book end as book from ledger_entries) e
      on e.transaction_id = t.id
    where r.status in ('succeeded', 'failed') group by r.id, e.book
    having sum(e.amount) <> case
      when r.status = 'failed' or e.book = 'reserved' then 0
      when e.book = 'rail' then r.refunded_amount
      when e.book = 'fees' then r.fee_amount
      when r.fee_bearer = 'ORG' then -r.requested_amount - r.fee_amount
      else -r.requested_amount end`,
  'rails and refunds agree one to one': `
    select coalesce(r.id, s.refund_id), r.status, s.status from refunds r
    full join simulated_refunds s on s.refund_id = r.id
    where r.id is null or (r.status = 'failed' and s.status = 'succeeded')
       or (s.status = 'returned' and r.status <> 'failed')
       or (s.status <> 'returned' and exists (
         select from ledger_transactions t where t.source_id = r.id and t.kind = 'refund_returned'))
       or (r.status = 'succeeded' and not exists (select from stripe_orders o where o.order_id = r.id)
         and not exists (select from paystack_orders o where o.id = r.id)
         and (s.amount <> r.refunded_amount
         or (s.status is distinct from 'succeeded' and not ${endedBy('r', 'mark_settled')})))`,
  'a refund has the events of its life': `
    select r.id, r.status from refunds r left join events e on e.resource_id = r.id group by r.id
    having count(*) filter (where e.type = 'refund.created') <> 1
        or count(*) filter (where e.type = 'refund.paid') <> (
          select count(*) from ledger_transactions t where t.source_id = r.id and t.kind = 'refund_paid')
        or count(*) filter (where e.type = 'refund.failed') <> case r.status when 'failed' then 1 else 0 end`,
  'the newest review of a destination agrees with it, and all others are closed': `
    select d.id, d.status, d.revision, r.revision, r.state, r.decision from payout_destinations d
    left join reviews r on r.type = 'payout_destination' and r.resource_id = d.id
    where r.id is null or r.revision > d.revision or (r.revision < d.revision and r.state = 'open')
       or (r.revision = d.revision and concat_ws(' ', r.state, r.decision) <> case
         when d.status = 'approved' then 'decided approve' when d.status = 'rejected' then 'decided reject'
         when d.deactivated_at is null then 'open' else 'withdrawn' end)`,
  'a destination has one review for each time it was stated': `
    select d.id from payout_destinations d left join reviews r on r.resource_id = d.id group by d.id
    having count(r.id) <> d.revision`,
  'a decision by staff is in the audit log once': `
    select r.resource_id, r.decision, count(*) from reviews r where r.decided_by is not null
    group by r.type, r.resource_id, r.decision, r.decided_by having count(*) <> (
      select count(*) from audit_entries a where a.target = r.resource_id and a.user_id = r.decided_by
        and a.action = r.type || case r.decision when 'approve' then '.approved' when 'reject' then '.rejected'
          else '.asked_for_information' end)`,
  'an account has at most one default destination for a currency, and it is active': `
    select account_id, environment, currency from payout_destinations where is_default group by 1, 2, 3
    having count(*) > 1 or bool_or(status = 'rejected' or deactivated_at is not null)`,
  'no outbox row is older than a minute': `
    select id, process, resource_id, last_error from outbox where created_at < now() - interval '60 seconds'`,
  'the row counts are right': `
    select * from (
      select 'checkouts' as name, account_id, environment, status || '/' || payment_status as facet, count(*) as n
        from checkouts group by 2, 3, 4
      union all select 'customers', account_id, environment, '', count(*) from customers group by 2, 3
      union all select 'payments', account_id, environment, status || '/' || corridor, count(*)
        from payments group by 2, 3, 4
      union all select 'balance_transactions', account_id, environment, type || '/' || currency, count(*)
        from balance_transactions group by 2, 3, 4
      union all select 'transfers', account_id, environment, kind, count(*) from transfers group by 2, 3, 4
      union all select 'disputes', account_id, environment, status || '/' || reason, count(*)
        from disputes group by 2, 3, 4
      union all select 'payment_links', account_id, environment, '', count(*) from payment_links group by 2, 3
      union all select 'products', account_id, environment, '', count(*) from products group by 2, 3
      union all select 'virtual_accounts', account_id, environment, '', count(*) from virtual_accounts group by 2, 3
      union all select 'payout_destinations', account_id, environment,
        status || '/' || currency || '/' || type, count(*)
        from payout_destinations where deactivated_at is null group by 2, 3, 4
      union all select 'deliveries', account_id, environment,
        endpoint_id || '/' || status || '/' || event_type, count(*)
        from deliveries group by 2, 3, 4
      union all select 'events', account_id, environment, type, count(*)
        from events where not is_test and body <> '' group by 2, 3, 4
      union all select 'accounts', owner_id, env, coalesce(environment, 'both'), count(*)
        from accounts, unnest('{sandbox,live}'::text[]) env
        where owner_id is not null and env = coalesce(environment, env) group by 2, 3, 4
      union all select 'account_profiles', a.owner_id, p.environment,
        coalesce(a.environment, 'both') || '/' || p.status || '/' || coalesce(p.country, ''), count(*)
        from account_profiles p join accounts a on a.id = p.account_id
        where a.owner_id is not null and p.environment = coalesce(a.environment, p.environment) group by 2, 3, 4
      ${countedByStatus.map(countOf).join(' ')}) real
    full join (
      select table_name as name, account_id, environment, facet, sum(count) as n from row_counts group by 1, 2, 3, 4
    ) counted using (name, account_id, environment, facet)
    where coalesce(real.n, 0) <> coalesce(counted.n, 0)`,
  'the sums of days are those of the payments': `
    select * from (
      select account_id, environment, (created_at at time zone 'UTC')::date as day, corridor, currency,
        coalesce(sum(amount_received) filter (where status = 'succeeded'), 0) as amount,
        count(*) filter (where status = 'succeeded') as succeeded, count(*) filter (where status = 'failed') as failed
      from payments where status in ('succeeded', 'failed') and not duplicate group by 1, 2, 3, 4, 5) made
    full join (
      select account_id, environment, day, corridor, currency, sum(amount) as amount, sum(succeeded) as succeeded,
        sum(failed) as failed from payment_days group by 1, 2, 3, 4, 5
    ) kept using (account_id, environment, day, corridor, currency)
    where (coalesce(made.amount, 0), coalesce(made.succeeded, 0), coalesce(made.failed, 0))
      <> (coalesce(kept.amount, 0), coalesce(kept.succeeded, 0), coalesce(kept.failed, 0))`,
  'an upload is attached as often as something uses it, is private or public by that, and every use has its upload': `
    select id, attachments, uses, visibility, used_as from uploads full join (
      select upload_id as id, count(*) as uses, string_agg(distinct seen_by, ' and ') as used_as from (
        select unnest(image_ids) as upload_id, 'public' as seen_by from products
        union all select logo_id, 'public' from account_settings
        union all select upload_id, 'private' from documents) used
      where upload_id is not null group by 1) used using (id)
    where attachments is distinct from coalesce(uses, 0) or visibility is distinct from used_as`,
  'an upload has its content, and every content has its upload': `
    select id, size from uploads full join (select upload_id as id, length(bytes) as length from upload_contents) kept
      using (id) where size is distinct from length`,
  'no two events have the same sequence number': 'select sequence from events group by 1 having count(*) > 1',
}

/** How many rules hold in any database. */
export const ruleCount = Object.keys(rules).length

const unfinished = (at: number): Unfinished[] =>
  openSources.map((source) => [source.process, `select id from (${openRowsSql(source, at)}) c where true`])

async function brokenRules(em: EntityManager, checked: Record<string, string>): Promise<string[]> {
  const violations: string[] = []
  for (const [rule, sql] of Object.entries(checked)) {
    const rows = await em.execute<object[]>(`${sql} limit 5`)
    violations.push(...rows.map((row) => `${rule}: ${JSON.stringify(row)}`))
  }
  return violations
}

/** Whether the counts that are kept beside rows are those of the rows. */
export const checkCounts = ({ orm }: Database): Promise<string[]> =>
  brokenRules(
    orm.em.fork(),
    Object.fromEntries(Object.entries(rules).filter(([rule]) => /^the (row counts|sums of days) are /.test(rule))),
  )

/** The violations of the ledger's own rules only, for movements that belong to no payment or refund. */
export const checkLedger = ({ orm }: Database): Promise<string[]> => brokenRules(orm.em.fork(), ledgerRules)

/** The violations of the rules of ledger, transfers and disputes, for sales that no process has made. */
export const checkBooks = ({ orm }: Database): Promise<string[]> =>
  brokenRules(orm.em.fork(), { ...ledgerRules, ...transferRules, ...disputeRules })

/** Every violation, in words; empty if all rules hold. With an engine its processes are compared with the rows too. */
export const checkInvariants = async (
  database: Database,
  engine?: EngineOf,
  at: number | Promise<number> = systemClock.now(),
): Promise<string[]> => (await look(database, engine, await at)).violations

/** What is looked at by `npm run invariants`, with the number of rows that were compared with their processes. */
export async function look({ orm }: Database, engine: EngineOf | undefined, at: number): Promise<Looked> {
  const em = orm.em.fork()
  const violations = await brokenRules(em, { ...rules, ...agendaRules(at) })
  if (!engine) return { rows: 0, violations }
  const { rows, violations: missing } = await checkProcesses(em, engine.client, unfinished(at))
  return { rows, violations: [...violations, ...missing, ...(await findStrays(em, engine, at))] }
}
