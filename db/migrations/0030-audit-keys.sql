-- Which key has done it, where no person has: without it a key that was stolen leaves no trace of its own.
alter table "audit_entries" add column "key_id" varchar(255) null;
