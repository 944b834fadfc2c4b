set statement_timeout = 0;
set transaction_timeout = 0;

insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
select 'cust_' || lpad(n::text, 34, '0'), a.id, 'sandbox',
  case when n % (:payments / 100) = 7 then 'zara-' else 'buyer-' end || n || '@example.com',
  case when n % (:payments / 100) = 9 then 'Xu Wei ' else 'Buyer ' end || n, '{}', at, at
from accounts a, generate_series(1, :payments / 10) n,
  lateral (select now() - (:payments / 10 - n) * interval '10 seconds' as at) t;

insert into checkouts (id, account_id, environment, status, payment_status, source_type, amount, currency, description,
  reference, fee_preference, customer_id, customer_details, success_url, metadata, client_secret_hash, payment_id, corridor,
  revision, created_at, updated_at, expires_at, completed_at)
select 'chk_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'completed', 'succeeded', 'CHECKOUT_SESSION', 25, 'USD', 'A sale',
  'order-' || n, 'org_pays', 'cust_' || lpad((1 + n % (:payments / 10))::text, 34, '0'),
  '{"email": "ada@example.com", "name": "Ada Buyer"}', 'https://example.com/thanks', '{}', repeat('0', 64),
  'pay_' || lpad(n::text, 34, '0'), 'USD_CARD', 4, at, at, at + interval '1 hour', at
from accounts a, generate_series(1, :payments) n, lateral (select now() - (:payments - n) * interval '1 second' as at) t;

insert into payments (id, account_id, environment, checkout_id, status, amount, amount_received, settles, fee, fee_usd,
  fee_preference, currency, corridor, customer_id, customer_details, reference, metadata, created_at, updated_at, completed_at)
select 'pay_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'chk_' || lpad(n::text, 34, '0'), 'succeeded', 25, 25, 24, 1, 1,
  'org_pays', 'USD', 'USD_CARD', 'cust_' || lpad((1 + n % (:payments / 10))::text, 34, '0'),
  '{"email": "ada@example.com", "name": "Ada Buyer"}', 'order-' || n, '{}', at, at, at
from accounts a, generate_series(1, :payments) n, lateral (select now() - (:payments - n) * interval '1 second' as at) t;

insert into ledger_transactions (id, kind, source_id, created_at)
select 'txn_' || right(id, 34), 'settlement', id, created_at from payments;

-- The trigger checks row by row, which takes minutes. The invariants are checked after the load.
alter table ledger_entries disable trigger ledger_entries_balance;
insert into ledger_entries (transaction_id, account_id, environment, book, currency, amount, available_at, created_at)
select 'txn_' || right(p.id, 34), account_id, environment, book, 'USD', e.amount,
  created_at + case book when 'merchant' then interval '2 days' else interval '0' end, created_at
from payments p, (values ('rail', -25), ('merchant', 24), ('fees', 1)) as e (book, amount);
alter table ledger_entries enable trigger ledger_entries_balance;

insert into balance_transactions (id, account_id, environment, ledger_transaction_id, type, currency, amount, source_id,
  available_at, created_at)
select 'txn_' || right(id, 34), account_id, environment, 'txn_' || right(id, 34), 'payment', 'USD', 24, id,
  created_at + interval '2 days', created_at from payments;

vacuum analyze customers, checkouts, payments, ledger_entries, ledger_sums, balance_transactions, row_counts
