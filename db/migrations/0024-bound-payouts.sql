-- What counts every change of where and how money goes there; what has been sent so far was sent to these statements.
alter table "payout_destinations" add column "routing_revision" int not null default 1;
update "payout_destinations" set "routing_revision" = "revision";

alter table "payouts" add column "held_again" int not null default 0;
alter table "payouts" drop constraint "payouts_are_sent_somewhere";
-- Payouts that were accepted before are bound to what holds now, which is what their reviewers look at.
update "payouts" p set "destination_revision" = d."routing_revision" from "payout_destinations" d
  where d."id" = p."destination_id" and p."destination_revision" is null
    and p."status" in ('requested', 'pending', 'approved');
alter table "payouts" add constraint "payouts_are_sent_somewhere" check (submitted_at is null or destination_revision is not null);
