-- Staff can act on more than payouts, and can hold what is on its way to an outsider.
alter table "operator_actions" alter column "payout_id" drop not null;
alter table "operator_actions" add column "refund_id" varchar(255) null, add column "conversion_id" varchar(255) null,
  add column "payment_id" varchar(255) null, add column "delivery_id" varchar(255) null;
alter table "operator_actions" add constraint "operator_actions_are_about_one_resource"
  check (num_nonnulls(payout_id, refund_id, conversion_id, payment_id, delivery_id) = 1);
alter table "operator_actions" add column "resource_id" varchar(255)
  generated always as (coalesce(payout_id, refund_id, conversion_id, payment_id, delivery_id)) stored;
alter table "operator_actions" alter column "resource_id" set not null;
alter table "operator_actions" add constraint "operator_actions_refund_id_foreign"
  foreign key ("refund_id") references "refunds" ("id") on delete restrict;
alter table "operator_actions" add constraint "operator_actions_conversion_id_foreign"
  foreign key ("conversion_id") references "conversions" ("id") on delete restrict;
alter table "operator_actions" add constraint "operator_actions_payment_id_foreign"
  foreign key ("payment_id") references "payments" ("id") on delete restrict;
alter table "operator_actions" drop constraint "operator_actions_action_check";
alter table "operator_actions" add constraint "operator_actions_action_check"
  check ("action" in ('retry', 'hold', 'release', 'mark_settled', 'mark_failed'));
drop index "operator_actions_by_payout";
create index "operator_actions_by_resource" on "operator_actions" ("resource_id", "created_at", "id");
drop index "operator_actions_one_proposal";
create unique index "operator_actions_one_proposal" on "operator_actions" ("resource_id", "action") where state = 'proposed';
alter table "payouts" add column "on_hold_since" timestamptz(3) null;
create index "payouts_on_hold" on "payouts" ("account_id", "environment", "id") where on_hold_since is not null;
alter table "refunds" add column "on_hold_since" timestamptz(3) null;
create index "refunds_on_hold" on "refunds" ("account_id", "environment", "id") where on_hold_since is not null;
alter table "conversions" add column "on_hold_since" timestamptz(3) null;
create index "conversions_on_hold" on "conversions" ("account_id", "environment", "id") where on_hold_since is not null;
alter table "deliveries" add column "on_hold_since" timestamptz(3) null;
create index "deliveries_on_hold" on "deliveries" ("account_id", "environment", "id") where on_hold_since is not null;
