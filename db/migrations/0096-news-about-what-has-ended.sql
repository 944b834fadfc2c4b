-- News of a rail about what has ended, until the rail was asked for them: its process may be lost before that.
alter table "payouts" add column "news_due_at" timestamptz(3) null;
alter table "refunds" add column "news_due_at" timestamptz(3) null;
alter table "disputes" add column "news_due_at" timestamptz(3) null;
create index "payouts_awaiting_news" on "payouts" ("news_due_at") where news_due_at is not null;
create index "refunds_awaiting_news" on "refunds" ("news_due_at") where news_due_at is not null;
create index "disputes_awaiting_news" on "disputes" ("news_due_at") where news_due_at is not null;
