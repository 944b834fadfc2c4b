-- What was booked so far is taken over, so nothing may be booked and no payment move meanwhile.
lock table ledger_entries, payments in share row exclusive mode;

-- What the entries of each hour add up to, so that no balance is added up from its beginning.
create table "ledger_sums" ("account_id" varchar(255) not null, "environment" text not null, "book" text not null, "currency" varchar(10) not null, "created_hour" timestamptz(3) not null, "matures_hour" timestamptz(3) not null, "slot" int not null, "amount" numeric(38,18) not null, primary key ("account_id", "environment", "book", "currency", "created_hour", "matures_hour", "slot"));
alter table "ledger_sums" add constraint "ledger_sums_amount_check" check (amount <> 'NaN');
alter table "ledger_sums" add constraint "ledger_sums_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "ledger_sums" add constraint "ledger_sums_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved'));
create index ledger_entries_by_time on ledger_entries (account_id, environment, book, created_at) include (currency, amount, available_at);

-- A backend's number is its slot: no two that live have the same, so none ever waits for another's commit.
create function sum_entries() returns trigger language plpgsql as $$
begin
  insert into ledger_sums as s (account_id, environment, book, currency, created_hour, matures_hour, slot, amount)
  select account_id, environment, book, currency, date_trunc('hour', created_at, 'UTC'),
    date_trunc('hour', greatest(available_at, created_at), 'UTC'), pg_backend_pid(), sum(amount)
  from added group by 1, 2, 3, 4, 5, 6
  on conflict (account_id, environment, book, currency, created_hour, matures_hour, slot)
  do update set amount = s.amount + excluded.amount;
  return null;
end $$;
create trigger ledger_entries_summed after insert on ledger_entries
  referencing new table as added for each statement execute function sum_entries();
insert into ledger_sums (account_id, environment, book, currency, created_hour, matures_hour, slot, amount)
select account_id, environment, book, currency, date_trunc('hour', created_at, 'UTC'),
  date_trunc('hour', greatest(available_at, created_at), 'UTC'), 0, sum(amount)
from ledger_entries group by 1, 2, 3, 4, 5, 6;

create table "balance_transactions" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "ledger_transaction_id" varchar(255) not null, "type" text not null, "currency" varchar(10) not null, "amount" numeric(38,18) not null, "source_id" varchar(255) not null, "available_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "balance_transactions_by_ledger_transaction" on "balance_transactions" ("ledger_transaction_id");
create index "balance_transactions_newest" on "balance_transactions" ("account_id", "environment", "created_at", "id");
create index "balance_transactions_by_type" on "balance_transactions" ("account_id", "environment", "type", "created_at", "id");
create index "balance_transactions_by_source" on "balance_transactions" ("account_id", "environment", "source_id");
create index balance_transactions_chain on balance_transactions (account_id, environment, currency, created_at, id) include (amount);
alter table "balance_transactions" add constraint "balance_transactions_amount_check" check (amount <> 0 and amount <> 'NaN');
alter table "balance_transactions" add constraint "balance_transactions_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "balance_transactions" add constraint "balance_transactions_type_check" check ("type" in ('payment', 'refund', 'refund_reversal', 'payout', 'payout_reversal', 'payout_return', 'conversion', 'conversion_reversal', 'dispute', 'dispute_reversal', 'transfer', 'transfer_reversal', 'platform_fee', 'platform_fee_reversal', 'adjustment'));
insert into balance_transactions (id, account_id, environment, ledger_transaction_id, type, currency, amount, source_id, available_at, created_at)
select t.id, e.account_id, e.environment, t.id,
  case t.kind when 'refund_hold' then 'refund' when 'refund_released' then 'refund_reversal' else 'payment' end,
  e.currency, sum(e.amount), coalesce(d.payment_id, t.source_id), max(e.available_at), t.created_at
from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.book = 'merchant'
  left join simulated_deposits d on t.kind = 'surplus' and d.session_id = t.source_id
group by t.id, e.account_id, e.environment, e.currency, d.payment_id having sum(e.amount) <> 0;

create function balance_transactions_stay() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger balance_transactions_append_only before update or delete on balance_transactions
  for each row execute function balance_transactions_stay();

-- Rows are counted by the values of some columns too, and by each backend in a slot of its own.
delete from row_counts where table_name = 'payments';
alter table "row_counts"
  alter column "slot" type int,
  add column "facet" varchar(100) not null default '',
  drop constraint "row_counts_pkey",
  add primary key ("table_name", "account_id", "environment", "facet", "slot");

create function add_row_count(name text, account varchar, env text, value text, change bigint) returns void
language sql as $$
  insert into row_counts as r (table_name, account_id, environment, facet, slot, count)
  values (name, account, env, value, pg_backend_pid(), change)
  on conflict (table_name, account_id, environment, facet, slot) do update set count = r.count + excluded.count
$$;
create or replace function count_rows() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, '',
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment;
  return null;
end $$;
create function count_payments() returns trigger language plpgsql as $$
begin
  perform add_row_count('payments', account_id, environment, status,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, status;
  return null;
end $$;
create function count_moved_payment() returns trigger language plpgsql as $$
begin
  perform add_row_count('payments', old.account_id, old.environment, old.status, -1);
  perform add_row_count('payments', new.account_id, new.environment, new.status, 1);
  return null;
end $$;
create function count_balance_transactions() returns trigger language plpgsql as $$
begin
  perform add_row_count('balance_transactions', account_id, environment, type || '/' || currency, count(*))
  from added group by account_id, environment, type, currency;
  return null;
end $$;
drop trigger payments_counted on payments;
drop trigger payments_uncounted on payments;
create trigger payments_counted after insert on payments
  referencing new table as changed for each statement execute function count_payments();
create trigger payments_uncounted after delete on payments
  referencing old table as changed for each statement execute function count_payments();
create trigger payments_recounted after update on payments
  for each row when (old.status <> new.status) execute function count_moved_payment();
create trigger balance_transactions_counted after insert on balance_transactions
  referencing new table as added for each statement execute function count_balance_transactions();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payments', account_id, environment, status, 0, count(*) from payments group by 2, 3, 4 union all
select 'balance_transactions', account_id, environment, type || '/' || currency, 0, count(*)
from balance_transactions group by 2, 3, 4;

-- Lists by what they are asked for most.
create index "payments_by_status" on "payments" ("account_id", "environment", "status", "created_at", "id");
