-- Disputes of a customer, and all of an account by what is due first.
create index "disputes_by_customer" on "disputes" ("customer_id", "created_at", "id") where customer_id is not null;
create index "disputes_due_first" on "disputes" ("account_id", "environment", "evidence_due_at", "id");
