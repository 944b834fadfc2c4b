-- What an account sets about itself, in each environment.
create table "account_settings" ("account_id" varchar(255) not null, "environment" text not null, "late_payment_policy" text null, "refund_fee_bearer" text null, "display_name" varchar(255) null, "support_email" varchar(320) null, "logo_id" varchar(255) null, "accent_color" varchar(7) null, "timezone" varchar(64) null, "dunning" jsonb null, "statement_text" varchar(22) null, "updated_at" timestamptz(3) not null, primary key ("account_id", "environment"));
alter table "account_settings" add constraint "account_settings_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "account_settings" add constraint "account_settings_late_payment_policy_check" check ("late_payment_policy" in ('accept', 'refund'));
alter table "account_settings" add constraint "account_settings_refund_fee_bearer_check" check ("refund_fee_bearer" in ('ORG', 'CUSTOMER'));
alter table "account_settings" add constraint "account_settings_account_id_check" check (account_id <> '');

-- Which subscription a payment is of: none of those that exist. What its rail was asked to show on a card's statement.
alter table "payments" add column "subscription_id" varchar(255) null, add column "statement_text" varchar(22) null;
create index "payments_of_subscription" on "payments" ("subscription_id", "created_at", "id") where subscription_id is not null;
