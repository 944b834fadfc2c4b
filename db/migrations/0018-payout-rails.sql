alter table "payouts" add column "quote_fee" numeric(38,18) not null default 0, add column "destination_type" text not null, add column "destination_revision" int null;
alter table "payouts" alter column "quote_fee" drop default;
alter table "payouts" add constraint "payouts_quote_fee_check" check (quote_fee >= 0 and quote_fee <> 'NaN');
alter table "payouts" add constraint "payouts_quote_fee_is_a_part" check (quote_fee < source_amount);
alter table "payouts" add constraint "payouts_are_sent_somewhere" check ((submitted_at is null) = (destination_revision is null));
alter table "payouts" add constraint "payouts_destination_type_check" check ("destination_type" in ('bank_account', 'mobile_money', 'crypto_wallet'));

create table "simulated_payouts" ("payout_id" varchar(255) not null, "trace_id" varchar(64) not null, "type" text not null, "amount" numeric(38,18) not null, "currency" varchar(10) not null, "status" text not null default 'processing', "outcome" text not null, "answers_at" timestamptz(3) not null, "orders" int not null default 1, "executions" smallint not null default 0, primary key ("payout_id"));
alter table "simulated_payouts" add constraint "simulated_payouts_trace_id_unique" unique ("trace_id");
alter table "simulated_payouts" add constraint "simulated_payouts_type_check" check ("type" in ('bank_account', 'mobile_money', 'crypto_wallet'));
alter table "simulated_payouts" add constraint "simulated_payouts_status_check" check ("status" in ('processing', 'completed', 'failed', 'cancelled', 'returned'));
alter table "simulated_payouts" add constraint "simulated_payouts_outcome_check" check ("outcome" in ('completed', 'failed', 'never'));

create table "operator_actions" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "payout_id" varchar(255) not null, "action" text not null, "state" text not null, "reason" varchar(500) not null, "proof_ref" varchar(255) null, "proposed_by" varchar(255) not null, "approved_by" varchar(255) null, "approval_reason" varchar(500) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "operator_actions_by_payout" on "operator_actions" ("payout_id", "created_at", "id");
create unique index "operator_actions_one_proposal" on "operator_actions" ("payout_id", "action") where state = 'proposed';
alter table "operator_actions" add constraint "operator_actions_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "operator_actions" add constraint "operator_actions_action_check" check ("action" in ('retry', 'mark_settled', 'mark_failed'));
alter table "operator_actions" add constraint "operator_actions_state_check" check ("state" in ('proposed', 'approved', 'executed', 'refused'));
alter table "operator_actions" add constraint "operator_actions_are_approved_by_another" check (approved_by is null or approved_by <> proposed_by);
alter table "operator_actions" add constraint "operator_actions_prove_a_settlement" check ((proof_ref is not null) = (action = 'mark_settled'));
alter table "operator_actions" add constraint "operator_actions_are_approved_for_a_reason" check ((approval_reason is null) = (approved_by is null));
