create table "payouts" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "destination_id" varchar(255) not null, "status" text not null default 'requested', "amount" numeric(38,18) not null, "currency" varchar(10) not null, "source_amount" numeric(38,18) not null, "source_currency" varchar(10) not null, "fee" numeric(38,18) not null, "quote_id" varchar(255) null, "reference" varchar(128) null, "description" varchar(500) null, "metadata" jsonb not null, "simulated_outcome" text null, "hold_reason" varchar(500) null, "failure_reason" varchar(500) null, "trace_id" varchar(128) null, "submitted_at" timestamptz(3) null, "returned_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
create index "payouts_by_destination" on "payouts" ("destination_id");
alter table "payouts" add constraint "payouts_quote_id_unique" unique ("quote_id");
create index "payouts_newest" on "payouts" ("account_id", "environment", "created_at", "id");
create index "payouts_unfinished" on "payouts" ("submitted_at") where status = 'processing';

create table "payout_destinations" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "name" varchar(255) not null, "type" text not null, "currency" varchar(10) not null, "status" text not null default 'pending_review', "status_reason" varchar(500) null, "is_default" boolean not null default false, "account_number" varchar(50) null, "account_name" varchar(255) null, "bank_code" varchar(20) null, "bank_name" varchar(255) null, "scheme" varchar(10) null, "phone_number" varchar(20) null, "mobile_provider" varchar(50) null, "wallet_address" varchar(255) null, "network" varchar(50) null, "metadata" jsonb not null, "revision" int not null default 1, "reviewed_at" timestamptz(3) null, "deactivated_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "payout_destinations_newest" on "payout_destinations" ("account_id", "environment", "created_at", "id");
create unique index "payout_destinations_one_default" on "payout_destinations" ("account_id", "environment", "currency") where is_default;

create table "reviews" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "type" text not null, "resource_id" varchar(255) not null, "revision" int not null default 1, "state" text not null default 'open', "reason" varchar(500) not null, "reminds_at" timestamptz(3) not null, "escalates_at" timestamptz(3) not null, "escalated_at" timestamptz(3) null, "claimed_by" varchar(255) null, "claimed_at" timestamptz(3) null, "decision" text null, "decided_by" varchar(255) null, "decision_reason" varchar(500) null, "decided_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "reviews_by_resource" on "reviews" ("resource_id");
create index "reviews_queue" on "reviews" ("state", "created_at", "id");
alter table "reviews" add constraint "reviews_once" unique ("type", "resource_id", "revision");

alter table "ledger_transactions" drop constraint "ledger_transactions_kind_check";
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check" check ("kind" in ('deposit', 'settlement', 'surplus', 'refund_hold', 'refund_paid', 'refund_released', 'payout_hold', 'payout_paid', 'payout_released', 'payout_returned'));

alter table "payouts" add constraint "payouts_complete_at_a_time" check ((completed_at is not null) = (status = 'completed'));
alter table "payouts" add constraint "payouts_say_why_they_failed" check ((failure_reason is not null) = (status in ('failed', 'rejected')));
alter table "payouts" add constraint "payouts_return_once_completed" check (returned_at is null or status = 'completed');
alter table "payouts" add constraint "payouts_amount_check" check (amount > 0 and amount <> 'NaN');
alter table "payouts" add constraint "payouts_source_amount_check" check (source_amount > 0 and source_amount <> 'NaN');
alter table "payouts" add constraint "payouts_fee_check" check (fee >= 0 and fee <> 'NaN');
alter table "payouts" add constraint "payouts_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "payouts" add constraint "payouts_status_check" check ("status" in ('requested', 'pending', 'processing', 'approved', 'rejected', 'completed', 'failed'));
alter table "payouts" add constraint "payouts_simulated_outcome_check" check ("simulated_outcome" in ('success', 'failed'));

alter table "payout_destinations" add constraint "payout_destinations_are_reviewed" check ((reviewed_at is null) = (status = 'pending_review'));
alter table "payout_destinations" add constraint "payout_destinations_default_is_usable" check (not is_default or deactivated_at is null);
alter table "payout_destinations" add constraint "payout_destinations_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "payout_destinations" add constraint "payout_destinations_type_check" check ("type" in ('bank_account', 'mobile_money', 'crypto_wallet'));
alter table "payout_destinations" add constraint "payout_destinations_status_check" check ("status" in ('pending_review', 'approved', 'rejected'));

alter table "reviews" add constraint "reviews_are_decided_at_a_time" check ((decided_at is not null) = (state = 'decided'));
alter table "reviews" add constraint "reviews_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "reviews" add constraint "reviews_type_check" check ("type" in ('payout_destination', 'payout'));
alter table "reviews" add constraint "reviews_state_check" check ("state" in ('open', 'decided', 'withdrawn'));
alter table "reviews" add constraint "reviews_decision_check" check ("decision" in ('approve', 'reject'));
