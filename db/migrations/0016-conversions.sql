create table "conversion_quotes" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "from_amount" numeric(38,18) not null, "from_currency" varchar(10) not null, "to_amount" numeric(38,18) not null, "to_currency" varchar(10) not null, "rate" numeric(38,18) not null, "fee" numeric(38,18) not null, "used_at" timestamptz(3) null, "expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("id"));

create table "conversions" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "quote_id" varchar(255) not null, "reference" varchar(128) null, "status" text not null default 'pending', "from_amount" numeric(38,18) not null, "from_currency" varchar(10) not null, "to_amount" numeric(38,18) not null, "to_currency" varchar(10) not null, "rate" numeric(38,18) not null, "fee" numeric(38,18) not null, "failure_reason" varchar(500) null, "simulated_outcome" text null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
alter table "conversions" add constraint "conversions_quote_id_unique" unique ("quote_id");
create index "conversions_newest" on "conversions" ("account_id", "environment", "created_at", "id");
create index "conversions_by_reference" on "conversions" ("account_id", "environment", "reference", "created_at");

create table "simulated_conversions" ("conversion_id" varchar(255) not null, "status" text not null, "sold_amount" numeric(38,18) not null, "sold_currency" varchar(10) not null, "bought_amount" numeric(38,18) not null, "bought_currency" varchar(10) not null, "executions" smallint not null default 0, primary key ("conversion_id"));
alter table "simulated_conversions" add constraint "simulated_conversions_status_check" check ("status" in ('processing', 'completed', 'failed'));

alter table "conversion_quotes" add constraint "conversion_quotes_leave_something" check (fee < from_amount);
alter table "conversion_quotes" add constraint "conversion_quotes_two_currencies" check (from_currency <> to_currency);
alter table "conversion_quotes" add constraint "conversion_quotes_used_in_time" check (used_at is null or used_at < expires_at);
alter table "conversion_quotes" add constraint "conversion_quotes_from_amount_check" check (from_amount > 0 and from_amount <> 'NaN');
alter table "conversion_quotes" add constraint "conversion_quotes_to_amount_check" check (to_amount > 0 and to_amount <> 'NaN');
alter table "conversion_quotes" add constraint "conversion_quotes_rate_check" check (rate > 0 and rate <> 'NaN');
alter table "conversion_quotes" add constraint "conversion_quotes_fee_check" check (fee >= 0 and fee <> 'NaN');
alter table "conversion_quotes" add constraint "conversion_quotes_environment_check" check ("environment" in ('sandbox', 'live'));

alter table "conversions" add constraint "conversions_complete_at_a_time" check ((completed_at is not null) = (status = 'completed'));
alter table "conversions" add constraint "conversions_say_why_they_failed" check ((failure_reason is not null) = (status = 'failed'));
alter table "conversions" add constraint "conversions_from_amount_check" check (from_amount > 0 and from_amount <> 'NaN');
alter table "conversions" add constraint "conversions_to_amount_check" check (to_amount > 0 and to_amount <> 'NaN');
alter table "conversions" add constraint "conversions_rate_check" check (rate > 0 and rate <> 'NaN');
alter table "conversions" add constraint "conversions_fee_check" check (fee >= 0 and fee <> 'NaN');
alter table "conversions" add constraint "conversions_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "conversions" add constraint "conversions_status_check" check ("status" in ('pending', 'processing', 'completed', 'failed'));
alter table "conversions" add constraint "conversions_simulated_outcome_check" check ("simulated_outcome" in ('success', 'failed'));

alter table "ledger_transactions" drop constraint "ledger_transactions_kind_check";
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check" check ("kind" in ('deposit', 'settlement', 'surplus', 'refund_hold', 'refund_paid', 'refund_released', 'payout_hold', 'payout_paid', 'payout_released', 'payout_returned', 'conversion_hold', 'conversion_done', 'conversion_released'));
