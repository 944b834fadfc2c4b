set statement_timeout = 0;

insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
select 'cust_' || lpad(n::text, 34, '0'), a.id, 'sandbox', 'buyer-' || n || '@example.com', 'Buyer ' || n, '{}', now(), now()
from accounts a, generate_series(1, :payments / 10) n;

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

vacuum analyze customers, checkouts, payments
