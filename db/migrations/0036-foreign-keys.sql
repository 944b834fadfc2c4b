-- A row that another one names cannot be deleted (decision 0035). From here on new rows are checked. The rows that are
-- there already are checked by the next migration, while others go on writing.
alter table "checkouts" add constraint "checkouts_customer_id_foreign"
  foreign key ("customer_id") references "customers" ("id") on delete restrict not valid;
alter table "checkouts" add constraint "checkouts_payment_link_id_foreign"
  foreign key ("payment_link_id") references "payment_links" ("id") on delete restrict not valid;
alter table "payment_links" add constraint "payment_links_product_group_id_foreign"
  foreign key ("product_group_id") references "product_groups" ("id") on delete restrict not valid;
alter table "payments" add constraint "payments_checkout_id_foreign"
  foreign key ("checkout_id") references "checkouts" ("id") on delete restrict not valid;
alter table "payments" add constraint "payments_customer_id_foreign"
  foreign key ("customer_id") references "customers" ("id") on delete restrict not valid;
alter table "card_setups" add constraint "card_setups_checkout_id_foreign"
  foreign key ("checkout_id") references "checkouts" ("id") on delete restrict not valid;
alter table "saved_payment_methods" add constraint "saved_payment_methods_checkout_id_foreign"
  foreign key ("checkout_id") references "checkouts" ("id") on delete restrict not valid;
alter table "saved_payment_methods" add constraint "saved_payment_methods_customer_id_foreign"
  foreign key ("customer_id") references "customers" ("id") on delete restrict not valid;
alter table "virtual_accounts" add constraint "virtual_accounts_customer_id_foreign"
  foreign key ("customer_id") references "customers" ("id") on delete restrict not valid;
alter table "deposits" add constraint "deposits_virtual_account_id_foreign"
  foreign key ("virtual_account_id") references "virtual_accounts" ("id") on delete restrict not valid;
alter table "refunds" add constraint "refunds_charge_id_foreign"
  foreign key ("charge_id") references "payments" ("id") on delete restrict not valid;
alter table "conversions" add constraint "conversions_quote_id_foreign"
  foreign key ("quote_id") references "conversion_quotes" ("id") on delete restrict not valid;
alter table "payouts" add constraint "payouts_quote_id_foreign"
  foreign key ("quote_id") references "conversion_quotes" ("id") on delete restrict not valid;
alter table "payouts" add constraint "payouts_destination_id_foreign"
  foreign key ("destination_id") references "payout_destinations" ("id") on delete restrict not valid;
alter table "payouts" add constraint "payouts_schedule_id_foreign"
  foreign key ("schedule_id") references "payout_schedules" ("id") on delete restrict not valid;
alter table "payout_schedules" add constraint "payout_schedules_last_withdrawal_id_foreign"
  foreign key ("last_withdrawal_id") references "payouts" ("id") on delete restrict not valid;
alter table "operator_actions" add constraint "operator_actions_payout_id_foreign"
  foreign key ("payout_id") references "payouts" ("id") on delete restrict not valid;
alter table "review_decisions" add constraint "review_decisions_review_id_foreign"
  foreign key ("review_id") references "reviews" ("id") on delete restrict not valid;
alter table "ledger_entries" add constraint "ledger_entries_transaction_id_foreign"
  foreign key ("transaction_id") references "ledger_transactions" ("id") on delete restrict not valid;
alter table "balance_transactions" add constraint "balance_transactions_ledger_transaction_id_foreign"
  foreign key ("ledger_transaction_id") references "ledger_transactions" ("id") on delete restrict not valid;
