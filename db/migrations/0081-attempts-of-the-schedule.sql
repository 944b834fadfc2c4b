-- How many attempts of the schedule of dunning have failed, without those that somebody has asked for; null: all of them.
alter table "subscriptions" add column "scheduled_attempts" int null;
