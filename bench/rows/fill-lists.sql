set statement_timeout = 0;
set transaction_timeout = 0;
-- What the rows would refer to, and what would be counted with each of them, is left out. The counts come at the end.
set session_replication_role = replica;

insert into products (id, account_id, environment, name, price_type, currency, amount, image_ids, metadata, created_at,
  updated_at)
select 'prod_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'Product ' || n, 'fixed', 'USD', 25, '{}', '{}', at, at
from accounts a, generate_series(1, :rows) n, lateral (select now() - (:rows - n) * interval '1 second' as at) t;

insert into payment_links (id, account_id, environment, slug, name, active, product_cart, success_url, currency, metadata,
  created_at, updated_at)
select 'pl_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'slug' || n, 'Link ' || n, true, '[]',
  'https://example.com/thanks', 'USD', '{}', at, at
from accounts a, generate_series(1, :rows) n, lateral (select now() - (:rows - n) * interval '1 second' as at) t;

insert into refunds (id, account_id, environment, charge_id, reference, status, currency, requested_amount,
  refunded_amount, fee_amount, fee_bearer, created_at, updated_at, completed_at)
select 'ref_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'pay_' || lpad(n::text, 34, '0'), 'refund-' || n,
  case when failed then 'failed' else 'succeeded' end, 'USD', 5, case when failed then null else 5 end, 0, 'ORG', at, at, at
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at, n % (:rows / 100) = 7 as failed) t;

insert into payouts (id, account_id, environment, destination_id, status, amount, currency, source_amount,
  source_currency, fee, metadata, failure_reason, created_at, updated_at, completed_at, quote_fee, destination_type)
select 'pay_' || lpad('1' || n::text, 34, '0'), a.id, 'sandbox', 'pd_' || lpad('1', 34, '0'),
  case when failed then 'failed' else 'completed' end, 100, 'NGN', 101, 'NGN', 1, '{}',
  case when failed then 'invalid_destination' end, at, at, case when failed then null else at end, 0, 'bank_account'
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at, n % (:rows / 100) = 7 as failed) t;

insert into conversions (id, account_id, environment, quote_id, status, from_amount, from_currency, to_amount,
  to_currency, rate, fee, failure_reason, metadata, created_at, updated_at, completed_at)
select 'cnv_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'quo_' || lpad(n::text, 34, '0'),
  case when failed then 'failed' else 'completed' end, 10, 'USD', 15000, 'NGN', 1500, 0,
  case when failed then 'rail_rejected' end, '{}', at, at, case when failed then null else at end
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at, n % (:rows / 100) = 7 as failed) t;

insert into transfers (id, account_id, environment, kind, from_account_id, to_account_id, currency, amount, metadata,
  available_at, created_at, updated_at)
select 'tr_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'transfer', a.id, 'acct_' || lpad((n % 1000)::text, 34, '0'),
  'USD', 5, '{}', at, at, at
from accounts a, generate_series(1, :rows) n, lateral (select now() - (:rows - n) * interval '1 second' as at) t;

insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
select 'cust_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'buyer-' || n || '@example.com', 'Buyer', '{}', now(), now()
from accounts a, generate_series(0, :rows / 100 - 1) n;

insert into subscriptions (id, account_id, environment, status, customer_id, line_items, amount, currency, interval,
  interval_count, collection, fee_preference, anchor, current_period_start, current_period_end, charged_from,
  invoiced_until, checkout_id, metadata, ended_at, created_at, updated_at)
select 'sub_' || lpad(n::text, 34, '0'), a.id, 'sandbox', case when ended then 'canceled' else 'active' end,
  'cust_' || lpad((n % (:rows / 100))::text, 34, '0'), '[]', 25, 'USD', 'month', 1, 'automatic', 'org_pays', at, at,
  at + interval '30 days', at, at + interval '30 days', 'chk_' || lpad(n::text, 34, '0'), '{}',
  case when ended then at end, at, at
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at, n % (:rows / 100) = 7 as ended) t;

insert into invoices (id, account_id, environment, number, status, billing_reason, customer_id, customer_email,
  subscription_id, line_items, currency, subtotal, total, amount_paid, period_start, period_end, due_at, page_key, metadata,
  finalized_at, paid_at, created_at, updated_at)
select 'inv_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'INV-' || lpad(n::text, 9, '0'),
  case when isopen then 'open' else 'paid' end, 'subscription_cycle', 'cust_' || lpad((n % (:rows / 100))::text, 34, '0'),
  'ada@example.com', 'sub_' || lpad(n::text, 34, '0'), '[]', 'USD', 25, 25, case when isopen then 0 else 25 end, at,
  at + interval '30 days', at, 'key' || n, '{}', at, case when isopen then null else at end, at, at
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at, n % (:rows / 100) = 7 as isopen) t;

insert into disputes (id, account_id, environment, payment_id, network_id, corridor, status, amount, currency, fee, reason,
  prefilled, evidence, evidence_due_at, resolution, resolved_at, created_at, updated_at)
select 'dsp_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'pay_' || lpad(n::text, 34, '0'), 'net' || n, 'USD_CARD',
  case when isopen then 'needs_response' else 'lost' end, 25, 'USD', 15, 'fraudulent', '{}', '{}', at + interval '20 days',
  case when isopen then null else 'expired' end, case when isopen then null else at end, at, at
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at, n % (:rows / 100) = 7 as isopen) t;

insert into webhook_endpoints (id, account_id, environment, url, sealed_secret, enabled, events, created_at, updated_at)
select 'we_' || lpad('1', 34, '0'), a.id, 'sandbox', 'https://example.com/hooks', 'x', false, '{*}', now(), now()
from accounts a;

insert into events (id, account_id, environment, type, resource_id, body, created_at)
select 'evt_' || lpad(n::text, 34, '0'), a.id, 'sandbox', type, 'pay_' || lpad(n::text, 34, '0'),
  '{"id":"evt_' || lpad(n::text, 34, '0') || '","type":"' || type || '","data":{}}', at
from accounts a, generate_series(1, :rows) n,
  lateral (select now() - (:rows - n) * interval '1 second' as at,
    case when n % (:rows / 100) = 7 then 'payout.failed' else 'collection.succeeded' end as type) t;

insert into deliveries (id, account_id, environment, event_id, endpoint_id, status, attempt_count, created_at,
  completed_at, event_type)
select 'dlv_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'evt_' || lpad(n::text, 34, '0'), 'we_' || lpad('1', 34, '0'),
  case when n % (:rows / 100) = 7 then 'failed' else 'succeeded' end, 1, at, at, 'collection.succeeded'
from accounts a, generate_series(1, :rows) n, lateral (select now() - (:rows - n) * interval '1 second' as at) t;

set session_replication_role = origin;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'conversions', account_id, environment, status, 0, count(*) from conversions group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'disputes', account_id, environment, status, 0, count(*) from disputes group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'invoices', account_id, environment, status, 0, count(*) from invoices group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payouts', account_id, environment, status, 0, count(*) from payouts group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'refunds', account_id, environment, status, 0, count(*) from refunds group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'subscriptions', account_id, environment, status, 0, count(*) from subscriptions group by 2, 3, 4;

insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'transfers', account_id, environment, kind, 0, count(*) from transfers group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'products', account_id, environment, '', 0, count(*) from products group by 2, 3;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payment_links', account_id, environment, '', 0, count(*) from payment_links group by 2, 3;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'deliveries', account_id, environment, endpoint_id || '/' || status || '/' || event_type, 0, count(*)
from deliveries group by 2, 3, 4;
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'events', account_id, environment, type, 0, count(*) from events group by 2, 3, 4;

vacuum analyze products, payment_links, refunds, payouts, conversions, transfers, customers, subscriptions, invoices,
  disputes, events, deliveries, row_counts;
