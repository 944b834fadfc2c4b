-- Who holds a destination's account by its bank's word, beside the name that payouts to it carry.
alter table "payout_destinations" add column "holder_at_bank" varchar(255) null;
