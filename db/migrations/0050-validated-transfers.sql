-- Checks the rows that were there before the constraints of the migration before.
alter table "ledger_balances" validate constraint "ledger_balances_book_check";
alter table "ledger_entries" validate constraint "ledger_entries_book_check";
alter table "ledger_sums" validate constraint "ledger_sums_book_check";
alter table "ledger_transactions" validate constraint "ledger_transactions_kind_check";
