-- When a rail is asked next, and how often it was asked: what a resource waits for can be read from its row.
alter table "payments" add column "next_poll_at" timestamptz(3) null, add column "poll_count" int not null default 0;
alter table "card_setups" add column "next_poll_at" timestamptz(3) null, add column "poll_count" int not null default 0;
alter table "refunds" add column "next_poll_at" timestamptz(3) null, add column "poll_count" int not null default 0;
alter table "conversions" add column "next_poll_at" timestamptz(3) null, add column "poll_count" int not null default 0;
alter table "payouts" add column "next_poll_at" timestamptz(3) null, add column "poll_count" int not null default 0;
-- When the sandbox decides about a destination by itself.
alter table "reviews" add column "decides_at" timestamptz(3) null;
-- The next waits of an account, the earliest first, for each kind of wait.
create index "checkouts_waiting" on "checkouts" ("account_id", "environment", "expires_at", "id") where status = 'open';
create index "checkouts_awaiting_late_money" on "checkouts" ("account_id", "environment", "listens_until", "id")
  where listens_until is not null;
create index "card_setups_waiting" on "card_setups" ("account_id", "environment", (coalesce(next_poll_at, created_at)), "checkout_id")
  where status = 'processing';
create index "payments_waiting" on "payments" ("account_id", "environment", (coalesce(least(news_due_at, next_poll_at), created_at)), "id")
  where status = 'processing';
create index "payments_with_news" on "payments" ("account_id", "environment", "news_due_at", "id")
  where news_due_at is not null;
create index "refunds_waiting" on "refunds" ("account_id", "environment", (coalesce(next_poll_at, created_at)), "id")
  where status in ('pending', 'processing');
create index "conversions_waiting" on "conversions" ("account_id", "environment", (coalesce(next_poll_at, created_at)), "id")
  where status in ('pending', 'processing');
create index "payouts_waiting" on "payouts" ("account_id", "environment", (coalesce(next_poll_at, created_at)), "id")
  where status in ('requested', 'approved', 'processing');
create index "reviews_waiting" on "reviews" ("account_id", "environment", (case when escalated_at is not null then null when reminded_at is not null then escalates_at when decides_at is not null then decides_at else reminds_at end), "resource_id")
  where state = 'open';
create index "deliveries_waiting" on "deliveries" ("account_id", "environment", "next_attempt_at", "id")
  where status = 'pending';
