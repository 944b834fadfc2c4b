-- Payouts and refunds by the merchant's own reference, which says whether a call of an uncertain outcome had an effect.
create index "payouts_by_reference" on "payouts" ("account_id", "environment", "reference", "created_at", "id")
  where reference is not null;
create index "refunds_by_reference" on "refunds" ("account_id", "environment", "reference", "created_at", "id");
