-- Staff list the payments that their rails have not answered, the longest wait first.
create index "payments_at_rails" on "payments" ("created_at") where status = 'processing' and checkout_id is not null;
