create table "refunds" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "charge_id" varchar(255) not null, "reference" varchar(128) not null, "status" text not null default 'pending', "currency" varchar(10) not null, "requested_amount" numeric(38,18) not null, "refunded_amount" numeric(38,18) null, "fee_amount" numeric(38,18) not null, "fee_bearer" text not null, "reason" varchar(500) null, "refund_address" varchar(255) null, "simulated_outcome" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
create index "refunds_newest" on "refunds" ("account_id", "environment", "created_at", "id");
create index "refunds_by_charge" on "refunds" ("charge_id", "created_at", "id");
alter table "refunds" add constraint "refunds_end_at_a_time" check ((completed_at is not null) = (status in ('succeeded', 'failed')));
alter table "refunds" add constraint "refunds_say_what_went_back" check ((refunded_amount is not null) = (status = 'succeeded'));
alter table "refunds" add constraint "refunds_requested_amount_check" check (requested_amount > 0 and requested_amount <> 'NaN');
alter table "refunds" add constraint "refunds_fee_amount_check" check (fee_amount >= 0 and fee_amount <> 'NaN');
alter table "refunds" add constraint "refunds_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "refunds" add constraint "refunds_status_check" check ("status" in ('pending', 'processing', 'succeeded', 'failed'));
alter table "refunds" add constraint "refunds_fee_bearer_check" check ("fee_bearer" in ('ORG', 'CUSTOMER'));
alter table "refunds" add constraint "refunds_simulated_outcome_check" check ("simulated_outcome" in ('success', 'failed'));

create table "simulated_refunds" ("refund_id" varchar(255) not null, "payment_id" varchar(255) not null, "status" text not null, "amount" numeric(38,18) not null, "currency" varchar(10) not null, "executions" smallint not null default 0, primary key ("refund_id"));
alter table "simulated_refunds" add constraint "simulated_refunds_status_check" check ("status" in ('processing', 'succeeded', 'failed'));

-- Refunds that have not failed never exceed what has settled: the database holds it too.
alter table "payments" add column "refund_claimed" numeric(38,18) not null default '0', add column "refunded_amount" numeric(38,18) not null default '0';
alter table "payments" add constraint "payments_refunds_fit" check (refunded_amount >= 0 and refunded_amount <= refund_claimed and refund_claimed <= greatest(amount_received - fee, 0));

alter table "accounts" add column "refund_fee_bearer" text not null default 'ORG';
alter table "accounts" add constraint "accounts_refund_fee_bearer_check" check ("refund_fee_bearer" in ('ORG', 'CUSTOMER'));

alter table "ledger_balances" drop constraint "ledger_balances_book_check";
alter table "ledger_balances" add constraint "ledger_balances_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved'));
alter table "ledger_entries" drop constraint "ledger_entries_book_check";
alter table "ledger_entries" add constraint "ledger_entries_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees', 'reserved'));
alter table "ledger_transactions" drop constraint "ledger_transactions_kind_check";
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check" check ("kind" in ('deposit', 'settlement', 'surplus', 'refund_hold', 'refund_paid', 'refund_released'));
