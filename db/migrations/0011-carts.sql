create table "checkout_settings" ("account_id" varchar(255) not null, "environment" text not null, "methods" jsonb null, "fee_preference" text null, "updated_at" timestamptz(3) not null, primary key ("account_id", "environment"));
alter table "checkout_settings" add constraint "checkout_settings_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "checkout_settings" add constraint "checkout_settings_fee_preference_check" check ("fee_preference" in ('customer_pays', 'org_pays'));

-- What is sold, and who gets a part of it.
alter table "checkouts"
  add column "line_items" jsonb null,
  add column "selection" jsonb null,
  add column "platform_fee" numeric(38,18) null,
  add column "transfer_amount" numeric(38,18) null,
  add column "transfer_destination" varchar(255) null;
alter table "payment_requests" add column "line_items" jsonb null;
alter table "payments"
  add column "line_items" jsonb null,
  add column "platform_fee" numeric(38,18) null,
  add column "transfer_amount" numeric(38,18) null,
  add column "transfer_destination" varchar(255) null;
alter table "checkouts" add constraint "checkouts_selection_check" check ((session_mode = 'SELECTION') = (selection is not null));
alter table "checkouts" add constraint "checkouts_one_split_check" check (num_nonnulls(platform_fee, transfer_amount) <= 1 and (transfer_amount is null) = (transfer_destination is null));
