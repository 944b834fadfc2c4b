-- A database of the first hour and a quarter (before 2026-11-21 17:00 UTC) has no counted rows, on which the migrations
-- that follow build; so this one comes right after the first. A database that has them is left as it is.
do $$
begin
  if to_regclass('row_counts') is not null then return; end if;

  create table row_counts (table_name varchar(63) not null, account_id varchar(255) not null, environment text not null, slot smallint not null, count bigint not null, primary key (table_name, account_id, environment, slot));
  alter table row_counts add constraint row_counts_environment_check check (environment in ('sandbox', 'live'));
  create function count_rows() returns trigger language plpgsql as $count$
  begin
    insert into row_counts as r (table_name, account_id, environment, slot, count)
    select tg_table_name, account_id, environment, pg_backend_pid() % 256,
      case tg_op when 'INSERT' then count(*) else -count(*) end
    from changed group by account_id, environment
    on conflict (table_name, account_id, environment, slot) do update set count = r.count + excluded.count;
    return null;
  end $count$;
  lock table checkouts, payments in share row exclusive mode;
  create trigger checkouts_counted after insert on checkouts
    referencing new table as changed for each statement execute function count_rows();
  create trigger checkouts_uncounted after delete on checkouts
    referencing old table as changed for each statement execute function count_rows();
  create trigger payments_counted after insert on payments
    referencing new table as changed for each statement execute function count_rows();
  create trigger payments_uncounted after delete on payments
    referencing old table as changed for each statement execute function count_rows();
  insert into row_counts (table_name, account_id, environment, slot, count)
  select 'checkouts', account_id, environment, 0, count(*) from checkouts group by 2, 3 union all
  select 'payments', account_id, environment, 0, count(*) from payments group by 2, 3;

  alter table outbox alter column retry_at set default now();
end $$;
