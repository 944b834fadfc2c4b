-- Sweeps take turns between merchants, and keep the order of what one commit promised in one lane (decision 0028).
create index "outbox_turn" on "outbox" ((case when process like 'webhook-%' then 'webhooks' else 'main' end || case when signal is null then '/begin/' else '/go on/' end || coalesce(about ->> 'accountId', '')), "id");
create index "outbox_unit" on "outbox" ("created_at", "lane", "id");
-- When a row is due is in no index any more, so that putting it off rewrites none.
drop index "outbox_due";

-- Unlogged, as a lost row is written again within a second.
create unlogged table "overloaded_accounts" ("account_id" varchar(255) not null, "queue" text not null, "until" timestamptz(3) not null, primary key ("account_id", "queue"), constraint "overloaded_accounts_queue_check" check ("queue" in ('main', 'webhooks')));
