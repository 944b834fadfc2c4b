-- Subscriptions, their invoices and changes, and the mails about them. A checkout may begin a subscription or pay an
-- invoice, and a payment may be one of a subscription.
create table "invoice_counts" (
  "account_id" varchar(255) not null,
  "environment" text not null,
  "count" int not null,
  primary key ("account_id", "environment")
);
alter table "invoice_counts" add constraint "invoice_counts_account_id_check" check (account_id <> '');
alter table "invoice_counts" add constraint "invoice_counts_environment_check" check ("environment" in ('sandbox', 'live'));
create table "subscriptions" (
  "id" varchar(255) not null,
  "account_id" varchar(255) not null,
  "environment" text not null,
  "clock_id" varchar(255) null,
  "status" text not null,
  "customer_id" varchar(255) not null,
  "line_items" jsonb not null,
  "amount" numeric(38,18) not null,
  "currency" varchar(10) not null,
  "interval" text not null,
  "interval_count" smallint not null,
  "trial_days" smallint not null default 0,
  "collection" text not null,
  "fee_preference" text not null,
  "anchor" timestamptz(3) not null,
  "current_period_start" timestamptz(3) not null,
  "current_period_end" timestamptz(3) not null,
  "trial_start" timestamptz(3) null,
  "trial_end" timestamptz(3) null,
  "reminds_at" timestamptz(3) null,
  "cancel_at_period_end" boolean not null default false,
  "pause_at_period_end" boolean not null default false,
  "resumes_at" timestamptz(3) null,
  "canceled_at" timestamptz(3) null,
  "ended_at" timestamptz(3) null,
  "cancellation" jsonb null,
  "past_due_at" timestamptz(3) null,
  "next_payment_attempt_at" timestamptz(3) null,
  "dunning_ends_at" timestamptz(3) null,
  "attempt_count" int not null default 0,
  "payment_method_id" varchar(255) null,
  "corridor" varchar(32) null,
  "pending_plan" jsonb null,
  "charged_amount" numeric(38,18) not null default '0',
  "charged_from" timestamptz(3) not null,
  "credit" numeric(38,18) not null default '0',
  "invoiced_until" timestamptz(3) not null,
  "latest_invoice_id" varchar(255) null,
  "charge_due_at" timestamptz(3) null,
  "payment_id" varchar(255) null,
  "checkout_id" varchar(255) not null,
  "metadata" jsonb not null,
  "wakes_at" timestamptz(3) null,
  "wakes_for" text null,
  "revision" int not null default 0,
  "created_at" timestamptz(3) not null,
  "updated_at" timestamptz(3) not null,
  primary key ("id")
);
alter table "subscriptions" add constraint "subscriptions_once" unique ("checkout_id");
create index "subscriptions_on_clock" on "subscriptions" ("clock_id") where clock_id is not null;
create index "subscriptions_newest" on "subscriptions" ("account_id", "environment", "created_at", "id");
create index "subscriptions_by_status" on "subscriptions" ("account_id", "environment", "status", "created_at", "id");
create index "subscriptions_by_customer" on "subscriptions" ("customer_id", "created_at", "id");
create index "subscriptions_waiting" on "subscriptions" ("account_id", "environment", "wakes_at", "id") where status <> 'canceled';
create index "subscriptions_by_method" on "subscriptions" ("payment_method_id") where payment_method_id is not null;
create index "subscriptions_open" on "subscriptions" ("created_at") where status <> 'canceled' or payment_id is not null;
alter table "subscriptions" add constraint "subscriptions_periods_go_on" check (current_period_end > current_period_start);
alter table "subscriptions" add constraint "subscriptions_end_once" check ((status = 'canceled') = (ended_at is not null));
alter table "subscriptions" add constraint "subscriptions_wake_for_something" check ((wakes_at is null) = (wakes_for is null));
alter table "subscriptions" add constraint "subscriptions_trials_have_both_ends" check ((trial_start is null) = (trial_end is null));
alter table "subscriptions" add constraint "subscriptions_account_id_check" check (account_id <> '');
alter table "subscriptions" add constraint "subscriptions_amount_check" check (amount >= 0 and amount <> 'NaN');
alter table "subscriptions" add constraint "subscriptions_interval_count_check" check (interval_count >= 1);
alter table "subscriptions" add constraint "subscriptions_trial_days_check" check (trial_days >= 0);
alter table "subscriptions" add constraint "subscriptions_charged_amount_check" check (charged_amount >= 0 and charged_amount <> 'NaN');
alter table "subscriptions" add constraint "subscriptions_credit_check" check (credit >= 0 and credit <> 'NaN');
alter table "subscriptions" add constraint "subscriptions_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "subscriptions" add constraint "subscriptions_status_check" check ("status" in ('trialing', 'active', 'past_due', 'paused', 'canceled'));
alter table "subscriptions" add constraint "subscriptions_interval_check" check ("interval" in ('day', 'week', 'month', 'year'));
alter table "subscriptions" add constraint "subscriptions_collection_check" check ("collection" in ('automatic', 'invoice'));
alter table "subscriptions" add constraint "subscriptions_fee_preference_check" check ("fee_preference" in ('customer_pays', 'org_pays'));
alter table "subscriptions" add constraint "subscriptions_wakes_for_check" check ("wakes_for" in ('trial_reminder', 'dunning_end', 'period_end', 'resumption', 'invoice_opening', 'payment_attempt'));
create table "invoices" (
  "id" varchar(255) not null,
  "account_id" varchar(255) not null,
  "environment" text not null,
  "clock_id" varchar(255) null,
  "number" varchar(20) null,
  "status" text not null,
  "billing_reason" text not null,
  "customer_id" varchar(255) not null,
  "customer_email" varchar(320) not null,
  "customer_name" varchar(255) null,
  "billing_address" jsonb null,
  "subscription_id" varchar(255) not null,
  "payment_id" varchar(255) null,
  "line_items" jsonb not null,
  "currency" varchar(10) not null,
  "subtotal" numeric(38,18) not null,
  "total" numeric(38,18) not null,
  "amount_paid" numeric(38,18) not null default '0',
  "period_start" timestamptz(3) not null,
  "period_end" timestamptz(3) not null,
  "due_at" timestamptz(3) not null,
  "attempt_count" int not null default 0,
  "page_key" varchar(64) not null,
  "metadata" jsonb not null,
  "finalized_at" timestamptz(3) null,
  "paid_at" timestamptz(3) null,
  "applied_at" timestamptz(3) null,
  "voided_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null,
  "updated_at" timestamptz(3) not null,
  primary key ("id")
);
create index "invoices_by_customer" on "invoices" ("customer_id");
alter table "invoices" add constraint "invoices_by_page_key" unique ("page_key");
create index "invoices_on_clock" on "invoices" ("clock_id") where clock_id is not null;
create index "invoices_newest" on "invoices" ("account_id", "environment", "created_at", "id");
create index "invoices_by_status" on "invoices" ("account_id", "environment", "status", "created_at", "id");
create index "invoices_of_subscription" on "invoices" ("subscription_id", "created_at", "id");
create index "invoices_to_apply" on "invoices" ("created_at") where status = 'paid' and applied_at is null;
create index "invoices_open" on "invoices" ("subscription_id", "period_start") where status = 'open';
alter table "invoices" add constraint "invoices_once_per_number" unique ("account_id", "environment", "number");
alter table "invoices" add constraint "invoices_numbered_when_opened" check ((status = 'draft') = (number is null) or status = 'void');
alter table "invoices" add constraint "invoices_paid_in_full" check ((status = 'paid') = (paid_at is not null));
alter table "invoices" add constraint "invoices_paid_whole" check (status <> 'paid' or amount_paid = total);
alter table "invoices" add constraint "invoices_account_id_check" check (account_id <> '');
alter table "invoices" add constraint "invoices_subtotal_check" check (subtotal >= 0 and subtotal <> 'NaN');
alter table "invoices" add constraint "invoices_total_check" check (total >= 0 and total <> 'NaN');
alter table "invoices" add constraint "invoices_amount_paid_check" check (amount_paid >= 0 and amount_paid <= total);
alter table "invoices" add constraint "invoices_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "invoices" add constraint "invoices_status_check" check ("status" in ('draft', 'open', 'paid', 'void', 'uncollectible'));
alter table "invoices" add constraint "invoices_billing_reason_check" check ("billing_reason" in ('subscription_create', 'subscription_cycle', 'subscription_update'));
create table "subscription_changes" (
  "id" varchar(255) not null,
  "subscription_id" varchar(255) not null,
  "asked_by" text not null,
  "what" jsonb not null,
  "applied_at" timestamptz(3) null,
  "created_at" timestamptz(3) not null,
  primary key ("id")
);
create index "subscription_changes_by_subscription" on "subscription_changes" ("subscription_id");
create index "subscription_changes_by_age" on "subscription_changes" ("created_at") where applied_at is not null;
alter table "subscription_changes" add constraint "subscription_changes_asked_by_check" check ("asked_by" in ('merchant', 'customer'));
create table "subscription_mails" (
  "id" varchar(255) not null,
  "account_id" varchar(255) not null,
  "environment" text not null,
  "clock_id" varchar(255) null,
  "subscription_id" varchar(255) not null,
  "kind" text not null,
  "invoice_id" varchar(255) null,
  "created_at" timestamptz(3) not null,
  "sent_at" timestamptz(3) null,
  primary key ("id")
);
create index "subscription_mails_on_clock" on "subscription_mails" ("clock_id") where clock_id is not null;
create index "subscription_mails_to_send" on "subscription_mails" ("subscription_id", "created_at") where sent_at is null;
create index "subscription_mails_by_subscription" on "subscription_mails" ("subscription_id", "created_at", "id");
alter table "subscription_mails" add constraint "subscription_mails_account_id_check" check (account_id <> '');
alter table "subscription_mails" add constraint "subscription_mails_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "subscription_mails" add constraint "subscription_mails_kind_check" check ("kind" in ('trial_ending', 'payment_failed', 'receipt', 'invoice', 'canceled'));
alter table "simulated_charges" add "saves_card" boolean not null default false;
alter table "checkouts" add "recurring" jsonb null, add "subscription_metadata" jsonb null, add "subscription_id" varchar(255) null, add "next_charge_at" timestamptz(3) null, add "invoice_id" varchar(255) null;
create index "checkouts_of_invoice" on "checkouts" ("invoice_id", "created_at") where invoice_id is not null;
alter table "checkouts" add constraint "checkouts_invoice_check" check ((source_type = 'INVOICE') = (invoice_id is not null));
alter table "payments" add "invoice_id" varchar(255) null, add "saved_method_id" varchar(255) null;
create index "payments_of_invoice" on "payments" ("invoice_id", "created_at") where invoice_id is not null;
alter table "payments" add constraint "payments_invoice_id_foreign"
  foreign key ("invoice_id") references "invoices" ("id") on delete restrict;
alter table "payments" add constraint "payments_subscription_id_foreign"
  foreign key ("subscription_id") references "subscriptions" ("id") on delete restrict;
alter table "subscriptions" add constraint "subscriptions_customer_id_foreign"
  foreign key ("customer_id") references "customers" ("id") on delete restrict;
alter table "subscriptions" add constraint "subscriptions_payment_method_id_foreign"
  foreign key ("payment_method_id") references "saved_payment_methods" ("id") on delete restrict;
alter table "subscriptions" add constraint "subscriptions_checkout_id_foreign"
  foreign key ("checkout_id") references "checkouts" ("id") on delete restrict;
alter table "invoices" add constraint "invoices_customer_id_foreign"
  foreign key ("customer_id") references "customers" ("id") on delete restrict;
alter table "invoices" add constraint "invoices_subscription_id_foreign"
  foreign key ("subscription_id") references "subscriptions" ("id") on delete restrict;
alter table "subscription_mails" add constraint "subscription_mails_subscription_id_foreign"
  foreign key ("subscription_id") references "subscriptions" ("id") on delete restrict;
alter table "subscription_mails" add constraint "subscription_mails_invoice_id_foreign"
  foreign key ("invoice_id") references "invoices" ("id") on delete restrict;
alter table "payments" add constraint "payments_saved_method_id_foreign"
  foreign key ("saved_method_id") references "saved_payment_methods" ("id") on delete restrict;
