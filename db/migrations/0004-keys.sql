-- Who made a key, for the limit of one creation a minute and user.
alter table "api_keys" add column "created_by" varchar(255) null;
create index "api_keys_of_account" on "api_keys" ("account_id", "created_at");
create index "api_keys_of_creator" on "api_keys" ("created_by", "created_at");

-- A connected account belongs to the organization that may act for it. Keys that exist keep the scopes they have: one made
-- before `virtual_accounts:read` and `virtual_accounts:write` were there lacks them until they are added to it.
alter table "accounts" add column "owner_id" varchar(255) null;
create index "accounts_of_owner" on "accounts" ("owner_id");
alter table "accounts" add constraint "accounts_owner_id_check" check (owner_id <> id);
