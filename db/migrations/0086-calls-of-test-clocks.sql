-- The call that has advanced a clock last, and from when: a repeated call advances it no further.
alter table "test_clocks" add column "advanced_by" varchar(255) null, add column "advanced_from" timestamptz(3) null;
