-- Checks the rows that were there before the previous migration, while others go on writing.
alter table "accounts" validate constraint "accounts_of_one_environment";
alter table "accounts" validate constraint "accounts_environment_check";
alter table "reviews" validate constraint "reviews_decision_check";
alter table "reviews" validate constraint "reviews_type_check";
alter table "review_decisions" validate constraint "review_decisions_decision_check";
