create table "products" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "name" varchar(255) not null, "description" text null, "active" boolean not null default true, "price_type" text not null, "currency" varchar(10) not null, "amount" numeric(38,18) null, "minimum_amount" numeric(38,18) null, "maximum_amount" numeric(38,18) null, "suggested_amount" numeric(38,18) null, "recurring_interval" text null, "interval_count" smallint null, "trial_days" smallint null, "image_ids" text[] not null, "category" varchar(64) null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "products_newest" on "products" ("account_id", "environment", "created_at", "id");
alter table "products" add constraint "products_custom_check" check ((price_type = 'custom') = (amount is null));
alter table "products" add constraint "products_free_check" check ((price_type = 'free') = (amount = 0));
alter table "products" add constraint "products_bounds_check" check (price_type = 'custom' or num_nonnulls(minimum_amount, maximum_amount, suggested_amount) = 0);
alter table "products" add constraint "products_bounds_order_check" check (minimum_amount <= maximum_amount and minimum_amount <= suggested_amount and suggested_amount <= maximum_amount);
alter table "products" add constraint "products_recurring_check" check ((recurring_interval is null) = (interval_count is null) and (interval_count is null) = (trial_days is null));
alter table "products" add constraint "products_currency_check" check (currency ~ '^[A-Z]{3}$');
alter table "products" add constraint "products_amount_check" check (amount >= 0 and amount <> 'NaN');
alter table "products" add constraint "products_minimum_amount_check" check (minimum_amount >= 0 and minimum_amount <> 'NaN');
alter table "products" add constraint "products_maximum_amount_check" check (maximum_amount > 0 and maximum_amount <> 'NaN');
alter table "products" add constraint "products_suggested_amount_check" check (suggested_amount >= 0 and suggested_amount <> 'NaN');
alter table "products" add constraint "products_interval_count_check" check (interval_count >= 1);
alter table "products" add constraint "products_trial_days_check" check (trial_days >= 0);
alter table "products" add constraint "products_image_ids_check" check (cardinality(image_ids) <= 8);
alter table "products" add constraint "products_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "products" add constraint "products_price_type_check" check ("price_type" in ('fixed', 'free', 'custom'));
alter table "products" add constraint "products_recurring_interval_check" check ("recurring_interval" in ('day', 'week', 'month', 'year'));

create table "product_groups" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "name" varchar(255) not null, "description" text null, "active" boolean not null default true, "product_ids" text[] not null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "product_groups_newest" on "product_groups" ("account_id", "environment", "created_at", "id");
alter table "product_groups" add constraint "product_groups_product_ids_check" check (cardinality(product_ids) >= 1 and cardinality(product_ids) <= 20);
alter table "product_groups" add constraint "product_groups_environment_check" check ("environment" in ('sandbox', 'live'));

create table "uploads" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "file_name" varchar(255) not null, "content_type" text not null, "size" int not null, "sha256" varchar(64) not null, "attachments" int not null default 0, "unattached_since" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("id"));
create index "uploads_unattached" on "uploads" ("unattached_since") where unattached_since is not null;
alter table "uploads" add constraint "uploads_unattached_check" check ((attachments = 0) = (unattached_since is not null));
alter table "uploads" add constraint "uploads_size_check" check (size > 0);
alter table "uploads" add constraint "uploads_attachments_check" check (attachments >= 0);
alter table "uploads" add constraint "uploads_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "uploads" add constraint "uploads_content_type_check" check ("content_type" in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf'));

create table "upload_contents" ("upload_id" varchar(255) not null, "bytes" bytea not null, primary key ("upload_id"));
-- Images and PDFs are compressed already; kept plain, a piece of one is read without reading what is before it.
alter table "upload_contents" alter column "bytes" set storage external;
