-- Disputes by their reason, subscriptions by what they sell, and destinations by any of their filters.
create index "disputes_by_reason" on "disputes" ("account_id", "environment", "reason", "created_at", "id");
create index "subscriptions_by_product" on "subscriptions" using gin ("line_items" jsonb_path_ops);
create index "payout_destinations_listed" on "payout_destinations"
  ("account_id", "environment", "created_at", "id", "status", "currency", "type") where deactivated_at is null;
drop index "payout_destinations_newest";
