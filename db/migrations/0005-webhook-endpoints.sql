-- The single-URL configuration hears what it always did: every event of its own account.
alter table "webhook_endpoints"
  add column "description" varchar(500) null,
  add column "events" text[] not null default '{*}',
  add column "account_scope" text not null default 'own',
  add column "previous_sealed_secret" text null,
  add column "previous_secret_until" timestamptz(3) null,
  add column "disabled_at" timestamptz(3) null,
  add column "disabled_reason" text null,
  add column "failing_since" timestamptz(3) null,
  add column "warned_at" timestamptz(3) null,
  add column "metadata" jsonb not null default '{}';
alter table "webhook_endpoints" alter column "events" drop default;
alter table "webhook_endpoints" add constraint "webhook_endpoints_account_scope_check" check ("account_scope" in ('own', 'connected', 'all'));
alter table "webhook_endpoints" add constraint "webhook_endpoints_disabled_reason_check" check ("disabled_reason" in ('consecutive_failures'));
create index "webhook_endpoints_newest" on "webhook_endpoints" ("account_id", "environment", "created_at", "id");

-- A delivery says what it is about without its event, for the lists by type.
alter table "deliveries" add column "event_type" varchar(64) null, add column "attempts_max" smallint not null default 5;
update "deliveries" d set "event_type" = e."type" from "events" e where e."id" = d."event_id";
alter table "deliveries" alter column "event_type" set not null;
alter table "deliveries" add constraint "deliveries_attempts_max_check" check (attempts_max >= 1 and attempts_max <= 5);
drop index "deliveries_by_endpoint";
create index "deliveries_by_endpoint" on "deliveries" ("endpoint_id", "created_at", "id");
create index "deliveries_pending_by_endpoint" on "deliveries" ("endpoint_id") where status = 'pending';

alter table "events" add column "is_test" boolean not null default false;
update "events" set "is_test" = true where "resource_id" like 'we\_%';
drop index "events_newest";
create index "events_newest" on "events" ("account_id", "environment", "created_at", "id") where not is_test;
create index "events_newest_by_type" on "events" ("account_id", "environment", "type", "created_at", "id") where not is_test;
create index "deliveries_unheard" on "deliveries" ("endpoint_id", "status", "created_at", "id") where status in ('failed', 'skipped');

create table "webhook_recoveries" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "endpoint_id" varchar(255) not null, "since" timestamptz(3) not null, "until" timestamptz(3) not null, "position_at" timestamptz(3) null, "position_id" varchar(255) null, "sent_count" int not null default 0, "created_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
alter table "webhook_recoveries" add constraint "webhook_recoveries_environment_check" check ("environment" in ('sandbox', 'live'));

-- What of one commit is told in its order.
alter table "outbox" add column "lane" varchar(255) not null default '';
