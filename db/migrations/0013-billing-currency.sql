-- A session may save a card, and be paid in another currency than it is in.
alter table "checkouts"
  add column "setup" boolean not null default false,
  add column "billing_currency" varchar(10) null,
  add column "rate" numeric(38,18) null;
alter table "checkouts" add constraint "checkouts_setup_check" check (not setup or amount = 0);
alter table "checkouts" add constraint "checkouts_rate_check" check (rate > 0 and rate <> 'NaN');
alter table "payment_requests" add column "rate" numeric(38,18) null;
alter table "payment_requests" add constraint "payment_requests_rate_check" check (rate > 0 and rate <> 'NaN');
alter table "payments"
  add column "base_amount" numeric(38,18) null,
  add column "base_currency" varchar(10) null,
  add column "rate" numeric(38,18) null;
alter table "payments" add constraint "payments_converted_whole" check (num_nonnulls(base_amount, base_currency, rate) in (0, 3) and base_currency is distinct from currency);
alter table "payments" add constraint "payments_base_amount_check" check (base_amount > 0 and base_amount <> 'NaN');
alter table "payments" add constraint "payments_rate_check" check (rate > 0 and rate <> 'NaN');

-- Attempts to save a card, and the cards that were saved.
create table "card_setups" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "checkout_id" varchar(255) not null, "corridor" varchar(32) not null, "status" text not null, "next_action" jsonb null, "failure_code" varchar(64) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "card_setups_by_checkout" on "card_setups" ("checkout_id");
alter table "card_setups" add constraint "card_setups_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "card_setups" add constraint "card_setups_status_check" check ("status" in ('processing', 'requires_action', 'succeeded', 'failed', 'canceled'));

create table "saved_payment_methods" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "customer_id" varchar(255) not null, "corridor" varchar(32) not null, "rail_token" varchar(64) not null, "brand" varchar(20) not null, "last4" varchar(4) not null, "exp_month" smallint not null, "exp_year" smallint not null, "country" varchar(2) not null, "checkout_id" varchar(255) not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "saved_payment_methods_of_customer" on "saved_payment_methods" ("customer_id", "created_at", "id");
alter table "saved_payment_methods" add constraint "saved_payment_methods_once" unique ("checkout_id");
alter table "saved_payment_methods" add constraint "saved_payment_methods_environment_check" check ("environment" in ('sandbox', 'live'));

create table "simulated_setups" ("setup_id" varchar(255) not null, "status" text not null, "card_token" varchar(64) not null, "failure_code" varchar(64) null, "executions" smallint not null default 0, primary key ("setup_id"));
alter table "simulated_setups" add constraint "simulated_setups_status_check" check ("status" in ('requires_action', 'succeeded', 'failed'));
