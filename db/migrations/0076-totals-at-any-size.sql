-- Payments are counted by method too, sessions by status, deliveries by type: in the statements that counted them before.
create or replace function count_payments() returns trigger language plpgsql as $$
begin
  perform add_row_count('payments', account_id, environment, status || '/' || corridor,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, status, corridor;
  return null;
end $$;
create or replace function count_moved_payment() returns trigger language plpgsql as $$
begin
  perform add_row_count('payments', old.account_id, old.environment, old.status || '/' || old.corridor, -1);
  perform add_row_count('payments', new.account_id, new.environment, new.status || '/' || new.corridor, 1);
  return null;
end $$;
-- A new trigger waits for those who write payments, and they wait for it: no payment is counted twice or left out.
drop trigger payments_recounted on payments;
create trigger payments_recounted after update on payments
  for each row when (old.status <> new.status) execute function count_moved_payment();
delete from row_counts where table_name = 'payments';
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payments', account_id, environment, status || '/' || corridor, 0, count(*)
from payments group by account_id, environment, status, corridor;

drop trigger checkouts_counted on checkouts;
drop trigger checkouts_uncounted on checkouts;
create trigger checkouts_counted after insert on checkouts
  referencing new table as changed for each statement execute function count_by_status();
create trigger checkouts_uncounted after delete on checkouts
  referencing old table as changed for each statement execute function count_by_status();
create trigger checkouts_recounted after update on checkouts
  for each row when (old.status <> new.status) execute function count_moved();
delete from row_counts where table_name = 'checkouts';
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'checkouts', account_id, environment, status, 0, count(*) from checkouts group by 2, 3, 4;

create or replace function count_deliveries() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, endpoint_id || '/' || status || '/' || event_type,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, endpoint_id, status, event_type;
  return null;
end $$;
create or replace function count_moved_delivery() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, old.account_id, old.environment,
    old.endpoint_id || '/' || old.status || '/' || old.event_type, -1);
  perform add_row_count(tg_table_name, new.account_id, new.environment,
    new.endpoint_id || '/' || new.status || '/' || new.event_type, 1);
  return null;
end $$;
drop trigger deliveries_recounted on deliveries;
create trigger deliveries_recounted after update on deliveries
  for each row when (old.status <> new.status) execute function count_moved_delivery();
delete from row_counts where table_name = 'deliveries';
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'deliveries', account_id, environment, endpoint_id || '/' || status || '/' || event_type, 0, count(*)
from deliveries group by account_id, environment, endpoint_id, status, event_type;

-- The payments of each day, added up: the summary of a month read every payment of it.
create table "payment_days" (
  "account_id" varchar(255) not null constraint payment_days_account_id_check check (account_id <> ''),
  "environment" text not null constraint payment_days_environment_check check (environment in ('sandbox', 'live')),
  "day" date not null,
  "corridor" varchar(32) not null,
  "currency" varchar(10) not null,
  "slot" int not null,
  "amount" numeric(38,18) not null,
  "succeeded" bigint not null,
  "failed" bigint not null,
  primary key ("account_id", "environment", "day", "corridor", "currency", "slot")
);
create index "payment_days_shards" on "payment_days" ("slot") where slot <> 0;
create function sum_payment(p payments, sign int) returns void language sql as $$
  insert into payment_days as d
    (account_id, environment, day, corridor, currency, slot, amount, succeeded, failed)
  select p.account_id, p.environment, (p.created_at at time zone 'UTC')::date, p.corridor, p.currency, pg_backend_pid(),
    case p.status when 'succeeded' then sign * p.amount_received else 0 end,
    case p.status when 'succeeded' then sign else 0 end, case p.status when 'failed' then sign else 0 end
  where p.status in ('succeeded', 'failed') and not p.duplicate
  on conflict (account_id, environment, day, corridor, currency, slot) do update set
    amount = d.amount + excluded.amount, succeeded = d.succeeded + excluded.succeeded,
    failed = d.failed + excluded.failed
$$;
create function sum_changed_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform sum_payment(old, -1); end if;
  if tg_op <> 'DELETE' then perform sum_payment(new, 1); end if;
  return null;
end $$;
create trigger payments_summed_new after insert on payments
  for each row when (new.status in ('succeeded', 'failed')) execute function sum_changed_payment();
create trigger payments_summed_changed after update on payments
  for each row when ((old.status in ('succeeded', 'failed') or new.status in ('succeeded', 'failed'))
    and (old.status, old.amount_received, old.duplicate, old.created_at) is distinct from
      (new.status, new.amount_received, new.duplicate, new.created_at)) execute function sum_changed_payment();
create trigger payments_summed_gone after delete on payments
  for each row when (old.status in ('succeeded', 'failed')) execute function sum_changed_payment();
insert into payment_days (account_id, environment, day, corridor, currency, slot, amount, succeeded, failed)
select account_id, environment, (created_at at time zone 'UTC')::date, corridor, currency, 0,
  coalesce(sum(amount_received) filter (where status = 'succeeded'), 0),
  count(*) filter (where status = 'succeeded'), count(*) filter (where status = 'failed')
from payments where status in ('succeeded', 'failed') and not duplicate group by 1, 2, 3, 4, 5;
-- It had each payment of a month; the days have them now.
drop index "payments_summed";
