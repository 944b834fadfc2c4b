-- Who runs the service invites the first people of an organization, and staff of the platform, who belong to no organization. No user has sent these invitations.
alter table "team_invitations" alter column "account_id" drop not null, alter column "invited_by" drop not null;
alter table "team_invitations" drop constraint "team_invitations_role_check";
alter table "team_invitations" add constraint "team_invitations_role_check" check ("role" in ('owner', 'admin', 'developer', 'viewer', 'reviewer'));
alter table "team_invitations" add constraint "team_invitations_of_staff" check ((account_id is null) = (role = 'reviewer'));
create unique index "team_invitations_one_of_staff" on "team_invitations" ("email") where account_id is null and status = 'pending';
