-- What is there already is taken up too, however long that takes.
set local statement_timeout = 0;

-- Every one and two characters that follow each other in a text, as numbers that differ from owner to owner.
create function short_parts(owner text, content text) returns int[] language sql immutable strict parallel safe as $$
  select array_agg(distinct hashtext(owner || substr(content, place, size)))
  from generate_series(1, length(content)) as place, generate_series(1, 2) as size
$$;

-- Filled as a generated column, which writes the table anew once; the trigger goes on with it. It is a column because
-- a search that matches most rows reads them all, and to find these parts again for each would take seconds.
alter table "customers" add column "short_parts" int[] generated always as
  (short_parts(account_id || '/' || environment || '/', email || ' ' || lower(coalesce(name, '')))) stored;
alter table "customers" alter column "short_parts" drop expression;

create function part_customer() returns trigger language plpgsql as $$
begin
  new.short_parts := short_parts(new.account_id || '/' || new.environment || '/',
    new.email || ' ' || lower(coalesce(new.name, '')));
  return new;
end $$;
create trigger customers_parted before insert or update of email, name on customers
  for each row execute function part_customer();

create index "customers_short_parts" on "customers" using gin ("short_parts") with (gin_pending_list_limit = 256);
