-- Says of a refund whether it takes back its part of what its sale has passed on, also while nothing is left to take.
alter table "refunds" add "takes_back_share" boolean not null default false;
update "refunds" set "takes_back_share" = true
  where "id" in (select "refund_id" from "transfer_reversals" where "refund_id" is not null);
