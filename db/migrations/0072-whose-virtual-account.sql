-- A virtual account without a customer is the account's own, once for each currency.
alter table "virtual_accounts" alter column "customer_id" drop not null;
create unique index "virtual_accounts_own" on "virtual_accounts" ("account_id", "environment", "currency") where customer_id is null;
-- A live notice names the number only, so no two live accounts have the same one, whatever their banks.
create unique index "virtual_accounts_live_number" on "virtual_accounts" ("account_number") where environment = 'live';

-- The customers of our own at Paystack, one for each virtual account, keyed by our id of the holder.
create table "paystack_accounts" (
  "id" varchar(255) not null, "email" varchar(320) not null, "customer_code" varchar(64) null,
  "account_number" varchar(10) null, "sending_until" timestamptz(3) null,
  "created_at" timestamptz(3) not null default now(), primary key ("id"));
