-- A database of `:payments` sales in 80 days, with what each of them leaves and the other resources in proportion.
-- Row `n` of each table belongs to `pg_temp.owner(n)`, and refers to rows with the same number, so that all of them are
-- of one merchant. A rare value, such as a failed payout, is in a hundred rows whatever the size of the table: a page
-- that is filtered by it is as long in a small database as in a large one.
create function pg_temp.id(prefix text, n bigint) returns text language sql immutable as $$
  select prefix || '_' || lpad(n::text, 34, '0') $$;
create function pg_temp.at(n bigint, of bigint) returns timestamptz language sql stable as $$
  select now() - (of - n) * interval '80 days' / of $$;
create function pg_temp.rare(n bigint, of bigint) returns boolean language sql immutable as $$
  select n % greatest(of / 100, 10) = 0 $$;
create function pg_temp.owner(n bigint) returns text language sql immutable as $$
  select case when :all_of_one or n % 10 = 0 then ':merchant'
    else pg_temp.id('acct', 1 + (n - n / 10 - 1) % :accounts) end $$;
-- The customer of row `n`: of the same merchant, as the merchants repeat after 100,000 rows.
create function pg_temp.customer(n bigint) returns text language sql immutable as $$
  select pg_temp.id('cust', 1 + (n - 1) % :customers) $$;

insert into accounts (id, name, owner_id, environment, payments_enabled, created_at)
select pg_temp.id('acct', n), 'Seller ' || n, ':merchant', 'sandbox', true, pg_temp.at(n, :accounts)
from generate_series(1, :accounts) n;
insert into account_profiles (id, account_id, environment, status, country, business_type, email, business_profile,
  company, metadata, requested, verified, errors, deadlines, created_at, updated_at)
select pg_temp.id('acct', n), pg_temp.id('acct', n), 'sandbox',
  case when pg_temp.rare(n, :accounts) then 'restricted' else 'active' end,
  case when pg_temp.rare(n, :accounts) then 'GH' else 'NG' end, 'company', 'seller-' || n || '@example.com',
  '{}', '{}', '{}', '[]', '[]', '[]', '{}', pg_temp.at(n, :accounts), pg_temp.at(n, :accounts)
from generate_series(1, :accounts) n;
insert into account_capabilities (account_id, environment, capability, status, updated_at)
select pg_temp.id('acct', n), 'sandbox', capability, 'active', now()
from generate_series(1, :accounts) n, unnest('{card_payments,payouts,transfers}'::text[]) capability;
insert into account_persons (id, account_id, environment, is_representative, first_name, last_name, created_at, updated_at)
select pg_temp.id('per', n), pg_temp.id('acct', n), 'sandbox', true, 'Ada', 'Seller', now(), now()
from generate_series(1, :accounts) n;
-- Everybody's endpoint is switched off, so that nothing is sent.
insert into webhook_endpoints (id, account_id, environment, url, sealed_secret, enabled, events, created_at, updated_at)
select pg_temp.id('we', n), case n when 0 then ':merchant' else pg_temp.id('acct', n) end, 'sandbox',
  'https://example.com/hooks', 'x', false, '{*}', now(), now() from generate_series(0, :accounts) n;
insert into users (id, account_id, role, email, full_name, password_hash, created_at)
select pg_temp.id('usr', n), pg_temp.id('acct', n), 'owner', 'owner-' || n || '@example.com', 'Owner', 'x', now()
from generate_series(1, :accounts) n;

-- The triggers of this table make what searches for one or two letters read, and count.
set session_replication_role = origin;
insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
select pg_temp.id('cust', n), pg_temp.owner(n), 'sandbox',
  case when pg_temp.rare(n, :customers) then 'zara-' else 'buyer-' end || n || '@example.com',
  case when pg_temp.rare(n, :customers) then 'Xu Wei ' else 'Buyer ' end || n, '{}', pg_temp.at(n, :customers),
  pg_temp.at(n, :customers) from generate_series(1, :customers) n;
set session_replication_role = replica;
insert into saved_payment_methods (id, account_id, environment, customer_id, corridor, rail_token, brand, last4,
  exp_month, exp_year, country, checkout_id, created_at)
select pg_temp.id('pm', n), pg_temp.owner(n), 'sandbox', pg_temp.id('cust', n), 'USD_CARD', 'tok_' || n, 'visa', '4242',
  12, 2034, 'NG', pg_temp.id('chk', n), pg_temp.at(n, :customers) from generate_series(1, :customers) n;

-- One in a hundred sessions is open; a rare one has expired, and its payment has failed.
insert into checkouts (id, account_id, environment, status, payment_status, source_type, amount, currency, description,
  reference, fee_preference, customer_id, customer_details, success_url, metadata, client_secret_hash, payment_id,
  corridor, revision, created_at, updated_at, expires_at, completed_at)
select pg_temp.id('chk', n), pg_temp.owner(n), 'sandbox', case when failed then 'expired' else 'completed' end,
  case when failed then 'failed' else 'succeeded' end, 'CHECKOUT_SESSION', 25, 'USD', 'A sale', 'order-' || n,
  'org_pays', pg_temp.customer(n), '{"email": "ada@example.com", "name": "Ada Buyer"}', 'https://example.com/thanks',
  '{}', repeat('0', 64), case when not failed then pg_temp.id('pay', n) end, 'USD_CARD', 4, at, at,
  at + interval '1 hour', case when not failed then at end
from generate_series(1, :payments) n,
  lateral (select pg_temp.at(n, :payments) as at, pg_temp.rare(n, :payments) as failed) t;
insert into checkouts (id, account_id, environment, status, payment_status, source_type, amount, currency, description,
  reference, fee_preference, success_url, metadata, client_secret_hash, created_at, updated_at, expires_at)
select pg_temp.id('chk', :payments + n), pg_temp.owner(:payments + n), 'sandbox', 'open', 'requires_payment_method',
  'CHECKOUT_SESSION', 25, 'USD', 'A sale', 'open-' || n, 'org_pays', 'https://example.com/thanks', '{}',
  repeat('0', 64), at, at, at + interval '2 days'
from generate_series(1, :waiting) n, lateral (select now() - n * interval '1 day' / :waiting as at) t;
insert into payments (id, account_id, environment, checkout_id, status, amount, amount_received, settles, fee, fee_usd,
  fee_preference, currency, corridor, customer_id, customer_details, reference, metadata, failure_code, created_at,
  updated_at, completed_at)
select pg_temp.id('pay', n), pg_temp.owner(n), 'sandbox', pg_temp.id('chk', n),
  case when failed then 'failed' else 'succeeded' end, 25, case when failed then 0 else 25 end, 24, 1, 1, 'org_pays',
  'USD', case when pg_temp.rare(n + 10, :payments) then 'NGN_BANK_TRANSFER' else 'USD_CARD' end, pg_temp.customer(n),
  '{"email": "ada@example.com", "name": "Ada Buyer"}', 'order-' || n, '{}',
  case when failed then 'card_declined' end, at, at, at
from generate_series(1, :payments) n,
  lateral (select pg_temp.at(n, :payments) as at, pg_temp.rare(n, :payments) as failed) t;
insert into payment_requests (id, checkout_id, corridor, rail_token, customer_details, created_at)
select pg_temp.id('pr', n), pg_temp.id('chk', n), 'USD_CARD', 'tok_' || n, '{"email": "ada@example.com"}',
  pg_temp.at(n, :payments) from generate_series(:payments - :payments / 12, :payments) n;
insert into timeline_items (account_id, environment, resource_id, from_status, status, at, actor, poll_count, event_ids,
  ledger_transaction_ids)
select account_id, environment, r.id, was, became, created_at, 'rail', 0, '{}', '{}' from payments p,
  lateral (values (p.id, 'processing', p.status), (p.checkout_id, 'open', 'completed')) r (id, was, became);

insert into ledger_transactions (id, kind, source_id, created_at)
select 'txn_' || right(id, 34), 'settlement', id, created_at from payments where status = 'succeeded';
-- What became available more than three days ago is rolled up, as after a payout.
insert into ledger_entries (transaction_id, account_id, environment, book, currency, amount, available_at, created_at,
  folded)
select 'txn_' || right(p.id, 34), account_id, environment, book, 'USD', e.amount, available_at, created_at,
  book = 'merchant' and available_at < now() - interval '3 days'
from payments p, (values ('rail', -25), ('merchant', 24), ('fees', 1)) as e (book, amount),
  lateral (select created_at + case book when 'merchant' then interval '2 days' else interval '0' end as available_at) t
where p.status = 'succeeded';
insert into balance_transactions (id, account_id, environment, ledger_transaction_id, type, currency, amount, source_id,
  available_at, created_at)
select 'txn_' || right(id, 34), account_id, environment, 'txn_' || right(id, 34), 'payment', 'USD', 24, id,
  created_at + interval '2 days', created_at from payments where status = 'succeeded';
insert into ledger_balances (account_id, environment, book, currency, amount)
select account_id, environment, book, currency, sum(amount) from ledger_entries where folded group by 1, 2, 3, 4;
insert into ledger_sums (account_id, environment, book, minutes, created_from, matures_from, currency, slot, amount)
select account_id, environment, book, minutes, span_of(minutes, created_at),
  span_of(minutes, greatest(available_at, created_at)), currency, 0, sum(amount)
from ledger_entries, unnest('{10, 60, 1440}'::smallint[]) as minutes group by 1, 2, 3, 4, 5, 6, 7;

-- Three events of each sale, with a delivery and an attempt of each.
insert into events (id, account_id, environment, type, resource_id, body, created_at)
select pg_temp.id('evt', n), pg_temp.owner(sale), 'sandbox', type, pg_temp.id('pay', sale),
  '{"id":"' || pg_temp.id('evt', n) || '","type":"' || type || '","created_at":"' || at || '","data":{"payment_id":"' ||
  pg_temp.id('pay', sale) || '","status":"succeeded","amount":"25.00","currency":"USD","fee":"1.00","customer_id":"' ||
  pg_temp.customer(sale) || '","reference":"order-' || sale || '","metadata":{}}}', at
from generate_series(1, 3 * :payments) n, lateral (select (n + 2) / 3 as sale) s,
  lateral (select pg_temp.at(n, 3 * :payments) as at,
    case when pg_temp.rare(sale, :payments) then 'payout.failed'
      else (array['customer.created', 'collection.succeeded', 'checkout.completed'])[1 + n % 3] end as type) t;
insert into deliveries (id, account_id, environment, event_id, endpoint_id, status, attempt_count, created_at,
  completed_at, event_type)
select pg_temp.id('dlv', n), account_id, environment, pg_temp.id('evt', n),
  case account_id when ':merchant' then pg_temp.id('we', 0) else 'we' || right(account_id, 35) end,
  case when pg_temp.rare(n, 3 * :payments) then 'failed' else 'succeeded' end, 1, created_at, created_at, type
from generate_series(1, 3 * :payments) n join events e on e.id = pg_temp.id('evt', n);
insert into delivery_attempts (delivery_id, number, at, response_status, duration_ms)
select id, 1, created_at, 200, 40 from deliveries;

insert into refunds (id, account_id, environment, charge_id, reference, status, currency, requested_amount,
  refunded_amount, fee_amount, fee_bearer, created_at, updated_at, completed_at)
select pg_temp.id('ref', n), pg_temp.owner(n), 'sandbox', pg_temp.id('pay', n), 'refund-' || n,
  case when failed then 'failed' else 'succeeded' end, 'USD', 5, case when failed then null else 5 end, 0, 'ORG', at, at,
  at
from generate_series(1, :many) n, lateral (select pg_temp.at(n, :many) as at, pg_temp.rare(n, :many) as failed) t;
insert into payout_destinations (id, account_id, environment, name, type, currency, status, reviewed_at, metadata,
  created_at, updated_at)
select pg_temp.id('pd', n), pg_temp.owner(n), 'sandbox', 'Bank ' || n, 'bank_account', 'NGN',
  case when rare then 'rejected' else 'approved' end, at, '{}', at, at
from generate_series(1, :some) n, lateral (select pg_temp.at(n, :some) as at, pg_temp.rare(n, :some) as rare) t;
insert into payouts (id, account_id, environment, destination_id, status, amount, currency, source_amount,
  source_currency, fee, metadata, failure_reason, created_at, updated_at, completed_at, quote_fee, destination_type)
select pg_temp.id('pay', 10000000 + n), pg_temp.owner(n), 'sandbox', pg_temp.id('pd', n),
  case when failed then 'failed' else 'completed' end, 100, 'NGN', 101, 'NGN', 1, '{}',
  case when failed then 'invalid_destination' end, at, at, case when failed then null else at end, 0, 'bank_account'
from generate_series(1, :some) n, lateral (select pg_temp.at(n, :some) as at, pg_temp.rare(n, :some) as failed) t;
insert into timeline_items (account_id, environment, resource_id, from_status, status, at, actor, poll_count, event_ids,
  ledger_transaction_ids)
select account_id, environment, id, 'processing', status, created_at, 'rail', 0, '{}'::text[], '{}'::text[] from payouts
union all select account_id, environment, id, 'processing', status, created_at, 'rail', 0, '{}'::text[], '{}'::text[] from refunds;
-- Of the decided reviews a thousand, and of those that are open a hundred, whatever the size: people keep up with them.
insert into reviews (id, account_id, environment, type, resource_id, state, reason, reminds_at, escalates_at, claimed_by,
  decision, decided_by, decided_at, created_at, updated_at)
select pg_temp.id('rev', n), pg_temp.owner(n), 'sandbox', 'payout', pg_temp.id('pay', 10000000 + n),
  case when is_open then 'open' else 'decided' end, 'new_destination', at + interval '1 day', at + interval '3 days',
  case when n % 20 = 0 then pg_temp.id('usr', 1) end, case when not is_open then 'approve' end,
  case when not is_open then pg_temp.id('usr', 1) end, case when not is_open then at end, at, at
from generate_series(1, :some) n,
  lateral (select pg_temp.at(n, :some) as at, pg_temp.rare(n, :some) as is_open) t;
insert into conversions (id, account_id, environment, quote_id, reference, status, from_amount, from_currency, to_amount,
  to_currency, rate, fee, failure_reason, metadata, created_at, updated_at, completed_at)
select pg_temp.id('cnv', n), pg_temp.owner(n), 'sandbox', pg_temp.id('quo', n), 'conversion-' || n,
  case when failed then 'failed' else 'completed' end, 10, 'USD', 15000, 'NGN', 1500, 0,
  case when failed then 'rail_rejected' end, '{}', at, at, case when failed then null else at end
from generate_series(1, :some) n, lateral (select pg_temp.at(n, :some) as at, pg_temp.rare(n, :some) as failed) t;
insert into transfers (id, account_id, environment, kind, from_account_id, to_account_id, currency, amount, reference,
  payment_id, settled_amount, metadata, available_at, created_at, updated_at)
select pg_temp.id(case kind when 'transfer' then 'tr' else 'fee' end, n), pg_temp.owner(n), 'sandbox', kind,
  pg_temp.owner(n), pg_temp.id('acct', 1 + n % :accounts), 'USD', 5, 'transfer-' || n,
  case kind when 'transfer' then null else pg_temp.id('pay', n) end, case kind when 'transfer' then null else 5 end,
  '{}', at, at, at
from unnest('{transfer,platform_fee}'::text[]) kind, generate_series(1, :many) n,
  lateral (select pg_temp.at(n, :many) as at) t;
insert into subscriptions (id, account_id, environment, status, customer_id, line_items, amount, currency, interval,
  interval_count, collection, fee_preference, anchor, current_period_start, current_period_end, charged_from,
  invoiced_until, checkout_id, metadata, wakes_at, wakes_for, ended_at, created_at, updated_at)
select pg_temp.id('sub', n), pg_temp.owner(n), 'sandbox', case when ended then 'canceled' else 'active' end,
  pg_temp.customer(n), 
  jsonb_build_array(jsonb_build_object('product_id', pg_temp.id('prod', n % :few), 'quantity', 1)), 25, 'USD',
  'month', 1, 'automatic', 'org_pays', at, at, at + interval '120 days', at, at + interval '120 days',
  pg_temp.id('chk', n), '{}', case when not ended then at + interval '120 days' end,
  case when not ended then 'period_end' end, case when ended then at end, at, at
from generate_series(1, :many) n, lateral (select pg_temp.at(n, :many) as at, pg_temp.rare(n, :many) as ended) t;
insert into invoices (id, account_id, environment, number, status, billing_reason, customer_id, customer_email,
  subscription_id, line_items, currency, subtotal, total, amount_paid, period_start, period_end, due_at, page_key,
  metadata, finalized_at, paid_at, applied_at, created_at, updated_at)
select pg_temp.id('inv', n), pg_temp.owner(n), 'sandbox', 'INV-' || lpad(n::text, 9, '0'),
  case when is_open then 'open' else 'paid' end, 'subscription_cycle', pg_temp.customer(n), 'ada@example.com',
  pg_temp.id('sub', n), '[]', 'USD', 25, 25, case when is_open then 0 else 25 end, at, at + interval '30 days', at,
  'key' || n, '{}', at, case when not is_open then at end, case when not is_open then at end, at, at
from generate_series(1, :many) n, lateral (select pg_temp.at(n, :many) as at, pg_temp.rare(n, :many) as is_open) t;
insert into disputes (id, account_id, environment, payment_id, network_id, corridor, customer_id, status, amount,
  currency, fee, reason, prefilled, evidence, evidence_due_at, wakes_at, wakes_for, resolution, resolved_at, created_at,
  updated_at)
select pg_temp.id('dsp', n), pg_temp.owner(n), 'sandbox', pg_temp.id('pay', n), 'net' || n, 'USD_CARD',
  pg_temp.customer(n), case when is_open then 'needs_response' else 'lost' end, 25, 'USD', 15, 'fraudulent', '{}', '{}',
  at + interval '120 days', case when is_open then at + interval '120 days' end,
  case when is_open then 'evidence_deadline' end, case when not is_open then 'expired' end, case when not is_open then at end, at, at
from generate_series(1, :some) n, lateral (select pg_temp.at(n, :some) as at, pg_temp.rare(n, :some) as is_open) t;
insert into products (id, account_id, environment, name, price_type, currency, amount, image_ids, metadata, created_at,
  updated_at)
select pg_temp.id('prod', n), pg_temp.owner(n), 'sandbox', 'Product ' || n, 'fixed', 'USD', 25, '{}', '{}',
  pg_temp.at(n, :few), pg_temp.at(n, :few) from generate_series(1, :few) n;
insert into product_groups (id, account_id, environment, name, product_ids, metadata, created_at, updated_at)
select pg_temp.id('pg', n), pg_temp.owner(n), 'sandbox', 'Group ' || n, array[pg_temp.id('prod', n)], '{}',
  pg_temp.at(n, :few), pg_temp.at(n, :few) from generate_series(1, :few) n;
insert into payment_links (id, account_id, environment, slug, name, active, product_cart, success_url, currency,
  metadata, created_at, updated_at)
select pg_temp.id('pl', n), pg_temp.owner(n), 'sandbox', 'slug' || n, 'Link ' || n, true, '[]',
  'https://example.com/thanks', 'USD', '{}', pg_temp.at(n, :few), pg_temp.at(n, :few) from generate_series(1, :few) n;
insert into virtual_accounts (id, account_id, environment, customer_id, currency, account_number, account_name,
  bank_code, bank_name, status, created_at)
select pg_temp.id('va', n), pg_temp.owner(n), 'sandbox', pg_temp.customer(n), 'NGN', lpad(n::text, 10, '0'), 'Buyer',
  '999', 'A bank', 'active', pg_temp.at(n, :some) from generate_series(1, least(:some, :customers)) n;
insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_code,
  error_fields, key_id, source, is_replay, duration_ms, created_at)
select pg_temp.id('req', n), pg_temp.owner(n), 'sandbox', 'call-' || n,
  case when n % 3 = 0 then 'POST' else 'GET' end, '/v1/payments', '/v1/payments', case when rare then 404 else 200 end,
  case when rare then 'NOT_FOUND' end, '{}', 'key_1', 'api', false, 5, now() - (:calls - n) * interval '7 days' / :calls
from generate_series(1, :calls) n, lateral (select pg_temp.rare(n, :calls) as rare) t;
insert into audit_entries (account_id, user_id, action, target, address, at)
select pg_temp.owner(n), pg_temp.id('usr', 1 + n % :accounts), case when rare then 'api_key.revoke' else 'auth.login' end,
  pg_temp.id('usr', 1 + n % :accounts), '10.0.0.1', pg_temp.at(n, :many)
from generate_series(1, :many) n, lateral (select pg_temp.rare(n, :many) as rare) t;
insert into kept_mails (id, account_id, sealed, created_at)
select pg_temp.id('mail', n), pg_temp.owner(n), 'x', pg_temp.at(n, :some) from generate_series(1, :some) n;
insert into test_clocks (id, account_id, environment, name, frozen_time, created_at, updated_at)
select pg_temp.id('clk', n), pg_temp.owner(n), 'sandbox', 'Clock ' || n, pg_temp.at(n, :few), pg_temp.at(n, :few),
  pg_temp.at(n, :few) from generate_series(1, :few / 10) n;
insert into idempotency_records (id, body_hash, resource_id, status, sealed_answer, expires_at)
select 'key-' || n, repeat('0', 64), pg_temp.id('chk', n), 201, repeat('x', 1500),
  now() + n * interval '1 day' / :calls from generate_series(1, :calls) n;

insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'checkouts', account_id, environment, status || '/' || payment_status, 0, count(*)
  from checkouts group by 2, 3, 4
union all select 'products', account_id, environment, '', 0, count(*) from products group by 2, 3
union all select 'virtual_accounts', account_id, environment, '', 0, count(*) from virtual_accounts group by 2, 3
union all select 'payout_destinations', account_id, environment, status || '/' || currency || '/' || type, 0, count(*)
  from payout_destinations where deactivated_at is null group by 2, 3, 4
union all select 'payment_links', account_id, environment, '', 0, count(*) from payment_links group by 2, 3
union all select 'payments', account_id, environment, status || '/' || corridor, 0, count(*)
  from payments group by 2, 3, 4
union all select 'refunds', account_id, environment, status, 0, count(*) from refunds group by 2, 3, 4
union all select 'payouts', account_id, environment, status, 0, count(*) from payouts group by 2, 3, 4
union all select 'conversions', account_id, environment, status, 0, count(*) from conversions group by 2, 3, 4
union all select 'disputes', account_id, environment, status || '/' || reason, 0, count(*)
  from disputes group by 2, 3, 4
union all select 'subscriptions', account_id, environment, status, 0, count(*) from subscriptions group by 2, 3, 4
union all select 'invoices', account_id, environment, status, 0, count(*) from invoices group by 2, 3, 4
union all select 'transfers', account_id, environment, kind, 0, count(*) from transfers group by 2, 3, 4
union all select 'events', account_id, environment, type, 0, count(*) from events group by 2, 3, 4
union all select 'deliveries', account_id, environment, endpoint_id || '/' || status || '/' || event_type, 0, count(*)
  from deliveries group by 2, 3, 4
union all select 'balance_transactions', account_id, environment, type || '/' || currency, 0, count(*)
  from balance_transactions group by 2, 3, 4
union all select 'accounts', owner_id, environment, environment, 0, count(*)
  from accounts where owner_id is not null group by 2, 3, 4
union all select 'account_profiles', a.owner_id, p.environment,
  a.environment || '/' || p.status || '/' || coalesce(p.country, ''), 0, count(*)
  from account_profiles p join accounts a on a.id = p.account_id where a.owner_id is not null group by 2, 3, 4;
insert into payment_days (account_id, environment, day, corridor, currency, slot, amount, succeeded, failed)
select account_id, environment, (created_at at time zone 'UTC')::date, corridor, currency, 0, sum(amount_received),
  count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed')
from payments group by 1, 2, 3, 4, 5
