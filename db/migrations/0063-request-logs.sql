-- The calls of merchants to the API, for a week, without bodies and headers.
create table "request_logs" (
  "id" varchar(64) not null,
  "account_id" varchar(255) not null check (account_id <> ''),
  "environment" text not null check ("environment" in ('sandbox', 'live')),
  "request_id" varchar(64) not null,
  "method" varchar(7) not null,
  "route" varchar(255) not null,
  "path" varchar(500) not null,
  "status" smallint not null,
  "error_code" varchar(64) null,
  "error_fields" text[] not null,
  "key_id" varchar(64) null,
  "user_id" varchar(64) null,
  "acting_for" varchar(64) null,
  "source" text not null check ("source" in ('api', 'dashboard')),
  "api_version" varchar(10) null,
  "is_replay" boolean not null,
  "duration_ms" int not null,
  "created_at" timestamptz(3) not null,
  primary key ("id")
);
create index "request_logs_of_account" on "request_logs" ("account_id", "environment", "created_at", "id");
create index "request_logs_by_request" on "request_logs" ("account_id", "environment", "request_id");
create index "request_logs_by_age" on "request_logs" ("created_at");
create index "request_logs_refused" on "request_logs" ("account_id", "environment", "created_at", "id") where status >= 400;
