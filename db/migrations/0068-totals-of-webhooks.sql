-- The lists of webhooks read their totals too.
-- Deliveries by endpoint and status.
create function count_deliveries() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, endpoint_id || '/' || status,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, endpoint_id, status;
  return null;
end $$;
create function count_moved_delivery() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, old.account_id, old.environment, old.endpoint_id || '/' || old.status, -1);
  perform add_row_count(tg_table_name, new.account_id, new.environment, new.endpoint_id || '/' || new.status, 1);
  return null;
end $$;
create trigger deliveries_counted after insert on deliveries
  referencing new table as changed for each statement execute function count_deliveries();
create trigger deliveries_uncounted after delete on deliveries
  referencing old table as changed for each statement execute function count_deliveries();
create trigger deliveries_recounted after update on deliveries
  for each row when (old.status <> new.status) execute function count_moved_delivery();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'deliveries', account_id, environment, endpoint_id || '/' || status, 0, count(*)
from deliveries group by account_id, environment, endpoint_id, status;

-- Events by type: those that a list can show. One that is purged leaves the list, the count and the indexes of the list.
create function count_events() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, type,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed where not is_test and body <> '' group by account_id, environment, type;
  return null;
end $$;
create function count_purged_events() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, type, -count(*))
  from was join became using (id, account_id, environment, type)
  where not was.is_test and was.body <> '' and became.body = '' group by account_id, environment, type;
  return null;
end $$;
create trigger events_counted after insert on events
  referencing new table as changed for each statement execute function count_events();
create trigger events_uncounted after delete on events
  referencing old table as changed for each statement execute function count_events();
create trigger events_purged after update on events
  referencing old table as was new table as became for each statement execute function count_purged_events();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'events', account_id, environment, type, 0, count(*) from events where not is_test and body <> '' group by 2, 3, 4;
drop index "events_newest";
drop index "events_newest_by_type";
drop index "events_kept";
create index "events_newest" on "events" ("account_id", "environment", "created_at", "id") where not is_test and body <> '';
create index "events_newest_by_type" on "events" ("account_id", "environment", "type", "created_at", "id") where not is_test and body <> '';
-- Of other words than the lists, which would else be read by it, past the events of all other accounts.
create index "events_kept" on "events" ("created_at") where octet_length(body) > 0;
