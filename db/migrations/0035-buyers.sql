-- A card saved under an email that a buyer typed, and that is somebody's already, is nobody's until the merchant says
-- whose it is.
alter table "saved_payment_methods" alter column "customer_id" drop not null;
-- What may be shown of the means of payment before it is charged.
alter table "payment_requests" add column "method_details" jsonb null;
