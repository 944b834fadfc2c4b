import type { Stack } from './stack.ts'

/** Where each process's row says that it has not ended; `:now` is the moment of the clock. */
const unfinished: Record<string, string> = {
  checkout: `select id, account_id, environment from checkouts where status = 'open' or listens_until > :now`,
  deposit: `select id, account_id, environment from payments
    where status = 'processing' and id in (select id from deposits)`,
  refund: `select id, account_id, environment from refunds where status in ('pending', 'processing')`,
  conversion: `select id, account_id, environment from conversions where status in ('pending', 'processing')`,
  payout: `select id, account_id, environment from payouts
    where status in ('requested', 'pending', 'approved', 'processing')`,
  'payout-destination': `select id, account_id, environment from payout_destinations
    where status = 'pending_review' and deactivated_at is null`,
  'payout-schedule': 'select id, account_id, environment from payout_schedules where next_run_at is not null',
  'webhook-delivery': `select id, account_id, environment from deliveries where status = 'pending'`,
  'webhook-endpoint': `select id, account_id, environment from webhook_endpoints
    where enabled and failing_since is not null`,
  'webhook-recovery': 'select id, account_id, environment from webhook_recoveries where completed_at is null',
}

type Ground = Pick<Stack, 'sql' | 'clock'>

const rowsOf = ({ sql }: Ground, process: string, now: Date) => {
  const query = unfinished[process] ?? ''
  return sql<{ id: string; account_id: string; environment: string }>(
    query.replace(':now', '?'),
    query.includes(':now') ? [now] : [],
  )
}

/** Promises every unfinished process anew, for an engine that knows none: what docs/operating.md says to do. */
export async function beginAgain(ground: Ground): Promise<void> {
  const now = new Date(await ground.clock.now())
  for (const process of Object.keys(unfinished)) {
    for (const { id, account_id: accountId, environment } of await rowsOf(ground, process, now)) {
      const about = { accountId, environment, status: 'open', waitingOn: 'restart', summary: 'started again' }
      await ground.sql('insert into outbox (process, resource_id, lane, about) values (?, ?, ?, ?::jsonb)', [
        ...[process, id, `${process}/${id}`, JSON.stringify(about)],
      ])
    }
  }
}

/** What has not come to its end yet, but for schedules, which have none. */
export async function stillOpen(ground: Ground): Promise<string[]> {
  const now = new Date(await ground.clock.now())
  const found = []
  for (const process of Object.keys(unfinished).filter((name) => name !== 'payout-schedule')) {
    for (const { id } of await rowsOf(ground, process, now)) found.push(`${process} ${id}`)
  }
  return found
}
