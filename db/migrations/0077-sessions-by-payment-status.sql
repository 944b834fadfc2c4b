-- Sessions are counted by the state of their payment too, and found by it.
create index "checkouts_by_payment_status" on "checkouts"
  ("account_id", "environment", "payment_status", "created_at", "id");
create function count_checkouts() returns trigger language plpgsql as $$
begin
  perform add_row_count('checkouts', account_id, environment, status || '/' || payment_status,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, status, payment_status;
  return null;
end $$;
create function count_moved_checkout() returns trigger language plpgsql as $$
begin
  perform add_row_count('checkouts', old.account_id, old.environment, old.status || '/' || old.payment_status, -1);
  perform add_row_count('checkouts', new.account_id, new.environment, new.status || '/' || new.payment_status, 1);
  return null;
end $$;
-- New triggers wait for those who write sessions, and they wait for these: no session is counted twice or left out.
drop trigger checkouts_counted on checkouts;
drop trigger checkouts_uncounted on checkouts;
drop trigger checkouts_recounted on checkouts;
create trigger checkouts_counted after insert on checkouts
  referencing new table as changed for each statement execute function count_checkouts();
create trigger checkouts_uncounted after delete on checkouts
  referencing old table as changed for each statement execute function count_checkouts();
create trigger checkouts_recounted after update on checkouts
  for each row when (old.status <> new.status or old.payment_status <> new.payment_status)
  execute function count_moved_checkout();
delete from row_counts where table_name = 'checkouts';
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'checkouts', account_id, environment, status || '/' || payment_status, 0, count(*)
from checkouts group by 2, 3, 4;
