alter table "reviews" add column "reminded_at" timestamptz(3) null;

create table "review_decisions" ("id" varchar(255) not null, "review_id" varchar(255) not null, "decision" text not null, "reason" varchar(500) null, "user_id" varchar(255) not null, "address" varchar(64) not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "review_decisions_by_review" on "review_decisions" ("review_id");
alter table "review_decisions" add constraint "review_decisions_decision_check" check ("decision" in ('approve', 'reject'));
