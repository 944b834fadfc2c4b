-- The dashboard adds up the payments of a month: it reads this index, not the rows.
create index "payments_summed" on "payments" ("account_id", "environment", "created_at")
  include ("status", "duplicate", "corridor", "currency", "amount_received");
