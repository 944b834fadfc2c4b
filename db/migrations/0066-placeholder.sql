-- Keeps the number of a migration that is being merged.
select 1;
