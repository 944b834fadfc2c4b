-- Every change of a resource's status, written in the commit that makes it.
create table "timeline_items" (
  "id" bigserial primary key,
  "account_id" varchar(255) not null check (account_id <> ''),
  "environment" text not null check ("environment" in ('sandbox', 'live')),
  "resource_id" varchar(255) not null,
  "from_status" varchar(32) null,
  "status" varchar(32) not null,
  "at" timestamptz(3) not null,
  "actor" text not null check ("actor" in ('merchant', 'buyer', 'rail', 'system', 'reviewer', 'operator')),
  "user_id" varchar(255) null,
  "error_code" varchar(64) null,
  "poll_count" int not null,
  "event_ids" text[] not null,
  "ledger_transaction_ids" text[] not null
);
create index "timeline_items_of_resource" on "timeline_items" ("resource_id", "id");
-- What happened before is told from what the rows still say: how they began, and how they stand.
insert into timeline_items (account_id, environment, resource_id, from_status, status, at, actor, poll_count, event_ids,
    ledger_transaction_ids)
select account_id, environment, id, null, first, created_at, 'merchant', 0, '{}', '{}' from (
  select account_id, environment, id, created_at, 'pending' as first from refunds
  union all select account_id, environment, id, created_at, 'pending' from conversions
  union all select account_id, environment, id, created_at, 'requested' from payouts
  union all select account_id, environment, id, created_at, 'pending_review' from payout_destinations) made;
insert into timeline_items (account_id, environment, resource_id, from_status, status, at, actor, poll_count, event_ids,
    ledger_transaction_ids)
select account_id, environment, id, first, status, updated_at, 'system', 0, '{}', '{}' from (
  select account_id, environment, id, updated_at, status, 'open' as first from checkouts
  union all select account_id, environment, id, updated_at, status, 'processing' from payments
  union all select account_id, environment, id, updated_at, status, 'pending' from refunds
  union all select account_id, environment, id, updated_at, status, 'pending' from conversions
  union all select account_id, environment, id, updated_at,
    case when returned_at is null then status else 'returned' end, 'requested' from payouts
  union all select account_id, environment, id, updated_at,
    case when deactivated_at is null then status else 'deactivated' end, 'pending_review' from payout_destinations
) changed where status <> first;
