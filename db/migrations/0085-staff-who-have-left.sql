-- The platform's own staff belong to no organization: one who has left is kept without an account.
alter table "former_members" alter column "account_id" drop not null;
