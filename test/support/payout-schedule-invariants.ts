/** What must hold for payout schedules in any database once all work is done. */
export const rules: Record<string, string> = {
  'the last payout of a schedule is its newest one, and no earlier one is under way': `
    select s.id, s.last_withdrawal_id from payout_schedules s left join payouts p on p.schedule_id = s.id group by s.id
    having s.last_withdrawal_id is distinct from (array_agg(p.id order by p.created_at desc, p.id desc))[1]
      or count(*) filter (where p.status in ('requested', 'pending', 'approved', 'processing')
        and p.id <> s.last_withdrawal_id) > 0`,
  'a payout of a schedule is paid from the schedule’s balance, in its currency': `
    select p.id, p.schedule_id from payouts p left join payout_schedules s on s.id = p.schedule_id
    where p.schedule_id is not null and (s.id is null or p.currency <> s.currency
      or (p.account_id, p.environment, p.source_currency) <> (s.account_id, s.environment, s.currency))`,
  'a schedule counts no more failures than its last payouts had, and three of them stop it': `
    select s.id, s.consecutive_failures from payout_schedules s where s.consecutive_failures > (
        select count(*) from payouts p where p.schedule_id = s.id and p.status in ('failed', 'rejected')
        and not exists (select from payouts later where later.schedule_id = s.id and later.status = 'completed'
          and later.created_at > p.created_at))
      or (s.consecutive_failures = 3 and s.next_run_at is not null)`,
}
