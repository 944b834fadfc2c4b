-- A rail's id of a deposit tells it apart at that rail and for that payment alone: what is booked is named by both. The
-- rows of before bear the rail's id; all of them came from the simulated rails, whose books know their payments.
update "ledger_transactions" t set "source_id" = d."payment_id" || '/' || d."session_id" from "simulated_deposits" d
  where t."kind" in ('deposit', 'surplus') and t."source_id" = d."session_id" and d."payment_id" is not null;
update "ledger_transactions" t set "source_id" = c."payment_id" || '/' || c."tx_hash" from "simulated_coins" c
  where t."kind" in ('deposit', 'surplus') and t."source_id" = c."tx_hash";

alter table "deposits" drop constraint "deposits_once";
alter table "deposits" add constraint "deposits_once" unique ("virtual_account_id", "session_id");

-- The sandbox's bank and networks know each account's own transfers: nobody meets somebody else's ids there.
alter table "simulated_deposits" add column "account_id" varchar(255) not null default '';
update "simulated_deposits" d set "account_id" = p."account_id" from "payments" p where p."id" = d."payment_id";
update "simulated_deposits" d set "account_id" = v."account_id" from "virtual_accounts" v
  where v."account_number" = d."account_number" and v."environment" = 'sandbox';
alter table "simulated_deposits" alter column "account_id" drop default;
alter table "simulated_deposits" drop constraint "simulated_deposits_pkey";
alter table "simulated_deposits" add constraint "simulated_deposits_pkey" primary key ("account_id", "session_id");

alter table "simulated_coins" add column "account_id" varchar(255) not null default '';
update "simulated_coins" c set "account_id" = p."account_id" from "payments" p where p."id" = c."payment_id";
alter table "simulated_coins" alter column "account_id" drop default;
alter table "simulated_coins" drop constraint "simulated_coins_tx_hash_unique";
alter table "simulated_coins" add constraint "simulated_coins_once" unique ("account_id", "tx_hash");
