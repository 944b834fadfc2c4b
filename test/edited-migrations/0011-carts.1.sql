create table "checkout_settings" ("account_id" varchar(255) not null, "environment" text not null, "methods" jsonb null, "fee_preference" text null, "updated_at" timestamptz(3) not null, primary key ("account_id", "environment"));
alter table "checkout_settings" add constraint "checkout_settings_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "checkout_settings" add constraint "checkout_settings_fee_preference_check" check ("fee_preference" in ('customer_pays', 'org_pays'));
