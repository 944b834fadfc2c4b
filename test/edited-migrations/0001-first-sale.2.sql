-- The tables of the first sale. Made from the entities (npm run check compares), then made stricter below.
create table "accounts" ("id" varchar(255) not null, "name" varchar(255) not null, "fee_preference" text not null default 'org_pays', "late_payment_policy" text not null default 'accept', "created_at" timestamptz(3) not null, primary key ("id"));
alter table "accounts" add constraint "accounts_fee_preference_check" check ("fee_preference" in ('customer_pays', 'org_pays'));
alter table "accounts" add constraint "accounts_late_payment_policy_check" check ("late_payment_policy" in ('accept', 'refund'));

create table "api_keys" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "name" varchar(255) not null, "hash" varchar(255) not null, "last_four" varchar(4) not null, "scopes" text[] not null, "rate_tier" text not null default 'standard', "is_active" boolean not null default true, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "last_used_at" timestamptz(3) null, primary key ("id"));
alter table "api_keys" add constraint "api_keys_hash_unique" unique ("hash");
create unique index "api_keys_one_active" on "api_keys" ("account_id", "environment") where is_active;
alter table "api_keys" add constraint "api_keys_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "api_keys" add constraint "api_keys_rate_tier_check" check ("rate_tier" in ('standard', 'elevated', 'platform', 'unlimited'));

create table "checkouts" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "status" text not null default 'open', "payment_status" text not null default 'requires_payment_method', "source_type" varchar(32) not null, "session_mode" text not null default 'CART', "amount" numeric(38,18) not null, "currency" varchar(10) not null, "description" varchar(500) null, "reference" varchar(128) null, "fee_preference" text not null, "method_options" jsonb null, "customer_id" varchar(255) null, "customer_details" jsonb null, "customer_creation" text not null default 'if_required', "success_url" varchar(2048) not null, "cancel_url" varchar(2048) null, "locale" varchar(20) null, "metadata" jsonb not null, "client_secret_hash" varchar(64) not null, "request_id" varchar(255) null, "payment_id" varchar(255) null, "corridor" varchar(32) null, "last_failure_code" varchar(64) null, "revision" int not null default 0, "listens_until" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
create index "checkouts_newest" on "checkouts" ("account_id", "environment", "created_at", "id");
create index "checkouts_by_reference" on "checkouts" ("account_id", "environment", "reference");
create index "checkouts_by_customer" on "checkouts" ("customer_id", "created_at");
create index "checkouts_open" on "checkouts" ("expires_at") where status = 'open';
alter table "checkouts" add constraint "checkouts_amount_check" check (amount >= 0 and amount <> 'NaN');
alter table "checkouts" add constraint "checkouts_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "checkouts" add constraint "checkouts_status_check" check ("status" in ('open', 'completed', 'expired', 'cancelled'));
alter table "checkouts" add constraint "checkouts_payment_status_check" check ("payment_status" in ('requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled'));
alter table "checkouts" add constraint "checkouts_session_mode_check" check ("session_mode" in ('CART', 'SELECTION'));
alter table "checkouts" add constraint "checkouts_fee_preference_check" check ("fee_preference" in ('customer_pays', 'org_pays'));
alter table "checkouts" add constraint "checkouts_customer_creation_check" check ("customer_creation" in ('if_required', 'always'));

create table "customers" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "email" varchar(320) not null, "name" varchar(255) null, "phone_number" varchar(20) null, "metadata" jsonb not null, "billing_address" jsonb null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
alter table "customers" add constraint "customers_one_per_email" unique ("account_id", "environment", "email");
alter table "customers" add constraint "customers_environment_check" check ("environment" in ('sandbox', 'live'));

create table "deliveries" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "event_id" varchar(255) not null, "endpoint_id" varchar(255) not null, "status" text not null default 'pending', "trigger" text not null default 'automatic', "attempt_count" smallint not null default 0, "next_attempt_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
create index "deliveries_by_event" on "deliveries" ("event_id");
create index "deliveries_by_endpoint" on "deliveries" ("endpoint_id", "created_at");
create index "deliveries_pending" on "deliveries" ("created_at") where status = 'pending';
alter table "deliveries" add constraint "deliveries_attempt_count_check" check (attempt_count >= 0 and attempt_count <= 5);
alter table "deliveries" add constraint "deliveries_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "deliveries" add constraint "deliveries_status_check" check ("status" in ('pending', 'succeeded', 'failed', 'skipped'));
alter table "deliveries" add constraint "deliveries_trigger_check" check ("trigger" in ('automatic', 'manual', 'recovery', 'test'));

create table "delivery_attempts" ("delivery_id" varchar(255) not null, "number" smallint not null, "at" timestamptz(3) not null, "response_status" smallint null, "response_body" text null, "duration_ms" int not null, "error" varchar(64) null, primary key ("delivery_id", "number"));

create table "events" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "type" varchar(64) not null, "resource_id" varchar(255) not null, "sequence" bigserial, "body" text not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "events_by_resource" on "events" ("resource_id");
alter table "events" add constraint "events_sequence_unique" unique ("sequence");
create index "events_newest" on "events" ("account_id", "environment", "created_at", "id");
alter table "events" add constraint "events_environment_check" check ("environment" in ('sandbox', 'live'));

create table "idempotency_records" ("id" varchar(64) not null, "body_hash" varchar(64) not null, "resource_id" varchar(255) null, "running_until" timestamptz(3) null, "status" smallint null, "sealed_answer" text null, "expires_at" timestamptz(3) not null, primary key ("id"));
create index "idempotency_records_expired" on "idempotency_records" ("expires_at");

create table "ledger_balances" ("account_id" varchar(255) not null, "environment" text not null, "book" text not null, "currency" varchar(10) not null, "amount" numeric(38,18) not null default '0', primary key ("account_id", "environment", "book", "currency"));
alter table "ledger_balances" add constraint "ledger_balances_amount_check" check (amount >= 0 and amount <> 'NaN');
alter table "ledger_balances" add constraint "ledger_balances_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "ledger_balances" add constraint "ledger_balances_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees'));

create table "ledger_entries" ("id" bigserial primary key, "transaction_id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "book" text not null, "currency" varchar(10) not null, "amount" numeric(38,18) not null, "available_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "folded" boolean not null default false);
create index "ledger_entries_by_transaction" on "ledger_entries" ("transaction_id");
create index "ledger_entries_unfolded" on "ledger_entries" ("account_id", "environment", "book", "currency", "available_at") where not folded;
alter table "ledger_entries" add constraint "ledger_entries_amount_check" check (amount <> 0 and amount <> 'NaN');
alter table "ledger_entries" add constraint "ledger_entries_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "ledger_entries" add constraint "ledger_entries_book_check" check ("book" in ('rail', 'merchant', 'buyer', 'fees'));

create table "ledger_transactions" ("id" varchar(255) not null, "kind" text not null, "source_id" varchar(255) not null, "created_at" timestamptz(3) not null, primary key ("id"));
alter table "ledger_transactions" add constraint "ledger_transactions_once" unique ("kind", "source_id");
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check" check ("kind" in ('deposit', 'settlement', 'surplus'));

create table "outbox" ("id" bigserial primary key, "process" varchar(64) not null, "resource_id" varchar(255) not null, "signal" jsonb null, "about" jsonb not null, "attempts" int not null default 0, "last_error" varchar(500) null, "created_at" timestamptz(3) not null default now(), "retry_at" timestamptz(3) not null default now());
create index "outbox_due" on "outbox" ("retry_at", "id");

create table "payments" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "checkout_id" varchar(255) null, "status" text not null, "amount" numeric(38,18) not null, "amount_received" numeric(38,18) not null default '0', "settles" numeric(38,18) not null, "fee" numeric(38,18) not null, "fee_usd" numeric(38,18) not null, "fee_preference" text not null, "currency" varchar(10) not null, "corridor" varchar(32) not null, "billing_reason" varchar(32) not null default 'purchase', "next_action" jsonb null, "method_details" jsonb null, "customer_id" varchar(255) null, "customer_details" jsonb null, "reference" varchar(128) null, "metadata" jsonb not null, "failure_code" varchar(64) null, "late" boolean not null default false, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "completed_at" timestamptz(3) null, primary key ("id"));
create index "payments_by_checkout" on "payments" ("checkout_id");
create index "payments_by_customer" on "payments" ("customer_id");
create index "payments_newest" on "payments" ("account_id", "environment", "created_at", "id");
create index "payments_by_reference" on "payments" ("account_id", "environment", "reference");
alter table "payments" add constraint "payments_add_up" check (amount = settles + fee);
alter table "payments" add constraint "payments_amount_check" check (amount > 0 and amount <> 'NaN');
alter table "payments" add constraint "payments_amount_received_check" check (amount_received >= 0 and amount_received <> 'NaN');
alter table "payments" add constraint "payments_settles_check" check (settles >= 0 and settles <> 'NaN');
alter table "payments" add constraint "payments_fee_check" check (fee >= 0 and fee <> 'NaN');
alter table "payments" add constraint "payments_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "payments" add constraint "payments_status_check" check ("status" in ('requires_action', 'processing', 'succeeded', 'underpaid', 'failed', 'canceled'));
alter table "payments" add constraint "payments_fee_preference_check" check ("fee_preference" in ('customer_pays', 'org_pays'));

create table "payment_requests" ("id" varchar(255) not null, "checkout_id" varchar(255) not null, "corridor" varchar(32) null, "rail_token" varchar(64) null, "customer_details" jsonb null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "payment_requests_by_checkout" on "payment_requests" ("checkout_id");

create unlogged table "rate_windows" ("subject" varchar(80) not null, "window_start" timestamptz(3) not null, "hits" int not null, primary key ("subject"));

create table "simulated_cards" ("token" varchar(64) not null, "behaviour" varchar(32) not null, "brand" varchar(20) not null, "last_four" varchar(4) not null, "exp_month" smallint not null, "exp_year" smallint not null, "country" varchar(2) not null, primary key ("token"));

create table "simulated_charges" ("payment_id" varchar(255) not null, "status" text not null, "amount" numeric(38,18) not null, "currency" varchar(10) not null, "card_token" varchar(64) null, "failure_code" varchar(64) null, "account_number" varchar(10) null, "closes_at" timestamptz(3) null, "executions" smallint not null default 0, primary key ("payment_id"));
alter table "simulated_charges" add constraint "simulated_charges_account_number_unique" unique ("account_number");
alter table "simulated_charges" add constraint "simulated_charges_status_check" check ("status" in ('requires_action', 'processing', 'succeeded', 'failed'));

create table "simulated_codes" ("token" varchar(64) not null, "passes" boolean not null, primary key ("token"));

create table "simulated_deposits" ("session_id" varchar(64) not null, "payment_id" varchar(255) not null, "amount" numeric(38,18) not null, "sender_name" varchar(255) not null, "sender_bank" varchar(255) not null, "sender_account_number" varchar(20) not null, "created_at" timestamptz(3) not null, primary key ("session_id"));
create index "simulated_deposits_by_payment" on "simulated_deposits" ("payment_id");

create table "webhook_endpoints" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "url" varchar(2048) null, "sealed_secret" text null, "is_configuration" boolean not null default false, "enabled" boolean not null default true, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create unique index "webhook_endpoints_configuration" on "webhook_endpoints" ("account_id", "environment") where is_configuration;
alter table "webhook_endpoints" add constraint "webhook_endpoints_environment_check" check ("environment" in ('sandbox', 'live'));

-- Per transaction and currency, debits equal credits: checked at COMMIT, whoever writes.
create function ledger_must_balance() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger_entries where transaction_id = new.transaction_id group by currency having sum(amount) <> 0
  ) then
    raise exception 'ledger transaction % does not balance', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_must_balance();

-- Postings are append-only. The one thing that may change is the mark that the balance has taken them in.
create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.folded and not old.folded
     and (to_jsonb(new) - 'folded') = (to_jsonb(old) - 'folded') then
    return new;
  end if;
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function ledger_is_append_only();

-- An event's bytes and number never change.
create function events_are_frozen() returns trigger language plpgsql as $$
begin
  if new.body <> old.body or new.sequence <> old.sequence or new.id <> old.id then
    raise exception 'events are frozen' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger events_frozen before update on events for each row execute function events_are_frozen();

-- Takes an idempotency key until the transaction ends and reads its record, in one round trip. The read comes after the
-- lock and has a snapshot of its own, so it sees what the last holder of the key has committed.
create function claim_idempotency_key(wanted varchar)
returns table (free boolean, record idempotency_records) language plpgsql as $$
begin
  free := pg_try_advisory_xact_lock(hashtextextended(wanted, 0));
  if free then
    select r.* into record from idempotency_records r where r.id = wanted;
  end if;
  return next;
end $$;
