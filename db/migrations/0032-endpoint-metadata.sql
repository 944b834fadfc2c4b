-- The configured endpoint's metadata was stored as the text {} instead of the object.
update "webhook_endpoints" set "metadata" = '{}' where jsonb_typeof("metadata") = 'string';
alter table "webhook_endpoints" add constraint "webhook_endpoints_metadata_check" check (jsonb_typeof("metadata") = 'object');
