-- The queue of reviews by what is due first and by who has claimed it, and the audit log by person, account, action and resource, with the reasons of staff.
create index "reviews_due" on "reviews" ("state", "reminds_at", "id");
create index "reviews_claimed" on "reviews" ("claimed_by", "reminds_at", "id") where state = 'open';
alter table "audit_entries" add column "reason" varchar(500) null;
create index "audit_entries_by_time" on "audit_entries" ("at", "id");
create index "audit_entries_of_account" on "audit_entries" ("account_id", "at", "id");
create index "audit_entries_of_user" on "audit_entries" ("user_id", "at", "id");
create index "audit_entries_of_action" on "audit_entries" ("action", "at", "id");
create index "audit_entries_of_target" on "audit_entries" ("target", "at", "id");
drop index "audit_entries_newest";
drop index "audit_entries_by_user";
