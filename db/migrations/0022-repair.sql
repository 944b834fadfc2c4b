-- On 2026-11-21 and 22 seven migrations were edited after databases had applied them. Each part brings a database that
-- has an earlier text of one to what its last text makes, and leaves every other database as it is.

-- 20261123-webhook-endpoints: indexes of lists, and lanes.
alter table outbox add column if not exists lane varchar(255) not null default '';
do $$
begin
  if exists (select from pg_indexes where schemaname = current_schema() and indexname = 'events_newest'
    and indexdef not like '%is_test%') then
    drop index events_newest;
    create index events_newest on events (account_id, environment, created_at, id) where not is_test;
  end if;
end $$;
create index if not exists events_newest_by_type on events (account_id, environment, type, created_at, id) where not is_test;
create index if not exists deliveries_unheard on deliveries (endpoint_id, status, created_at, id) where status in ('failed', 'skipped');

-- 20261124-customers: how long new rows wait beside the indexes of searches.
do $$
declare slow regclass;
begin
  for slow in select oid from pg_class where relname in ('customers_email_parts', 'customers_name_parts')
    and relnamespace = current_schema()::regnamespace and reloptions @> '{fastupdate=off}'
  loop
    execute format('alter index %s reset (fastupdate)', slow);
    execute format('alter index %s set (gin_pending_list_limit = 256)', slow);
  end loop;
end $$;

-- 20261129-carts: what is sold, and who gets a part of it.
alter table checkouts
  add column if not exists line_items jsonb null,
  add column if not exists selection jsonb null,
  add column if not exists platform_fee numeric(38,18) null,
  add column if not exists transfer_amount numeric(38,18) null,
  add column if not exists transfer_destination varchar(255) null;
alter table payment_requests add column if not exists line_items jsonb null;
alter table payments
  add column if not exists line_items jsonb null,
  add column if not exists platform_fee numeric(38,18) null,
  add column if not exists transfer_amount numeric(38,18) null,
  add column if not exists transfer_destination varchar(255) null;
do $$
begin
  if not exists (select from pg_constraint where conrelid = 'checkouts'::regclass and conname = 'checkouts_selection_check') then
    alter table checkouts add constraint checkouts_selection_check check ((session_mode = 'SELECTION') = (selection is not null));
  end if;
  if not exists (select from pg_constraint where conrelid = 'checkouts'::regclass and conname = 'checkouts_one_split_check') then
    alter table checkouts add constraint checkouts_one_split_check check (num_nonnulls(platform_fee, transfer_amount) <= 1 and (transfer_amount is null) = (transfer_destination is null));
  end if;
end $$;

-- 20261202-balances: sums of ten minutes beside those of hours. Both are added up anew from the entries, which are the truth.
create or replace function span_of(minutes smallint, moment timestamptz) returns timestamptz language sql immutable as $$
  select date_bin(minutes * interval '1 minute', moment, '2000-01-01Z')
$$;
do $$
begin
  if not exists (select from information_schema.columns where table_schema = current_schema()
    and table_name = 'ledger_sums' and column_name = 'created_hour') then return; end if;

  lock table ledger_entries in share row exclusive mode; -- nothing may be booked meanwhile
  drop table ledger_sums;
  create table ledger_sums (account_id varchar(255) not null, environment text not null, book text not null, minutes smallint not null, created_from timestamptz(3) not null, matures_from timestamptz(3) not null, currency varchar(10) not null, slot int not null, amount numeric(38,18) not null, primary key (account_id, environment, book, minutes, created_from, matures_from, currency, slot));
  alter table ledger_sums add constraint ledger_sums_minutes_check check (minutes in (10, 60));
  alter table ledger_sums add constraint ledger_sums_amount_check check (amount <> 'NaN');
  alter table ledger_sums add constraint ledger_sums_environment_check check (environment in ('sandbox', 'live'));
  alter table ledger_sums add constraint ledger_sums_book_check check (book in ('rail', 'merchant', 'buyer', 'fees', 'reserved'));
  insert into ledger_sums (account_id, environment, book, minutes, created_from, matures_from, currency, slot, amount)
  select account_id, environment, book, minutes, span_of(minutes, created_at),
    span_of(minutes, greatest(available_at, created_at)), currency, 0, sum(amount)
  from ledger_entries, unnest('{10, 60}'::smallint[]) as minutes group by 1, 2, 3, 4, 5, 6, 7;
end $$;
create or replace function sum_entries() returns trigger language plpgsql as $$
begin
  insert into ledger_sums as s
    (account_id, environment, book, minutes, created_from, matures_from, currency, slot, amount)
  select account_id, environment, book, minutes, span_of(minutes, created_at),
    span_of(minutes, greatest(available_at, created_at)), currency, pg_backend_pid(), sum(amount)
  from added, unnest('{10, 60}'::smallint[]) as minutes group by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, environment, book, minutes, created_from, matures_from, currency, slot)
  do update set amount = s.amount + excluded.amount;
  return null;
end $$;

-- 20261206-payout-rails: why a second person agreed.
alter table operator_actions add column if not exists approval_reason varchar(500) null;
update operator_actions set approval_reason = 'approved before a reason was asked for'
where approved_by is not null and approval_reason is null;
do $$
begin
  if not exists (select from pg_constraint where conrelid = 'operator_actions'::regclass
    and conname = 'operator_actions_are_approved_for_a_reason') then
    alter table operator_actions add constraint operator_actions_are_approved_for_a_reason check ((approval_reason is null) = (approved_by is null));
  end if;
end $$;

-- 20261207-payout-schedules: a payout names its schedule, instead of the schedule its payout.
alter table payout_schedules drop constraint if exists payout_schedules_by_payout;
alter table payouts add column if not exists schedule_id varchar(255) null;
update payouts p set schedule_id = s.id from payout_schedules s where s.last_withdrawal_id = p.id and p.schedule_id is null;
create unique index if not exists payouts_one_open_per_schedule on payouts (schedule_id) where status in ('requested', 'pending', 'approved', 'processing');

-- 20261209-short-searches: the same parts of a text, found in a loop.
create or replace function short_parts(owner text, content text) returns int[] language plpgsql immutable strict parallel safe as $$
declare
  letters text[] := string_to_array(content, null);
  parts int[] := '{}';
begin
  for place in 1 .. cardinality(letters) loop
    parts := parts || hashtext(owner || letters[place]);
    if place > 1 then parts := parts || hashtext(owner || letters[place - 1] || letters[place]); end if;
  end loop;
  return parts;
end $$;
