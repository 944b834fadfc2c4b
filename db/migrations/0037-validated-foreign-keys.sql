-- Checks the rows that were there before their foreign keys. A row whose parent is missing fails this migration, and the
-- error names its constraint. Nothing is changed by that: give the row its parent, and run the migrations again.
alter table "checkouts" validate constraint "checkouts_customer_id_foreign";
alter table "checkouts" validate constraint "checkouts_payment_link_id_foreign";
alter table "payment_links" validate constraint "payment_links_product_group_id_foreign";
alter table "payments" validate constraint "payments_checkout_id_foreign";
alter table "payments" validate constraint "payments_customer_id_foreign";
alter table "card_setups" validate constraint "card_setups_checkout_id_foreign";
alter table "saved_payment_methods" validate constraint "saved_payment_methods_checkout_id_foreign";
alter table "saved_payment_methods" validate constraint "saved_payment_methods_customer_id_foreign";
alter table "virtual_accounts" validate constraint "virtual_accounts_customer_id_foreign";
alter table "deposits" validate constraint "deposits_virtual_account_id_foreign";
alter table "refunds" validate constraint "refunds_charge_id_foreign";
alter table "conversions" validate constraint "conversions_quote_id_foreign";
alter table "payouts" validate constraint "payouts_quote_id_foreign";
alter table "payouts" validate constraint "payouts_destination_id_foreign";
alter table "payouts" validate constraint "payouts_schedule_id_foreign";
alter table "payout_schedules" validate constraint "payout_schedules_last_withdrawal_id_foreign";
alter table "operator_actions" validate constraint "operator_actions_payout_id_foreign";
alter table "review_decisions" validate constraint "review_decisions_review_id_foreign";
alter table "ledger_entries" validate constraint "ledger_entries_transaction_id_foreign";
alter table "balance_transactions" validate constraint "balance_transactions_ledger_transaction_id_foreign";
