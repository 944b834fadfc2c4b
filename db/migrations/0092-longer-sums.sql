-- Sums of entries may be of a day. The old rows are read by the next migration, which keeps nobody from reading balances.
-- wider ledger_sums_minutes_check: it allows a day beside the ten minutes and the hour that were allowed.
alter table "ledger_sums" drop constraint "ledger_sums_minutes_check";
alter table "ledger_sums" add constraint "ledger_sums_minutes_check" check (minutes in (10, 60, 1440)) not valid;
