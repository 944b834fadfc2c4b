-- What operators have taken away from an account stands until they decide anew: any change of a reviewed account wrote over it.
alter table "account_capabilities" add column "stopped_as" text null;
-- wider account_capabilities_stopped_as_check: the previous release does not know the column and leaves it null.
alter table "account_capabilities" add constraint "account_capabilities_stopped_as_check" check ("stopped_as" in ('inactive', 'pending', 'restricted'));
-- What is restricted now, of an account without deadlines, was restricted by operators. The table is small.
update "account_capabilities" c set "stopped_as" = 'restricted' where c.status = 'restricted' and not exists (
  select from account_profiles p where p.account_id = c.account_id and p.environment = c.environment
    and (p.status in ('restricted', 'rejected') or p.deadlines <> '{}'::jsonb));
