-- Checks the rows that were there before the constraints of the migration before.
alter table "operator_actions" validate constraint "operator_actions_are_about_one_resource";
alter table "operator_actions" validate constraint "operator_actions_dispute_id_foreign";
