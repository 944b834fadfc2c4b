-- The version of the interface that an account was given at its first call; null until then.
alter table "accounts" add column "api_version" varchar(10) null;
alter table "accounts" add constraint "accounts_api_version_check" check (api_version ~ '^\d{4}-\d{2}-\d{2}$');
-- Who has called before was served in the one version that there was.
update "accounts" set "api_version" = '2026-11-20'
  where exists (select from "api_keys" k where k."account_id" = "accounts"."id" and k."last_used_at" is not null);
