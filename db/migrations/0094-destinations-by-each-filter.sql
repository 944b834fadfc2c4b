-- Destinations by one of their filters: with ten thousand of them, few of which match, all were read.
create index "payout_destinations_by_status" on "payout_destinations"
  ("account_id", "environment", "status", "created_at", "id") where deactivated_at is null;
create index "payout_destinations_by_currency" on "payout_destinations"
  ("account_id", "environment", "currency", "created_at", "id") where deactivated_at is null;
create index "payout_destinations_by_type" on "payout_destinations"
  ("account_id", "environment", "type", "created_at", "id") where deactivated_at is null;
