-- A balance adds up the sums of days before those of hours, so that it does not read the hours of years.
alter table "ledger_sums" validate constraint "ledger_sums_minutes_check";
-- What was booked so far is taken over, so nothing may be booked meanwhile.
lock table ledger_entries in share row exclusive mode;
create or replace function sum_entries() returns trigger language plpgsql as $$
begin
  insert into ledger_sums as s
    (account_id, environment, book, minutes, created_from, matures_from, currency, slot, amount)
  select account_id, environment, book, minutes, span_of(minutes, created_at),
    span_of(minutes, greatest(available_at, created_at)), currency, pg_backend_pid(), sum(amount)
  from added, unnest('{10, 60, 1440}'::smallint[]) as minutes group by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, environment, book, minutes, created_from, matures_from, currency, slot)
  do update set amount = s.amount + excluded.amount;
  return null;
end $$;
insert into ledger_sums (account_id, environment, book, minutes, created_from, matures_from, currency, slot, amount)
select account_id, environment, book, 1440, span_of(1440::smallint, created_from), span_of(1440::smallint, matures_from),
  currency, 0, sum(amount)
from ledger_sums where minutes = 60 group by 1, 2, 3, 5, 6, 7;
