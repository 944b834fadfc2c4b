-- Staff can act on disputes, and their list can be sorted by what is due first. The constraints are checked by the next migration, while others go on writing.
alter table "operator_actions" add column "dispute_id" varchar(255) null;
alter table "operator_actions" alter column "resource_id" set expression as (coalesce(payout_id, refund_id, conversion_id, payment_id, delivery_id, dispute_id));
alter table "operator_actions" drop constraint "operator_actions_are_about_one_resource";
alter table "operator_actions" add constraint "operator_actions_are_about_one_resource"
  check (num_nonnulls(payout_id, refund_id, conversion_id, payment_id, delivery_id, dispute_id) = 1) not valid;
alter table "operator_actions" add constraint "operator_actions_dispute_id_foreign"
  foreign key ("dispute_id") references "disputes" ("id") on delete restrict not valid;
create index "disputes_due" on "disputes" ("account_id", "environment", "status", "evidence_due_at", "id");
