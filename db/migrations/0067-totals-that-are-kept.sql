-- The lists of what comes of sales read their totals, with and without a status, as those of payments do.
create function count_by_status() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, status,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, status;
  return null;
end $$;
create function count_moved() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, old.account_id, old.environment, old.status, -1);
  perform add_row_count(tg_table_name, new.account_id, new.environment, new.status, 1);
  return null;
end $$;
create trigger conversions_counted after insert on conversions
  referencing new table as changed for each statement execute function count_by_status();
create trigger conversions_uncounted after delete on conversions
  referencing old table as changed for each statement execute function count_by_status();
create trigger conversions_recounted after update on conversions
  for each row when (old.status <> new.status) execute function count_moved();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'conversions', account_id, environment, status, 0, count(*) from conversions group by 2, 3, 4;
create trigger disputes_counted after insert on disputes
  referencing new table as changed for each statement execute function count_by_status();
create trigger disputes_uncounted after delete on disputes
  referencing old table as changed for each statement execute function count_by_status();
create trigger disputes_recounted after update on disputes
  for each row when (old.status <> new.status) execute function count_moved();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'disputes', account_id, environment, status, 0, count(*) from disputes group by 2, 3, 4;
create trigger invoices_counted after insert on invoices
  referencing new table as changed for each statement execute function count_by_status();
create trigger invoices_uncounted after delete on invoices
  referencing old table as changed for each statement execute function count_by_status();
create trigger invoices_recounted after update on invoices
  for each row when (old.status <> new.status) execute function count_moved();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'invoices', account_id, environment, status, 0, count(*) from invoices group by 2, 3, 4;
create trigger payouts_counted after insert on payouts
  referencing new table as changed for each statement execute function count_by_status();
create trigger payouts_uncounted after delete on payouts
  referencing old table as changed for each statement execute function count_by_status();
create trigger payouts_recounted after update on payouts
  for each row when (old.status <> new.status) execute function count_moved();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payouts', account_id, environment, status, 0, count(*) from payouts group by 2, 3, 4;
create trigger refunds_counted after insert on refunds
  referencing new table as changed for each statement execute function count_by_status();
create trigger refunds_uncounted after delete on refunds
  referencing old table as changed for each statement execute function count_by_status();
create trigger refunds_recounted after update on refunds
  for each row when (old.status <> new.status) execute function count_moved();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'refunds', account_id, environment, status, 0, count(*) from refunds group by 2, 3, 4;
create trigger subscriptions_counted after insert on subscriptions
  referencing new table as changed for each statement execute function count_by_status();
create trigger subscriptions_uncounted after delete on subscriptions
  referencing old table as changed for each statement execute function count_by_status();
create trigger subscriptions_recounted after update on subscriptions
  for each row when (old.status <> new.status) execute function count_moved();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'subscriptions', account_id, environment, status, 0, count(*) from subscriptions group by 2, 3, 4;

-- Money between accounts by kind, and the catalogue without a filter.
create function count_by_kind() returns trigger language plpgsql as $$
begin
  perform add_row_count(tg_table_name, account_id, environment, kind,
    case tg_op when 'INSERT' then count(*) else -count(*) end)
  from changed group by account_id, environment, kind;
  return null;
end $$;
create trigger transfers_counted after insert on transfers
  referencing new table as changed for each statement execute function count_by_kind();
create trigger transfers_uncounted after delete on transfers
  referencing old table as changed for each statement execute function count_by_kind();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'transfers', account_id, environment, kind, 0, count(*) from transfers group by 2, 3, 4;
create trigger payment_links_counted after insert on payment_links
  referencing new table as changed for each statement execute function count_rows();
create trigger payment_links_uncounted after delete on payment_links
  referencing old table as changed for each statement execute function count_rows();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'payment_links', account_id, environment, '', 0, count(*) from payment_links group by 2, 3;
create trigger products_counted after insert on products
  referencing new table as changed for each statement execute function count_rows();
create trigger products_uncounted after delete on products
  referencing old table as changed for each statement execute function count_rows();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'products', account_id, environment, '', 0, count(*) from products group by 2, 3;
