-- What nobody needs any more is purged, and no row is without an owner.

-- Rows that an administrator without an account has made belong to an account that nobody has, so that their processes
-- can end; from now on the database refuses such a row.
do $$
declare
  owned name;
  is_found boolean;
begin
  for owned in select c.table_name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'
    order by c.table_name
  loop
    execute format('select exists (select from %I where account_id = '''')', owned) into is_found;
    if is_found then
      execute format('alter table %I disable trigger user', owned); -- the ledger is append-only, and nothing is counted anew
      if owned = 'payout_schedules' then
        update payout_schedules set account_id = 'acct_without_owner', id = 'acct_without_owner' || id where account_id = '';
        update payouts set schedule_id = 'acct_without_owner' || schedule_id where schedule_id like '/%';
      else
        execute format('update %I set account_id = ''acct_without_owner'' where account_id = ''''', owned);
      end if;
      execute format('alter table %I enable trigger user', owned);
    end if;
    if not exists (select from pg_constraint where conrelid = owned::regclass and conname = owned || '_account_id_check') then
      execute format('alter table %I add constraint %I check (account_id <> '''')', owned, owned || '_account_id_check');
    end if;
  end loop;
end $$;

-- An event keeps its bytes until they are erased, and its number for good.
create or replace function events_are_frozen() returns trigger language plpgsql as $$
begin
  if (new.body <> old.body and new.body <> '') or new.sequence <> old.sequence or new.id <> old.id then
    raise exception 'events are frozen' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- When the sandbox's vault has taken something in.
alter table simulated_cards add column created_at timestamptz(3) not null default now();
alter table simulated_codes add column created_at timestamptz(3) not null default now();
alter table simulated_phones add column created_at timestamptz(3) not null default now();

-- By these each purge finds what is due, oldest first.
create index conversion_quotes_unused on conversion_quotes (expires_at) where used_at is null;
create index deliveries_ended on deliveries (created_at) where status <> 'pending';
create index events_kept on events (created_at) where body <> '';
create index kept_mails_by_age on kept_mails (created_at);
create index login_challenges_by_end on login_challenges (expires_at);
create index login_failures_by_age on login_failures (last_at);
create index payment_requests_by_age on payment_requests (created_at);
create index rate_windows_by_age on rate_windows (window_start);
create index refresh_tokens_by_end on refresh_tokens (expires_at);
create index saved_payment_methods_by_token on saved_payment_methods (rail_token);
create index signing_keys_retired on signing_keys (retired_at) where retired_at is not null;
create index simulated_cards_by_age on simulated_cards (created_at);
create index simulated_codes_by_age on simulated_codes (created_at);
create index simulated_phones_by_age on simulated_phones (created_at);
create index webhook_recoveries_ended on webhook_recoveries (completed_at) where completed_at is not null;
