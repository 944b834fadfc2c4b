-- Disputes by their reason, subscriptions by what they sell, destinations by any of their filters, and calls by what few
-- of them have.
create index "disputes_by_reason" on "disputes" ("account_id", "environment", "reason", "created_at", "id");
create index "subscriptions_by_product" on "subscriptions" using gin ("line_items" jsonb_path_ops);
create index "payout_destinations_listed" on "payout_destinations"
  ("account_id", "environment", "created_at", "id", "status", "currency", "type") where deactivated_at is null;
drop index "payout_destinations_newest";
create index "request_logs_acting" on "request_logs" ("account_id", "environment", "acting_for", "created_at", "id")
  where acting_for is not null;
create index "request_logs_by_rare_method" on "request_logs"
  ("account_id", "environment", "method", "created_at", "id") where method in ('PUT', 'PATCH', 'DELETE');
