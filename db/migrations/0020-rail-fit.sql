-- The hosted page with its client secret, sealed, for a buyer who comes back from their bank.
alter table "payment_requests" add column "sealed_return_url" text null;

alter table "simulated_deposits" alter column "sender_name" drop not null, alter column "sender_bank" drop not null, alter column "sender_account_number" drop not null;

alter table "simulated_refunds" drop constraint "simulated_refunds_status_check";
alter table "simulated_refunds" add constraint "simulated_refunds_status_check" check ("status" in ('processing', 'succeeded', 'failed', 'returned'));

alter table "ledger_transactions" drop constraint "ledger_transactions_kind_check";
alter table "ledger_transactions" add constraint "ledger_transactions_kind_check" check ("kind" in ('deposit', 'settlement', 'surplus', 'refund_hold', 'refund_paid', 'refund_released', 'refund_returned', 'payout_hold', 'payout_paid', 'payout_released', 'payout_returned', 'conversion_hold', 'conversion_done', 'conversion_released'));
