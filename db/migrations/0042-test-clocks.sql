-- A time of their own for some resources of the sandbox.
create table "test_clocks" (
  "id" varchar(255) primary key,
  "account_id" varchar(255) not null check (account_id <> ''),
  "environment" text not null check ("environment" in ('sandbox', 'live')),
  "name" varchar(255) not null,
  "frozen_time" timestamptz(3) not null,
  "target" timestamptz(3) null,
  "advances_after" bigint null,
  "created_at" timestamptz(3) not null,
  "updated_at" timestamptz(3) not null,
  constraint "test_clocks_are_of_the_sandbox" check (environment = 'sandbox')
);
create index "test_clocks_newest" on "test_clocks" ("account_id", "environment", "created_at", "id");
create index "test_clocks_advancing" on "test_clocks" ("created_at") where target is not null;
alter table "accounts" add column "clock_id" varchar(255) null;
alter table "customers" add column "clock_id" varchar(255) null;
create index "customers_on_clock" on "customers" ("clock_id") where clock_id is not null;
alter table "checkouts" add column "clock_id" varchar(255) null;
create index "checkouts_on_clock" on "checkouts" ("clock_id") where clock_id is not null;
alter table "payments" add column "clock_id" varchar(255) null;
create index "payments_on_clock" on "payments" ("clock_id") where clock_id is not null;
alter table "card_setups" add column "clock_id" varchar(255) null;
create index "card_setups_on_clock" on "card_setups" ("clock_id") where clock_id is not null;
alter table "refunds" add column "clock_id" varchar(255) null;
create index "refunds_on_clock" on "refunds" ("clock_id") where clock_id is not null;
alter table "conversions" add column "clock_id" varchar(255) null;
create index "conversions_on_clock" on "conversions" ("clock_id") where clock_id is not null;
alter table "payouts" add column "clock_id" varchar(255) null;
create index "payouts_on_clock" on "payouts" ("clock_id") where clock_id is not null;
alter table "payout_destinations" add column "clock_id" varchar(255) null;
create index "payout_destinations_on_clock" on "payout_destinations" ("clock_id") where clock_id is not null;
alter table "payout_schedules" add column "clock_id" varchar(255) null;
create index "payout_schedules_on_clock" on "payout_schedules" ("clock_id") where clock_id is not null;
alter table "webhook_endpoints" add column "clock_id" varchar(255) null;
create index "webhook_endpoints_on_clock" on "webhook_endpoints" ("clock_id") where clock_id is not null;
alter table "deliveries" add column "clock_id" varchar(255) null;
create index "deliveries_on_clock" on "deliveries" ("clock_id") where clock_id is not null;
alter table "timeline_items" add column "clock_id" varchar(255) null;
create index "timeline_items_on_clock" on "timeline_items" ("clock_id") where clock_id is not null;
