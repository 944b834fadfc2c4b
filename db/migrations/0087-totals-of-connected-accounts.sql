-- The connected accounts of a platform are counted in each environment that they are in, and by their status and
-- country there. One that is not of one environment is in both, and may have no profile in one of them.
create function count_connected(counted accounts, change int) returns void language sql as $$
  select add_row_count('accounts', counted.owner_id, env, coalesce(counted.environment, 'both'), change)
  from unnest('{sandbox,live}'::text[]) env where env = coalesce(counted.environment, env);
  select add_row_count('account_profiles', counted.owner_id, p.environment,
    coalesce(counted.environment, 'both') || '/' || p.status || '/' || coalesce(p.country, ''), change)
  from account_profiles p
  where p.account_id = counted.id and p.environment = coalesce(counted.environment, p.environment)
$$;
create function count_changed_account() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.owner_id is not null then perform count_connected(old, -1); end if;
  if tg_op <> 'DELETE' and new.owner_id is not null then perform count_connected(new, 1); end if;
  return null;
end $$;
create function count_profile(counted account_profiles, change int) returns void language sql as $$
  select add_row_count('account_profiles', a.owner_id, counted.environment,
    coalesce(a.environment, 'both') || '/' || counted.status || '/' || coalesce(counted.country, ''), change)
  from accounts a
  where a.id = counted.account_id and a.owner_id is not null
    and counted.environment = coalesce(a.environment, counted.environment)
$$;
create function count_changed_profile() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_profile(old, -1); end if;
  if tg_op <> 'DELETE' then perform count_profile(new, 1); end if;
  return null;
end $$;
create trigger accounts_counted after insert or delete on accounts
  for each row execute function count_changed_account();
create trigger accounts_recounted after update on accounts for each row
  when ((old.owner_id, old.environment) is distinct from (new.owner_id, new.environment))
  execute function count_changed_account();
create trigger account_profiles_counted after insert or delete on account_profiles
  for each row execute function count_changed_profile();
create trigger account_profiles_recounted after update on account_profiles for each row
  when ((old.account_id, old.environment, old.status, old.country)
    is distinct from (new.account_id, new.environment, new.status, new.country))
  execute function count_changed_profile();
insert into row_counts (table_name, account_id, environment, facet, slot, count)
select 'accounts', owner_id, env, coalesce(environment, 'both'), 0, count(*)
from accounts, unnest('{sandbox,live}'::text[]) env
where owner_id is not null and env = coalesce(environment, env) group by 2, 3, 4
union all
select 'account_profiles', a.owner_id, p.environment,
  coalesce(a.environment, 'both') || '/' || p.status || '/' || coalesce(p.country, ''), 0, count(*)
from account_profiles p join accounts a on a.id = p.account_id
where a.owner_id is not null and p.environment = coalesce(a.environment, p.environment) group by 2, 3, 4;
