-- Long lists: how many rows an account has of each hour that is over. `housekeeping` counts each hour once, after it is
-- over, so that a list of a time reads hours instead of rows. A sale writes none of it: only a row that comes late, or
-- goes, changes the hour that it is of.
create table "counted_lists" (
  "account_id" varchar(255) not null constraint counted_lists_account_id_check check (account_id <> ''),
  "environment" text not null constraint counted_lists_environment_check check (environment in ('sandbox', 'live')),
  "table_name" varchar(63) not null,
  "facet" varchar(100) not null default '',
  "since" timestamptz(3) not null default now(),
  "counted_until" timestamptz(3) null,
  primary key ("account_id", "environment", "table_name", "facet")
);
create index "counted_lists_behind" on "counted_lists" ("counted_until" nulls first);
create table "counted_hours" (
  "account_id" varchar(255) not null constraint counted_hours_account_id_check check (account_id <> ''),
  "environment" text not null constraint counted_hours_environment_check check (environment in ('sandbox', 'live')),
  "table_name" varchar(63) not null,
  "facet" varchar(100) not null default '',
  "hour" timestamptz(3) not null,
  "count" bigint not null,
  primary key ("account_id", "environment", "table_name", "facet", "hour")
);

-- Waits while the list is being counted, which waits for it: an hour is never counted without a row that is on its way.
create function count_in_hour(list text, account text, env text, of_facet text, at timestamptz, difference int)
returns void language plpgsql as $$
declare upto timestamptz;
begin
  select counted_until into upto from counted_lists
  where account_id = account and environment = env and table_name = list and facet = of_facet for share;
  if at < upto then
    insert into counted_hours as h (account_id, environment, table_name, facet, hour, count)
    values (account, env, list, of_facet, date_trunc('hour', at, 'UTC'), difference)
    on conflict (account_id, environment, table_name, facet, hour) do update set count = h.count + excluded.count;
  end if;
end $$;
create function count_late_row() returns trigger language plpgsql as $$
begin
  perform count_in_hour(tg_table_name, new.account_id, new.environment,
    case tg_nargs when 0 then '' else to_jsonb(new) ->> tg_argv[0] end, new.created_at, 1);
  return null;
end $$;
create function count_gone_row() returns trigger language plpgsql as $$
begin
  perform count_in_hour(tg_table_name, old.account_id, old.environment,
    case tg_nargs when 0 then '' else to_jsonb(old) ->> tg_argv[0] end, old.created_at, -1);
  return null;
end $$;
create trigger balance_transactions_late after insert on balance_transactions for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger checkouts_late after insert on checkouts for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger checkouts_gone after delete on checkouts for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger deliveries_late after insert on deliveries for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row('endpoint_id');
create trigger deliveries_gone after delete on deliveries for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row('endpoint_id');
create trigger events_late after insert on events for each row
  when (new.created_at < now() - interval '1 hour' and not new.is_test and new.body <> '') execute function count_late_row();
create trigger events_gone after delete on events for each row
  when (old.created_at < now() - interval '1 hour' and not old.is_test and old.body <> '') execute function count_gone_row();
create trigger events_emptied after update on events for each row
  when (old.body <> '' and new.body = '' and not old.is_test) execute function count_gone_row();
create trigger invoices_late after insert on invoices for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger invoices_gone after delete on invoices for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger payments_late after insert on payments for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger payments_gone after delete on payments for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger subscriptions_late after insert on subscriptions for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger subscriptions_gone after delete on subscriptions for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger transfers_late after insert on transfers for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row('kind');
create trigger transfers_gone after delete on transfers for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row('kind');
