-- How much the uploads take that an account has sent and nothing uses is read before each further one.
create index "uploads_unattached_of" on "uploads" ("account_id", "environment", "size") where unattached_since is not null;
