-- Codes that are mailed to somebody who is signed in, before they change how they sign in; and a new authenticator app, until one of its codes confirms it.
alter table "login_challenges" add column "for_changes" boolean not null default false;
create table "pending_authenticators" ("user_id" varchar(255) not null, "session_id" varchar(255) not null, "sealed_secret" text not null, "wrong_codes" smallint not null default 0, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("user_id"));
create index "pending_authenticators_by_end" on "pending_authenticators" ("expires_at");
