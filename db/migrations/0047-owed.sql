-- What an account owes: a ledger account of its own, and the movement that repays it from what arrives later. From here
-- on new rows are checked. The rows that are there already are checked by the next migration, while others go on writing.
alter table "ledger_balances" drop constraint "ledger_balances_book_check";
alter table "ledger_balances" add constraint "ledger_balances_book_check"
  check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed')) not valid;
alter table "ledger_entries" drop constraint "ledger_entries_book_check";
alter table "ledger_entries" add constraint "ledger_entries_book_check"
  check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed')) not valid;
alter table "ledger_sums" drop constraint "ledger_sums_book_check";
alter table "ledger_sums" add constraint "ledger_sums_book_check"
  check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed')) not valid;
alter table "ledger_transactions" drop constraint "ledger_transactions_kind_check";
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check"
  check ("kind" in ('deposit', 'settlement', 'surplus', 'owed_repaid', 'refund_hold', 'refund_paid', 'refund_released', 'refund_returned', 'payout_hold', 'payout_paid', 'payout_released', 'payout_returned', 'conversion_hold', 'conversion_done', 'conversion_released')) not valid;
