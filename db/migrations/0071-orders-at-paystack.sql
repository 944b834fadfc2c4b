-- What is ordered at Paystack, keyed by our ids.
create table "paystack_orders" (
  "id" varchar(255) not null, "kind" text not null, "payment_id" varchar(255) null, "channel" text null,
  "amount" numeric(38,18) not null, "currency" varchar(10) not null, "their_id" varchar(20) null,
  "transfer_code" varchar(64) null, "recipient_code" varchar(64) null, "answered" varchar(64) null,
  "next_action" jsonb null, "details" jsonb null, "saves_card" boolean not null default false, "phone_token" varchar(64) null, "expires_at" timestamptz(3) null,
  "sends" int not null default 0, "sent_at" timestamptz(3) null, "sending_until" timestamptz(3) null,
  "succeeded_at" timestamptz(3) null, "canceled_at" timestamptz(3) null, "refused_at" timestamptz(3) null,
  "look_ups" int not null default 0, "created_at" timestamptz(3) not null default now(),
  primary key ("id"));
alter table "paystack_orders" add constraint "paystack_orders_kind_check" check ("kind" in ('charge', 'refund', 'payout'));
alter table "paystack_orders" add constraint "paystack_orders_channel_check" check ("channel" in ('bank_transfer', 'mobile_money', 'card_page', 'saved_card'));
create index "paystack_orders_by_payment" on "paystack_orders" ("payment_id");
create index "paystack_orders_by_their_id" on "paystack_orders" ("their_id");

-- Cards that Paystack has saved, with the email for which each may be charged.
create table "paystack_cards" (
  "token" varchar(64) not null, "encrypted_email" text not null, "created_at" timestamptz(3) not null default now(),
  primary key ("token"));
create index "paystack_cards_by_age" on "paystack_cards" ("created_at");

-- Phone numbers and one-time codes, encrypted until Paystack has them.
create table "paystack_secrets" (
  "token" varchar(64) not null, "encrypted" text not null, "created_at" timestamptz(3) not null default now(),
  primary key ("token"));
create index "paystack_secrets_by_age" on "paystack_secrets" ("created_at");
