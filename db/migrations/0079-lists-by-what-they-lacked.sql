-- Disputes by their reason, subscriptions by what they sell, destinations by any of their filters, connected accounts by
-- their country, and calls by what few of them have.
create index "disputes_by_reason" on "disputes" ("account_id", "environment", "reason", "created_at", "id");
create index "subscriptions_by_product" on "subscriptions" using gin ("line_items" jsonb_path_ops);
create index "payout_destinations_listed" on "payout_destinations"
  ("account_id", "environment", "created_at", "id", "status", "currency", "type") where deactivated_at is null;
drop index "payout_destinations_newest";
create index "request_logs_acting" on "request_logs" ("account_id", "environment", "acting_for", "created_at", "id")
  where acting_for is not null;
create index "request_logs_by_rare_method" on "request_logs"
  ("account_id", "environment", "method", "created_at", "id") where method in ('PUT', 'PATCH', 'DELETE');
create index "account_profiles_by_country" on "account_profiles" ("environment", "country", "account_id");

-- Virtual accounts are counted, and destinations that are not deactivated, by all that they are filtered by.
create trigger virtual_accounts_counted after insert on virtual_accounts
  referencing new table as changed for each statement execute function count_rows();
create trigger virtual_accounts_uncounted after delete on virtual_accounts
  referencing old table as changed for each statement execute function count_rows();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'virtual_accounts', account_id, environment, '', 0, count(*) from virtual_accounts group by 2, 3;
create function count_destination() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deactivated_at is null then
    perform add_row_count('payout_destinations', old.account_id, old.environment,
      old.status || '/' || old.currency || '/' || old.type, -1);
  end if;
  if tg_op <> 'DELETE' and new.deactivated_at is null then
    perform add_row_count('payout_destinations', new.account_id, new.environment,
      new.status || '/' || new.currency || '/' || new.type, 1);
  end if;
  return null;
end $$;
create trigger payout_destinations_counted after insert or delete on payout_destinations
  for each row execute function count_destination();
create trigger payout_destinations_recounted after update on payout_destinations
  for each row when ((old.status, old.currency, old.type, old.deactivated_at is null)
    is distinct from (new.status, new.currency, new.type, new.deactivated_at is null))
  execute function count_destination();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payout_destinations', account_id, environment, status || '/' || currency || '/' || type, 0, count(*)
from payout_destinations where deactivated_at is null group by 2, 3, 4;
