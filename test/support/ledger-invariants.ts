/** What must hold in any ledger once all work is done, whatever its movements are: each query returns violations. */
export const rules: Record<string, string> = {
  'debits equal credits per transaction and currency': `
    select transaction_id, currency, sum(amount) from ledger_entries group by 1, 2 having sum(amount) <> 0`,
  'rolled-up balances equal the sum of their rolled-up entries': `
    select account_id, book, currency from ledger_balances b where amount <> coalesce((
      select sum(case book when 'owed' then -amount else amount end) from ledger_entries e where e.folded and
      (e.account_id, e.environment, e.book, e.currency) = (b.account_id, b.environment, b.book, b.currency)), 0)`,
  'rolled-up entries have a balance': `
    select id from ledger_entries e where folded and not exists (select from ledger_balances b where
      (e.account_id, e.environment, e.book, e.currency) = (b.account_id, b.environment, b.book, b.currency))`,
  'nothing is negative or NaN': `
    select account_id, book, currency, sum(amount) from ledger_entries
    where book not in ('rail', 'owed', 'intercompany') group by 1, 2, 3 having sum(amount) < 0 or sum(amount) = 'NaN'`,
  'nobody owes less than nothing, and what is owed is rolled up': `
    select account_id, currency from ledger_entries where book = 'owed'
    group by account_id, environment, currency having sum(amount) > 0 or not bool_and(folded)`,
  'what is repaid is taken from the account that owes it, and from nothing else': `
    select t.id from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where t.kind = 'owed_repaid' group by t.id having count(distinct (e.account_id, e.environment, e.currency)) > 1
      or not bool_and(e.book = 'owed' and e.amount > 0 or e.book = 'merchant' and e.amount < 0)`,
  'what becomes available at one moment is never negative': `
    select account_id, book, currency, available_at from ledger_entries
    where book not in ('rail', 'owed', 'intercompany') and not folded
    group by account_id, environment, book, currency, available_at having sum(amount) < 0`,
  'no balance is negative, now or later': `
    select * from (
      select account_id, environment, book, currency, moment,
        sum(sum(amount)) over (partition by account_id, environment, book, currency order by moment) as balance
      from (
        select account_id, environment, book, currency, amount, greatest(available_at, max(created_at)
          over (partition by account_id, environment, book, currency)) as moment
        from ledger_entries where book not in ('rail', 'owed', 'intercompany')) maturing
      group by account_id, environment, book, currency, moment) balances
    where balance < 0 or balance = 'NaN'`,
  'the sums of the days, the hours and of ten minutes are the sums of their entries': `
    select * from (
      select account_id, environment, book, minutes, currency,
        date_bin(minutes * interval '1 minute', created_at, '2000-01-01Z') as created_from,
        date_bin(minutes * interval '1 minute', greatest(available_at, created_at), '2000-01-01Z') as matures_from,
        sum(amount) as amount
      from ledger_entries, (values (10), (60), (1440)) as spans (minutes) group by 1, 2, 3, 4, 5, 6, 7) entries
    full join (
      select account_id, environment, book, minutes, currency, created_from, matures_from, sum(amount) as summed
      from ledger_sums group by 1, 2, 3, 4, 5, 6, 7) sums
      using (account_id, environment, book, minutes, currency, created_from, matures_from)
    where coalesce(amount, 0) <> coalesce(summed, 0)`,
  'a merchant’s balance transactions are the changes of its balance, each once': `
    select * from (
      select transaction_id, account_id, environment, currency, sum(amount) as amount,
        max(available_at) as available_at, min(created_at) as created_at
      from ledger_entries where book in ('merchant', 'owed') group by 1, 2, 3, 4 having sum(amount) <> 0) entries
    full join (
      select ledger_transaction_id as transaction_id, account_id, environment, currency, amount,
        available_at, created_at,
        count(*) over (partition by ledger_transaction_id, account_id, environment, currency) as times
      from balance_transactions) shown
      using (transaction_id, account_id, environment, currency, amount, available_at, created_at)
    where entries is null or times is distinct from 1`,
}
