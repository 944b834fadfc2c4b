-- Which payments have paid the current charge of a subscription, beside those of its own invoices, and its credit.
alter table "subscriptions" add column "funding" jsonb not null default '{"charges":[],"credit":[]}';
-- wider subscriptions_funding_check: the previous release does not know the column and leaves it as it is.
alter table "subscriptions" add constraint "subscriptions_funding_check" check (jsonb_typeof(funding) = 'object');
