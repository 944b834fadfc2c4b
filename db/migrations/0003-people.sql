-- People and their logins. Made from the entities (npm run check compares).
alter table "accounts" add column "payments_enabled" boolean not null default false;

create table "users" ("id" varchar(255) not null, "account_id" varchar(255) null, "role" text not null, "email" varchar(320) not null, "full_name" varchar(255) not null, "password_hash" varchar(255) not null, "email_verified" boolean not null default false, "has_onboarded" boolean not null default false, "method" text not null default 'totp', "sealed_totp_secret" text null, "last_totp_step" int null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "users_by_account" on "users" ("account_id");
alter table "users" add constraint "users_email_unique" unique ("email");
alter table "users" add constraint "users_email_check" check (email = lower(email));
alter table "users" add constraint "users_role_check" check ("role" in ('owner', 'admin', 'developer', 'viewer', 'reviewer'));
alter table "users" add constraint "users_method_check" check ("method" in ('totp', 'email_otp'));

create table "backup_codes" ("hash" varchar(64) not null, "user_id" varchar(255) not null, "used_at" timestamptz(3) null, primary key ("hash"));
create index "backup_codes_by_user" on "backup_codes" ("user_id");

create table "login_failures" ("email_hash" varchar(64) not null, "count" smallint not null, "last_at" timestamptz(3) not null, primary key ("email_hash"));

create table "login_challenges" ("id" varchar(255) not null, "user_id" varchar(255) not null, "method" text not null, "code_hash" varchar(64) null, "wrong_codes" smallint not null default 0, "sends" smallint not null default 0, "sent_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));
create index "login_challenges_by_user" on "login_challenges" ("user_id");
alter table "login_challenges" add constraint "login_challenges_method_check" check ("method" in ('totp', 'email_otp'));

create table "login_sessions" ("id" varchar(255) not null, "user_id" varchar(255) not null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));
create index "login_sessions_by_user" on "login_sessions" ("user_id");

create table "refresh_tokens" ("hash" varchar(64) not null, "session_id" varchar(255) not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("hash"));
create index "refresh_tokens_by_session" on "refresh_tokens" ("session_id");

create table "signing_keys" ("id" varchar(43) not null, "public_jwk" jsonb not null, "sealed_private_jwk" text not null, "created_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, primary key ("id"));

create table "audit_entries" ("id" bigserial primary key, "account_id" varchar(255) null, "user_id" varchar(255) null, "action" varchar(64) not null, "target" varchar(255) null, "address" varchar(64) not null, "at" timestamptz(3) not null);
create index "audit_entries_by_user" on "audit_entries" ("user_id");
create index "audit_entries_newest" on "audit_entries" ("account_id", "at");

create table "kept_mails" ("id" varchar(255) not null, "account_id" varchar(255) null, "sealed" text not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "kept_mails_newest" on "kept_mails" ("account_id", "created_at", "id");
