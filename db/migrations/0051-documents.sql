-- Private documents. An upload is public or private by what uses it, and only public ones are served by their address.
alter table "uploads" add column "visibility" text null;
update "uploads" set "visibility" = 'public' where "attachments" > 0;
alter table "uploads" add constraint "uploads_visibility_check" check ("visibility" in ('public', 'private'));
alter table "uploads" add constraint "uploads_visible_while_used" check ((attachments = 0) = (visibility is null));
create table "documents" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "subject" text not null, "subject_id" varchar(255) not null, "slot" varchar(64) not null, "upload_id" varchar(255) not null, "file_name" varchar(255) not null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "documents_of_subject" on "documents" ("subject_id", "created_at", "id");
create index "documents_by_upload" on "documents" ("upload_id");
alter table "documents" add constraint "documents_upload_id_foreign" foreign key ("upload_id") references "uploads" ("id") on delete restrict;
alter table "documents" add constraint "documents_account_id_check" check (account_id <> '');
alter table "documents" add constraint "documents_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "documents" add constraint "documents_subject_check" check ("subject" in ('account', 'person', 'dispute'));
