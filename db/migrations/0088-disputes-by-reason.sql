-- Disputes are counted by their reason too, in the statements that counted them by their status.
create function count_disputes() returns trigger language plpgsql as $$
begin
  perform add_row_count('disputes', account_id, environment, status || '/' || reason,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, status, reason;
  return null;
end $$;
create function count_moved_dispute() returns trigger language plpgsql as $$
begin
  perform add_row_count('disputes', old.account_id, old.environment, old.status || '/' || old.reason, -1);
  perform add_row_count('disputes', new.account_id, new.environment, new.status || '/' || new.reason, 1);
  return null;
end $$;
-- New triggers wait for those who write disputes, and they wait for these: no dispute is counted twice or left out.
drop trigger disputes_counted on disputes;
drop trigger disputes_uncounted on disputes;
drop trigger disputes_recounted on disputes;
create trigger disputes_counted after insert on disputes
  referencing new table as changed for each statement execute function count_disputes();
create trigger disputes_uncounted after delete on disputes
  referencing old table as changed for each statement execute function count_disputes();
create trigger disputes_recounted after update on disputes
  for each row when (old.status <> new.status or old.reason <> new.reason) execute function count_moved_dispute();
-- Waits for whoever merges counts just now; the next statement sees what they have written.
select from row_counts where table_name = 'disputes' for update;
delete from row_counts where table_name = 'disputes';
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'disputes', account_id, environment, status || '/' || reason, 0, count(*) from disputes group by 2, 3, 4;
