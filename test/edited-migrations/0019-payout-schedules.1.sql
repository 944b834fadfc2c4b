create table "payout_schedules" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "currency" varchar(10) not null, "interval" text not null, "weekly_payout_days" text[] not null, "monthly_payout_days" smallint[] not null, "anchor_hour_utc" smallint not null, "minimum_amount" numeric(38,18) not null, "next_run_at" timestamptz(3) null, "last_run_at" timestamptz(3) null, "last_withdrawal_id" varchar(255) null, "disabled_reason" text null, "consecutive_failures" smallint not null default 0, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
alter table "payout_schedules" add constraint "payout_schedules_by_payout" unique ("last_withdrawal_id");

alter table "payout_schedules" add constraint "payout_schedules_id" check (id = account_id || '/' || environment || '/' || currency);
alter table "payout_schedules" add constraint "payout_schedules_are_planned" check ((next_run_at is null) = (interval = 'manual' or disabled_reason is not null));
alter table "payout_schedules" add constraint "payout_schedules_have_the_days_of_their_interval" check ((cardinality(weekly_payout_days) > 0) = (interval = 'weekly') and (cardinality(monthly_payout_days) > 0) = (interval = 'monthly'));
alter table "payout_schedules" add constraint "payout_schedules_anchor_hour_utc_check" check (anchor_hour_utc between 0 and 23);
alter table "payout_schedules" add constraint "payout_schedules_minimum_amount_check" check (minimum_amount >= 0 and minimum_amount <> 'NaN');
alter table "payout_schedules" add constraint "payout_schedules_consecutive_failures_check" check (consecutive_failures between 0 and 3);
alter table "payout_schedules" add constraint "payout_schedules_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "payout_schedules" add constraint "payout_schedules_interval_check" check ("interval" in ('daily', 'weekly', 'monthly', 'manual'));
alter table "payout_schedules" add constraint "payout_schedules_disabled_reason_check" check ("disabled_reason" in ('no_default_destination', 'destination_not_usable', 'consecutive_failures', 'account_restricted'));
