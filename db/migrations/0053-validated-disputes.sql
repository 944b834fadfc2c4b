-- Checks the rows that were there before the constraints of the migration before.
alter table "ledger_transactions" validate constraint "ledger_transactions_kind_check";
alter table "balance_transactions" validate constraint "balance_transactions_type_check";
alter table "payments" validate constraint "payments_disputes_fit";
alter table "transfer_reversals" validate constraint "transfer_reversals_dispute_id_foreign";
alter table "transfer_reversals" validate constraint "transfer_reversals_for_one_reason";
