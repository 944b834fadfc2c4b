-- Lists by what few of many rows match. Without these indexes a page was searched for in all rows of the account:
-- sessions that have expired, payments by a rare method, deliveries of a rare event, the fees of one seller.
create index "checkouts_by_status" on "checkouts" ("account_id", "environment", "status", "created_at", "id");
create index "payments_by_method" on "payments" ("account_id", "environment", "corridor", "created_at", "id");
create index "deliveries_by_type" on "deliveries" ("endpoint_id", "event_type", "created_at", "id");
create index "transfers_by_source" on "transfers" ("account_id", "environment", "from_account_id", "created_at", "id")
  where kind = 'platform_fee';

-- What subscriptions wait for, of one account and of all: one index for each kind of wait, so that a page of it does not
-- read past the others. Together they have as many entries as the one before.
create index "subscriptions_going_on" on "subscriptions" ("account_id", "environment", "wakes_at", "id")
  where status <> 'canceled' and wakes_for in ('trial_reminder', 'period_end', 'invoice_opening');
create index "subscriptions_in_dunning" on "subscriptions" ("account_id", "environment", "wakes_at", "id")
  where status <> 'canceled' and wakes_for in ('payment_attempt', 'dunning_end');
create index "subscriptions_to_resume" on "subscriptions" ("account_id", "environment", "wakes_at", "id")
  where status <> 'canceled' and wakes_for = 'resumption';
create index "subscriptions_due" on "subscriptions" ("wakes_at") where status <> 'canceled' and wakes_at is not null;
create index "subscriptions_charging" on "subscriptions" ("account_id", "environment", "charge_due_at", "id")
  where charge_due_at is not null and payment_id is null;
drop index "subscriptions_waiting";

-- Pending money that is not of a payment: it was looked for among the pending money of all payments.
create index "balance_transactions_maturing" on "balance_transactions" ("account_id", "environment", "available_at")
  where type <> 'payment';

-- What connections have added and nobody has merged yet: it was looked for among the sums of all hours of all accounts.
create index "ledger_sums_shards" on "ledger_sums" ("slot") where slot <> 0;
create index "row_counts_shards" on "row_counts" ("slot") where slot <> 0;
