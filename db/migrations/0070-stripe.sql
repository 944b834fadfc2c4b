-- The book of the Stripe rail: our ids with Stripe's, what was ordered, and what was answered.
create table "stripe_orders" ("order_id" varchar(255) not null, "kind" text not null, "payment_id" varchar(255) null, "stripe_id" varchar(255) null, "customer_id" varchar(255) null, "amount" numeric(38,18) null, "currency" varchar(10) null, "answered" text null, "cancelled_at" timestamptz(3) null, "sent_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), primary key ("order_id"));
alter table "stripe_orders" add constraint "stripe_orders_kind_check" check ("kind" in ('charge', 'saved_charge', 'refund', 'setup', 'dispute'));
alter table "stripe_orders" add constraint "stripe_orders_answered_check" check ("answered" in ('succeeded', 'refused', 'accepted'));
alter table "stripe_orders" add constraint "stripe_orders_by_stripe_id" unique ("stripe_id");
create index "stripe_orders_by_payment" on "stripe_orders" ("payment_id");
