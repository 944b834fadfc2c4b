-- Secrets that no longer do anything are erased: a replaced webhook secret after its grace period, and what an invited
-- person has chosen once their link has expired. Both tables are small.
create index "webhook_endpoints_replaced_secrets" on "webhook_endpoints" ("previous_secret_until") where previous_sealed_secret is not null;
create index "team_invitations_chosen" on "team_invitations" ("expires_at") where password_hash is not null;
-- A card that a customer has saved is found once by the purge of cards and then left out: each purge used to read all of
-- them again, 2 s with a million.
alter table "simulated_cards" add column "is_saved" boolean not null default false;
alter table "paystack_cards" add column "is_saved" boolean not null default false;
drop index "simulated_cards_by_age";
drop index "paystack_cards_by_age";
create index "simulated_cards_by_age" on "simulated_cards" ("created_at") where not is_saved;
create index "paystack_cards_by_age" on "paystack_cards" ("created_at") where not is_saved;
