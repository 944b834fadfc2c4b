-- Which call holds the key, while one does: its process keeps `running_until` ahead of the database's clock, and nobody
-- else's call may let go of it.
alter table idempotency_records add column held_by varchar(32);
