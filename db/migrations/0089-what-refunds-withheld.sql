-- How much less changes of plan have given back because of each refund and dispute, by its id.
alter table "subscriptions" add column "withheld" jsonb not null default '{}';
-- wider subscriptions_withheld_check: the previous release does not know the column and leaves it as it is.
alter table "subscriptions" add constraint "subscriptions_withheld_check" check (jsonb_typeof(withheld) = 'object');
-- What changes of the periods that run have taken into account by its time. How much each has withheld is not known.
update "subscriptions" s set "withheld" = known.ids from (
  select i.subscription_id, jsonb_object_agg(r.id, '0') as ids
  from "subscriptions" c join "invoices" i on i.subscription_id = c.id and i.status = 'paid'
    and i.period_start < c.charged_from and i.period_end > c.charged_from
  cross join lateral (
    select id, created_at from "refunds" where charge_id = i.payment_id and status <> 'failed'
    union all select id, created_at from "disputes" where payment_id = i.payment_id
  ) r
  where r.created_at < c.charged_from and c.status <> 'canceled'
  group by i.subscription_id
) known where s.id = known.subscription_id;
