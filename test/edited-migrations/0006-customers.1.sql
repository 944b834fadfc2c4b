-- Substring search in any case. The extension is part of PostgreSQL and trusted: who may create in this database may add it.
create extension if not exists pg_trgm;
create index "customers_newest" on "customers" ("account_id", "environment", "created_at", "id");
create index "customers_email_parts" on "customers" using gin ("email" gin_trgm_ops) with (fastupdate = off);
create index "customers_name_parts" on "customers" using gin (lower("name") gin_trgm_ops) with (fastupdate = off);

-- The triggers' lock keeps other inserts out until the commit, so the count of what is there already misses none.
create trigger customers_counted after insert on customers
  referencing new table as changed for each statement execute function count_rows();
create trigger customers_uncounted after delete on customers
  referencing old table as changed for each statement execute function count_rows();
insert into row_counts (table_name, account_id, environment, slot, count)
select 'customers', account_id, environment, 0, count(*) from customers group by account_id, environment;
