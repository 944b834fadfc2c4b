-- Lists of rows that grow without end, by the filters that few of these rows match: without these indexes a page was
-- searched for in all rows of the account. Reviews are listed over all accounts: newest first, by what is due, or by who
-- has claimed them.
create index "refunds_by_status" on "refunds" ("account_id", "environment", "status", "created_at", "id");
create index "payouts_by_status" on "payouts" ("account_id", "environment", "status", "created_at", "id");
create index "conversions_by_status" on "conversions" ("account_id", "environment", "status", "created_at", "id");
create index "transfers_by_destination" on "transfers" ("account_id", "environment", "kind", "to_account_id", "created_at", "id");
create index "reviews_newest" on "reviews" ("created_at", "id");
create index "reviews_by_due" on "reviews" ("reminds_at", "id");
create index "reviews_of_claimer" on "reviews" ("claimed_by", "created_at", "id") where claimed_by is not null;
