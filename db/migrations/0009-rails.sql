alter table "payment_requests" add column "provider" varchar(20) null, add column "asset" varchar(20) null;

-- When the rail said that there would be something to ask for.
alter table "payments" add column "news_due_at" timestamptz(3) null;

create table "simulated_phones" ("token" varchar(64) not null, "outcome" varchar(64) not null, "masked_number" varchar(20) not null, primary key ("token"));

create table "simulated_prompts" ("payment_id" varchar(255) not null, "status" text not null, "amount" numeric(38,18) not null, "currency" varchar(10) not null, "provider" varchar(20) not null, "phone_token" varchar(64) not null, "outcome" varchar(64) not null, "answers_at" timestamptz(3) not null, "closes_at" timestamptz(3) not null, "executions" smallint not null default 0, primary key ("payment_id"));
alter table "simulated_prompts" add constraint "simulated_prompts_status_check" check ("status" in ('requires_pin', 'prompted', 'succeeded', 'failed'));

create table "simulated_addresses" ("payment_id" varchar(255) not null, "asset" varchar(20) not null, "address" varchar(64) not null, "amount_usd" numeric(38,18) not null, "rate" numeric(38,18) not null, "coins" numeric(38,18) not null, "expires_at" timestamptz(3) not null, "closes_at" timestamptz(3) not null, primary key ("payment_id"));
alter table "simulated_addresses" add constraint "simulated_addresses_address_unique" unique ("address");

create table "simulated_coins" ("id" bigserial primary key, "tx_hash" varchar(128) not null, "payment_id" varchar(255) not null, "coins" numeric(38,18) not null, "worth" numeric(38,18) not null, "seen_at" timestamptz(3) not null);
alter table "simulated_coins" add constraint "simulated_coins_tx_hash_unique" unique ("tx_hash");
create index "simulated_coins_by_payment" on "simulated_coins" ("payment_id");
