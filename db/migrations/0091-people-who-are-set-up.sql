-- A person exists once they have a name, a password and a second factor, and that is the whole introduction. The default
-- also holds for the previous release, which leaves the column out.
alter table "users" alter column "has_onboarded" set default true;
update "users" set "has_onboarded" = true where not "has_onboarded";
