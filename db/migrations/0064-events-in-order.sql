-- The events of an account in the order of their sequence, for the streams that go on after an event.
create index "events_in_order" on "events" ("account_id", "environment", "sequence") where not is_test and body <> '';
