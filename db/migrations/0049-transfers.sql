-- Money that moves between a platform and its connected accounts: transfers and platform fees, what has gone back of
-- them, and the ledger account that stands between the two accounts. From here on new rows of the ledger are checked. The
-- rows that are there already are checked by the next migration, while others go on writing.
alter table "ledger_balances" drop constraint "ledger_balances_book_check";
alter table "ledger_balances" add constraint "ledger_balances_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed', 'intercompany')) not valid;
create index "ledger_balances_owing" on "ledger_balances" ("environment", "currency", "account_id") where book = 'owed' and amount > 0;
alter table "ledger_entries" drop constraint "ledger_entries_book_check";
alter table "ledger_entries" add constraint "ledger_entries_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed', 'intercompany')) not valid;
alter table "ledger_sums" drop constraint "ledger_sums_book_check";
alter table "ledger_sums" add constraint "ledger_sums_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed', 'intercompany')) not valid;
alter table "ledger_transactions" drop constraint "ledger_transactions_kind_check";
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check" check ("kind" in ('deposit', 'settlement', 'surplus', 'owed_repaid', 'refund_hold', 'refund_paid', 'refund_released', 'refund_returned', 'payout_hold', 'payout_paid', 'payout_released', 'payout_returned', 'conversion_hold', 'conversion_done', 'conversion_released', 'transfer', 'transfer_reversed', 'transfer_restored', 'platform_fee', 'platform_fee_refunded', 'platform_fee_restored')) not valid;
create table "transfers" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "kind" text not null, "from_account_id" varchar(255) not null, "to_account_id" varchar(255) not null, "currency" varchar(10) not null, "amount" numeric(38,18) not null, "reversed_amount" numeric(38,18) not null default '0', "payment_id" varchar(255) null, "settled_amount" numeric(38,18) null, "reference" varchar(128) null, "description" varchar(500) null, "metadata" jsonb not null, "available_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "transfers_newest" on "transfers" ("account_id", "environment", "kind", "created_at", "id");
create index "transfers_by_reference" on "transfers" ("account_id", "environment", "reference");
alter table "transfers" add constraint "transfers_once_per_payment" unique ("payment_id");
create table "transfer_reversals" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "transfer_id" varchar(255) not null, "currency" varchar(10) not null, "amount" numeric(38,18) not null, "refund_id" varchar(255) null, "description" varchar(500) null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "canceled_at" timestamptz(3) null, primary key ("id"));
create index "transfer_reversals_of_transfer" on "transfer_reversals" ("transfer_id", "created_at", "id");
create index "transfer_reversals_of_refund" on "transfer_reversals" ("refund_id") where refund_id is not null;
alter table "transfers" add constraint "transfers_payment_id_foreign" foreign key ("payment_id") references "payments" ("id") on delete restrict;
alter table "transfers" add constraint "transfers_fee_of_a_sale" check (kind = 'transfer' or payment_id is not null);
alter table "transfers" add constraint "transfers_within_the_sale" check ((payment_id is null) = (settled_amount is null) and amount <= coalesce(settled_amount, amount));
alter table "transfers" add constraint "transfers_account_id_check" check (account_id <> '');
alter table "transfers" add constraint "transfers_from_account_id_check" check (from_account_id <> '');
alter table "transfers" add constraint "transfers_to_account_id_check" check (to_account_id <> '');
alter table "transfers" add constraint "transfers_amount_check" check (amount > 0 and amount <> 'NaN');
alter table "transfers" add constraint "transfers_reversed_amount_check" check (reversed_amount >= 0 and reversed_amount <= amount);
alter table "transfers" add constraint "transfers_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "transfers" add constraint "transfers_kind_check" check ("kind" in ('transfer', 'platform_fee'));
alter table "transfer_reversals" add constraint "transfer_reversals_transfer_id_foreign" foreign key ("transfer_id") references "transfers" ("id") on delete restrict;
alter table "transfer_reversals" add constraint "transfer_reversals_refund_id_foreign" foreign key ("refund_id") references "refunds" ("id") on delete restrict;
alter table "transfer_reversals" add constraint "transfer_reversals_account_id_check" check (account_id <> '');
alter table "transfer_reversals" add constraint "transfer_reversals_amount_check" check (amount > 0 and amount <> 'NaN');
alter table "transfer_reversals" add constraint "transfer_reversals_environment_check" check ("environment" in ('sandbox', 'live'));
