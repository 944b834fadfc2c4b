-- Sessions of customers: the token of one opens its customer's portal for an hour. And when a saved card was removed: its
-- payments go on naming it, so its row stays.
create table "customer_sessions" (
  "id" varchar(255) not null,
  "account_id" varchar(255) not null,
  "environment" text not null,
  "customer_id" varchar(255) not null,
  "token_hash" varchar(64) not null,
  "return_url" varchar(2048) not null,
  "flow" jsonb null,
  "created_at" timestamptz(3) not null,
  "expires_at" timestamptz(3) not null,
  primary key ("id")
);
create index "customer_sessions_by_customer" on "customer_sessions" ("customer_id");
create index "customer_sessions_by_end" on "customer_sessions" ("expires_at");
alter table "customer_sessions" add constraint "customer_sessions_account_id_check" check (account_id <> '');
alter table "customer_sessions" add constraint "customer_sessions_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "saved_payment_methods" add "detached_at" timestamptz(3) null;
