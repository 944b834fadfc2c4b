-- What the buyer was shown when they chose how to pay, in the currency that is paid in: the amount of the sale and the
-- fee. They are charged that, whatever the table of fees says by the time of the charge.
alter table "payment_requests" add column "quoted_amount" numeric(38,18) null, add column "quoted_fee" numeric(38,18) null;
alter table "payment_requests" add constraint "payment_requests_quoted_amount_check" check (quoted_amount >= 0 and quoted_amount <> 'NaN');
alter table "payment_requests" add constraint "payment_requests_quoted_fee_check" check (quoted_fee >= 0 and quoted_fee <> 'NaN');
alter table "checkouts" add column "quoted_amount" numeric(38,18) null, add column "quoted_fee" numeric(38,18) null;
alter table "checkouts" add constraint "checkouts_quoted_amount_check" check (quoted_amount >= 0 and quoted_amount <> 'NaN');
alter table "checkouts" add constraint "checkouts_quoted_fee_check" check (quoted_fee >= 0 and quoted_fee <> 'NaN');
