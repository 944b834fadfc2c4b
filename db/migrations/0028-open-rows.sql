-- Indexes of big tables are made while nobody writes to them, however long that takes.
set local statement_timeout = 0;

create table "process_restarts" ("process" varchar(64) not null, "resource_id" varchar(255) not null, "restarts" int not null, "restarted_at" timestamptz(3) not null, "not_before" timestamptz(3) not null, primary key ("process", "resource_id"));
alter table "process_restarts" add constraint "process_restarts_restarts_check" check (restarts > 0);
create index "process_restarts_by_time" on "process_restarts" ("restarted_at");

alter table "outbox" add column "anew" boolean not null default false;

-- The open rows of each kind, in the order in which the supervisor reads them; checkouts and deliveries have theirs.
create index "checkouts_listening" on "checkouts" ("listens_until") where listens_until is not null;
create index "payments_awaiting_news" on "payments" ("news_due_at") where news_due_at is not null;
create index "payments_to_cancel" on "payments" ("created_at") where cancelling = 'due';
create index "payments_open_deposits" on "payments" ("created_at") where status = 'processing' and checkout_id is null;
create index "refunds_open" on "refunds" ("created_at") where status in ('pending', 'processing');
create index "conversions_open" on "conversions" ("created_at") where status in ('pending', 'processing');
create index "payouts_open" on "payouts" ("created_at") where status in ('requested', 'pending', 'approved', 'processing');
create index "payout_destinations_open" on "payout_destinations" ("created_at") where status = 'pending_review' and deactivated_at is null;
create index "payout_schedules_planned" on "payout_schedules" ("next_run_at") where next_run_at is not null;
create index "webhook_endpoints_failing" on "webhook_endpoints" ("failing_since") where enabled and failing_since is not null;
create index "webhook_recoveries_open" on "webhook_recoveries" ("created_at") where completed_at is null;
