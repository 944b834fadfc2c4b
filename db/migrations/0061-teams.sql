-- Invitations into the team of an organization, and the names of the people who were removed from one. A kept mail with such an invitation is shown to owners only.
create table "team_invitations" ("id" varchar(255) not null, "account_id" varchar(255) not null, "email" varchar(320) not null, "role" text not null, "status" text not null default 'pending', "full_name" varchar(100) null, "invited_by" varchar(255) not null, "token_hash" varchar(64) not null, "password_hash" varchar(255) null, "encrypted_totp_secret" text null, "created_at" timestamptz(3) not null, "sent_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, primary key ("id"));
create index "team_invitations_by_end" on "team_invitations" ("expires_at");
create index "team_invitations_newest" on "team_invitations" ("account_id", "created_at", "id");
create unique index "team_invitations_one_open" on "team_invitations" ("account_id", "email") where status = 'pending';
create table "former_members" ("id" varchar(255) not null, "account_id" varchar(255) not null, "full_name" varchar(255) not null, "email" varchar(320) not null, "removed_at" timestamptz(3) not null, primary key ("id"));
create index "former_members_by_account" on "former_members" ("account_id");
alter table "kept_mails" add column "is_for_owners" boolean not null default false;
alter table "team_invitations" add constraint "team_invitations_account_id_check" check (account_id <> '');
alter table "team_invitations" add constraint "team_invitations_email_check" check (email = lower(email));
alter table "team_invitations" add constraint "team_invitations_role_check" check ("role" in ('owner', 'admin', 'developer', 'viewer'));
alter table "team_invitations" add constraint "team_invitations_status_check" check ("status" in ('pending', 'accepted', 'revoked', 'replaced'));
alter table "former_members" add constraint "former_members_account_id_check" check (account_id <> '');
