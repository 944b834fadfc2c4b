-- What was asked of a subscription and refused is deleted after its time too, so its index has all that was asked.
create index "subscription_changes_asked" on "subscription_changes" ("created_at");
drop index "subscription_changes_by_age";
