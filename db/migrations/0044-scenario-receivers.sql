-- The receiver of a scenario, which the sandbox runs itself, and what it answers next. The index leaves such endpoints
-- out, so that those of former scenarios do not slow down the lookup of an event's receivers.
alter table "webhook_endpoints" add column "simulated_answers" jsonb null;
alter table "webhook_endpoints" add constraint "webhook_endpoints_are_simulated_in_the_sandbox" check (simulated_answers is null or environment = 'sandbox');
drop index "webhook_endpoints_newest";
create index "webhook_endpoints_newest" on "webhook_endpoints" ("account_id", "environment", "created_at", "id") where simulated_answers is null;
