create table "payment_links" ("id" varchar(255) not null, "account_id" varchar(255) not null, "environment" text not null, "slug" varchar(32) not null, "name" varchar(255) not null, "active" boolean not null default true, "product_cart" jsonb null, "product_group_id" varchar(255) null, "price" jsonb null, "open_line" smallint null, "success_url" varchar(2048) not null, "customer_creation" text not null default 'if_required', "method_options" jsonb null, "platform_fee" numeric(38,18) null, "transfer_amount" numeric(38,18) null, "transfer_destination" varchar(255) null, "currency" varchar(10) not null, "max_completions" int null, "completed_count" int not null default 0, "expires_at" timestamptz(3) null, "inactive_message" varchar(500) null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
create index "payment_links_newest" on "payment_links" ("account_id", "environment", "created_at", "id");
alter table "payment_links" add constraint "payment_links_slug_unique" unique ("slug");
alter table "payment_links" add constraint "payment_links_environment_check" check ("environment" in ('sandbox', 'live'));
alter table "payment_links" add constraint "payment_links_customer_creation_check" check ("customer_creation" in ('if_required', 'always'));
alter table "payment_links" add constraint "payment_links_max_completions_check" check (max_completions >= 1);
alter table "payment_links" add constraint "payment_links_completed_count_check" check (completed_count >= 0);
alter table "payment_links" add constraint "payment_links_one_sale_check" check (num_nonnulls(product_cart, product_group_id, price) = 1);
alter table "payment_links" add constraint "payment_links_open_line_check" check (open_line is null or product_cart is not null);
alter table "payment_links" add constraint "payment_links_one_split_check" check (num_nonnulls(platform_fee, transfer_amount) <= 1 and (transfer_amount is null) = (transfer_destination is null));
alter table "payment_links" add constraint "payment_links_limit_check" check (completed_count <= max_completions);

-- Sessions that links have opened: each visit makes one, so those that can still be paid are found without the others.
alter table "checkouts" add column "payment_link_id" varchar(255) null;
alter table "checkouts" add constraint "checkouts_link_check" check ((source_type = 'PAYMENT_LINK') = (payment_link_id is not null));
create index "checkouts_by_link" on "checkouts" ("payment_link_id", "created_at") where payment_link_id is not null;
create index "checkouts_open_of_link" on "checkouts" ("payment_link_id") where payment_link_id is not null and status = 'open';
