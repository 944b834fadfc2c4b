-- The language in which a customer is written to; null for that in which they have bought.
alter table "customers" add column "locale" varchar(20) null;
