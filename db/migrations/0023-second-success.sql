-- Another attempt has taken its place: the rail is to be asked to cancel it, or has done so.
alter table "payments" add column "cancelling" text null;
alter table "payments" add constraint "payments_cancelling_check" check ("cancelling" in ('due', 'done'));
alter table "payments" add column "duplicate" boolean not null default false;
alter table "payments" add column "partial" boolean not null default false;

-- Of a short payment all that has arrived can be refunded: no fee has been taken of it.
alter table "payments" drop constraint "payments_refunds_fit";
alter table "payments" add constraint "payments_refunds_fit" check (refunded_amount >= 0 and refunded_amount <= refund_claimed and refund_claimed <= greatest(amount_received - case when status = 'underpaid' then 0 else fee end, 0));

-- How many attempts were begun and how many were declined, and from when on another one is taken.
alter table "checkouts" add column "attempts" int not null default 0;
alter table "checkouts" add column "declines" int not null default 0;
alter table "checkouts" add column "retry_at" timestamptz(3) null;

alter table "simulated_charges" drop constraint "simulated_charges_status_check";
alter table "simulated_charges" add constraint "simulated_charges_status_check" check ("status" in ('requires_action', 'processing', 'succeeded', 'failed', 'canceled'));
alter table "simulated_prompts" drop constraint "simulated_prompts_status_check";
alter table "simulated_prompts" add constraint "simulated_prompts_status_check" check ("status" in ('requires_pin', 'prompted', 'succeeded', 'failed', 'canceled'));
