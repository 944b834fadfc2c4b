-- The fee of the price that the buyer was shown, of payments whose fee becomes another one. Of earlier ones it is not known.
alter table "payments" add column "quoted_fee" numeric(38,18) null;
