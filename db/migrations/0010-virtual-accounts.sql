create table "account_capabilities" ("account_id" varchar(255) not null, "environment" text not null, "capability" text not null, "status" text not null, "updated_at" timestamptz(3) not null, primary key ("account_id", "environment", "capability"));
alter table "account_capabilities" add constraint "account_capabilities_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "account_capabilities" add constraint "account_capabilities_capability_check" check ("capability" in ('card_payments', 'bank_transfer_payments', 'mobile_money_payments', 'crypto_payments', 'payouts', 'virtual_accounts', 'transfers'));
alter table "account_capabilities" add constraint "account_capabilities_status_check" check ("status" in ('inactive', 'pending', 'active', 'restricted'));

create table "virtual_accounts" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "customer_id" varchar(255) not null, "currency" text not null, "account_number" varchar(10) not null, "account_name" varchar(255) not null, "bank_code" varchar(6) not null, "bank_name" varchar(255) not null, "status" text not null default 'active', "created_at" timestamptz(3) not null, primary key ("id"));
alter table "virtual_accounts" add constraint "virtual_accounts_one_per_customer" unique ("account_id", "environment", "customer_id", "currency");
alter table "virtual_accounts" add constraint "virtual_accounts_number" unique ("bank_code", "account_number");
create index "virtual_accounts_newest" on "virtual_accounts" ("account_id", "environment", "created_at", "id");
alter table "virtual_accounts" add constraint "virtual_accounts_account_number_check" check (account_number ~ '^[0-9]{10}$');
alter table "virtual_accounts" add constraint "virtual_accounts_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "virtual_accounts" add constraint "virtual_accounts_currency_check" check ("currency" in ('NGN'));
alter table "virtual_accounts" add constraint "virtual_accounts_status_check" check ("status" in ('active'));

create table "deposits" ("id" varchar(255) not null, "environment" text not null, "virtual_account_id" varchar(255) not null, "session_id" varchar(64) not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "deposits_by_virtual_account" on "deposits" ("virtual_account_id");
alter table "deposits" add constraint "deposits_once" unique ("environment", "session_id");
alter table "deposits" add constraint "deposits_environment_check" check ("environment" in ('sandbox', 'live'));

-- The simulated bank's book holds transfers to either kind of account.
alter table "simulated_deposits"
  alter column "payment_id" drop not null,
  add column "account_number" varchar(10) null,
  add column "is_final" boolean not null default true;
alter table "simulated_deposits" add constraint "simulated_deposits_one_target" check (num_nonnulls(payment_id, account_number) = 1);
