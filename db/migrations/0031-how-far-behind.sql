-- How late what an account begins is, for the API to take fewer calls at a time before it refuses any (decision 0028).
alter table "overloaded_accounts" add column "behind_ms" int not null default 0;
