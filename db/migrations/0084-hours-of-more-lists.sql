-- The hours that are over are counted of four more lists, as of those of 0078. Whoever writes a row of now pays nothing.
create trigger conversions_late after insert on conversions for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger conversions_gone after delete on conversions for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger disputes_late after insert on disputes for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger disputes_gone after delete on disputes for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger virtual_accounts_late after insert on virtual_accounts for each row
  when (new.created_at < now() - interval '1 hour') execute function count_late_row();
create trigger virtual_accounts_gone after delete on virtual_accounts for each row
  when (old.created_at < now() - interval '1 hour') execute function count_gone_row();
create trigger payout_destinations_late after insert on payout_destinations for each row
  when (new.created_at < now() - interval '1 hour' and new.deactivated_at is null) execute function count_late_row();
create trigger payout_destinations_gone after delete on payout_destinations for each row
  when (old.created_at < now() - interval '1 hour' and old.deactivated_at is null) execute function count_gone_row();
-- A deactivated one is not listed, and stays deactivated.
create trigger payout_destinations_deactivated after update on payout_destinations for each row
  when (old.created_at < now() - interval '1 hour' and old.deactivated_at is null and new.deactivated_at is not null)
  execute function count_gone_row();
