-- Sessions whose customer may pay with a saved card, the saved card and the security code of a buyer's request, and the simulated charges whose owner has entered a code.
alter table "checkouts" add column "offers_saved_cards" boolean not null default false;
alter table "payment_requests" add column "saved_method_id" varchar(255) null;
alter table "payment_requests" add column "security_code_token" varchar(64) null;
alter table "simulated_charges" add column "verified" boolean not null default false;
