import type { EntityName } from '@mikro-orm/core'
import { aboutConversion } from '../domain/balance/process.ts'
import { aboutCheckout, aboutDeposit } from '../domain/checkout/process.ts'
import { aboutDestination, aboutPayout, aboutSchedule } from '../domain/payout/process.ts'
import type { About } from '../domain/process-contract.ts'
import { aboutAccount } from '../domain/platform/process.ts'
import { aboutDispute } from '../domain/dispute/process.ts'
import { aboutRefund } from '../domain/refund-process.ts'
import { aboutClock } from '../domain/sandbox/process.ts'
import { aboutSubscription } from '../domain/subscription/process.ts'
import { aboutDelivery, aboutEndpoint, aboutRecovery } from '../domain/webhook/process.ts'
import { Checkout } from '../db/checkout/checkout.ts'
import { Conversion } from '../db/balance/conversion.ts'
import type { EntityManager } from '../db/core/database.ts'
import type { OutboxSignal } from '../db/core/outbox.ts'
import { TestClock } from '../db/core/test-clock.ts'
import { Deposit } from '../db/checkout/deposit.ts'
import { Dispute } from '../db/dispute/dispute.ts'
import { Payout } from '../db/payout/payout.ts'
import { PayoutDestination } from '../db/payout/destination.ts'
import { PayoutSchedule } from '../db/payout/schedule.ts'
import { Refund } from '../db/refund/refund.ts'
import { Subscription } from '../db/subscription/subscription.ts'
import { processId, type RowProcess, type SignalOf } from '../domain/processes.ts'
import { AccountProfile } from '../db/platform/account-profile.ts'
import { VirtualAccount } from '../db/platform/virtual-account.ts'
import type { Event } from '../db/webhook/event.ts'
import { type Delivery, WebhookEndpoint, WebhookRecovery } from '../db/webhook/endpoint.ts'

// Which rows must have a running process, and how each of these processes is started. The supervisor, the restore
// command and the invariant checker all use this list.

/**
 * `rows` selects the open rows of a kind: `id`, and `key`, an indexed column by which the rows are read page by page.
 * `:at` is the moment for which the query asks. A kind may have several ways to be open.
 */
type Source = { process: RowProcess; rows: string }

const openMoney = "status in ('pending', 'processing')"

export const openSources: readonly Source[] = [
  { process: 'checkout', rows: `select id, expires_at as key from checkouts where status = 'open'` },
  // Ended without success, and a buyer's money may still arrive.
  {
    process: 'checkout',
    rows: `select id, listens_until as key from checkouts where listens_until > :at and clock_id is null`,
  },
  // The same by the time of a test clock, which may be far from the real one.
  {
    process: 'checkout',
    rows: `select c.id, c.listens_until as key from checkouts c left join test_clocks t on t.id = c.clock_id
      where c.clock_id is not null and c.listens_until > coalesce(t.frozen_time, :at)`,
  },
  // The rail has announced news about one of its attempts.
  {
    process: 'checkout',
    rows: `select c.id, p.news_due_at as key from payments p join checkouts c on c.id = p.checkout_id
      where p.news_due_at is not null and (c.payment_id is not null or c.attempts > 0)`,
  },
  // A rail still has to be asked to cancel an attempt that a newer one has replaced.
  {
    process: 'checkout',
    rows: `select checkout_id as id, created_at as key from payments
      where cancelling = 'due' and checkout_id is not null`,
  },
  { process: 'refund', rows: `select id, created_at as key from refunds where ${openMoney}` },
  awaitingNews('refund', 'refunds'),
  // The network still has to be told of one that was accepted or prevented.
  {
    process: 'dispute',
    rows: `select id, created_at as key from disputes
      where status in ('early_warning', 'needs_response', 'under_review') or rail_due is not null`,
  },
  awaitingNews('dispute', 'disputes'),
  { process: 'conversion', rows: `select id, created_at as key from conversions where ${openMoney}` },
  {
    process: 'payout',
    rows: `select id, created_at as key from payouts
      where status in ('requested', 'pending', 'approved', 'processing')`,
  },
  awaitingNews('payout', 'payouts'),
  {
    process: 'deposit',
    rows: `select id, created_at as key from payments p where status = 'processing' and checkout_id is null
      and exists (select from deposits d where d.id = p.id)`,
  },
  // Staff have marked it as failed, and the bank has announced news about it.
  {
    process: 'deposit',
    rows: `select id, news_due_at as key from payments p where news_due_at is not null
      and exists (select from deposits d where d.id = p.id)`,
  },
  {
    process: 'payout-destination',
    rows: `select id, created_at as key from payout_destinations
      where status = 'pending_review' and deactivated_at is null`,
  },
  { process: 'account-review', rows: 'select id, created_at as key from account_profiles where is_reviewing' },
  // Active, with something that is due later.
  {
    process: 'account-review',
    rows: 'select id, wakes_at as key from account_profiles where wakes_at is not null and not is_reviewing',
  },
  {
    process: 'payout-schedule',
    rows: 'select id, next_run_at as key from payout_schedules where next_run_at is not null',
  },
  { process: 'webhook-delivery', rows: `select id, created_at as key from deliveries where status = 'pending'` },
  {
    process: 'webhook-endpoint',
    rows: 'select id, failing_since as key from webhook_endpoints where enabled and failing_since is not null',
  },
  {
    process: 'webhook-recovery',
    rows: 'select id, created_at as key from webhook_recoveries where completed_at is null',
  },
  {
    process: 'subscription',
    rows: `select id, created_at as key from subscriptions where status <> 'canceled' or payment_id is not null`,
  },
  // The money for an invoice came while its subscription had ended.
  {
    process: 'subscription',
    rows: `select subscription_id as id, created_at as key from invoices
      where status = 'paid' and applied_at is null`,
  },
  // A mail to its customer is to be sent, such as that it has ended.
  {
    process: 'subscription',
    rows: `select subscription_id as id, created_at as key from subscription_mails where sent_at is null`,
  },
  // Staff have marked a payment of it as failed, and the rail has not confirmed that, or the rail has announced news.
  {
    process: 'subscription',
    rows: `select subscription_id as id, news_due_at as key from payments
      where news_due_at is not null and checkout_id is null and subscription_id is not null`,
  },
  { process: 'clock', rows: 'select id, created_at as key from test_clocks where target is not null' },
]

/** Those about which the rail has announced news, also where they have ended. */
function awaitingNews(process: RowProcess, table: string): Source {
  return { process, rows: `select id, news_due_at as key from ${table} where news_due_at is not null` }
}

/** The query of a source for a moment, in milliseconds since the epoch. */
export const openRowsSql = ({ rows }: Source, at: number): string =>
  rows.replaceAll(':at', `'${new Date(at).toISOString()}'::timestamptz`)

/** How far a reader has come: all earlier sources, and this one up to `id`. */
export type Position = { source: number; key: string; id: string }

type Page = { process: RowProcess; ids: string[]; next: Position | null }

/**
 * At most `limit` open rows after a position; null starts at the beginning. They are of one kind. `next` is null at the
 * end of all sources. A position of a newer release, with more sources, starts at the beginning too.
 */
export async function openPage(em: EntityManager, after: Position | null, limit: number, at: number): Promise<Page> {
  const index = after?.source ?? 0
  const source = openSources[index]
  if (!source) return openPage(em, null, limit, at)
  const past = after && after.id !== '' ? [after.key, after.id] : []
  const rows = await em.execute<{ id: string; key: string }[]>(
    `select id, key::text as key from (${openRowsSql(source, at)}) open
     ${past.length > 0 ? 'where (key, id) > (?::timestamptz, ?)' : ''} order by open.key, id limit ${limit}`,
    past,
  )
  const last = rows.at(-1)
  const isLast = rows.length < limit || !last
  const following = index + 1 < openSources.length ? { source: index + 1, key: '', id: '' } : null
  return {
    process: source.process,
    ids: [...new Set(rows.map(({ id }) => id))],
    next: isLast ? following : { source: index, key: last.key, id: last.id },
  }
}

/** Which of these ids are open, each once. */
export async function filterOpen(em: EntityManager, process: RowProcess, ids: string[], at: number): Promise<string[]> {
  if (ids.length === 0) return []
  const found = openSources
    .filter((source) => source.process === process)
    .map((source) => `select id from (${openRowsSql(source, at)}) open where id in (?)`)
  const rows = await em.execute<{ id: string }[]>(
    found.join(' union '),
    found.map(() => ids),
  )
  return rows.map(({ id }) => id)
}

/** Every open row of a kind, each once: deliveries in the order of their events, the others of their ids. */
export async function listOpen(em: EntityManager, process: RowProcess, at: number): Promise<string[]> {
  const found = openSources.filter((source) => source.process === process).map((source) => openRowsSql(source, at))
  const ids = found.map((rows) => `select id from (${rows}) open`).join(' union ')
  const ordered =
    process === 'webhook-delivery'
      ? `select d.id from deliveries d join events e on e.id = d.event_id where d.id in (${ids})
        order by e.sequence, d.id`
      : `select id from (${ids}) open order by id`
  const rows = await em.execute<{ id: string }[]>(ordered)
  return rows.map(({ id }) => id)
}

/**
 * How a row's process is started: in the same way as when the row was made. `signal`: what it has to hear, because it
 * would end at once where its row has ended.
 */
export type Described = {
  process: RowProcess
  resourceId: string
  about: About
  orderingKey: string
  signal: OutboxSignal | null
}

/** How the processes of these rows are started, open or not, in the order in which they are to be started. */
export async function describeProcesses(em: EntityManager, process: RowProcess, ids: string[]): Promise<Described[]> {
  if (ids.length === 0) return []
  const described = await describers[process](em, ids)
  return described.map(({ id, about, orderingKey = processId(process, id), signal = null }) => ({
    process,
    resourceId: id,
    about,
    orderingKey,
    signal,
  }))
}

type Row = { id: string; about: About; orderingKey?: string; signal?: OutboxSignal | null }

/**
 * `onNews`: what the process is told if its rail has announced news. `never`: MikroORM derives the type of a condition
 * from the entity, which is not known here.
 */
const read =
  <T extends { id: string; newsDueAt?: Date | null | undefined }>(
    entity: EntityName<T>,
    about: (row: T) => About,
    onNews: OutboxSignal | null = null,
  ) =>
  async (em: EntityManager, ids: string[]): Promise<Row[]> => {
    const rows = (await em.find(entity, { id: { $in: ids } } as never, { orderBy: { id: 'asc' } as never })) as T[]
    return rows.map((row) => ({ id: row.id, about: about(row), signal: row.newsDueAt ? onNews : null }))
  }

const railAnswered = { name: 'railAnswered' satisfies SignalOf<'payout' | 'refund'>, args: [] }
const networkAnswered = { name: 'networkAnswered' satisfies SignalOf<'dispute'>, args: [] }

/** In the order in which they are restored: money first, then what decides about money, then webhooks. */
const describers: Record<RowProcess, (em: EntityManager, ids: string[]) => Promise<Row[]>> = {
  payout: read(Payout, (row) => aboutPayout(row, row.status === 'pending' ? 'reviewer' : 'rail'), railAnswered),
  refund: read(Refund, aboutRefund, railAnswered),
  dispute: read(Dispute, aboutDispute, networkAnswered),
  conversion: read(Conversion, aboutConversion),
  deposit: describeDeposits,
  checkout: read(Checkout, aboutCheckout),
  'payout-destination': read(PayoutDestination, aboutDestination),
  'account-review': read(AccountProfile, aboutAccount),
  'payout-schedule': read(PayoutSchedule, aboutSchedule),
  subscription: read(Subscription, aboutSubscription),
  'webhook-endpoint': read(WebhookEndpoint, aboutEndpoint),
  'webhook-recovery': read(WebhookRecovery, aboutRecovery),
  'webhook-delivery': describeDeliveries,
  clock: read(TestClock, aboutClock),
}

/** Every process that works for a row. */
export const rowProcesses = Object.keys(describers) as RowProcess[]

async function describeDeposits(em: EntityManager, ids: string[]): Promise<Row[]> {
  const deposits = await em.find(Deposit, { id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const accountIds = deposits.map(({ virtualAccountId }) => virtualAccountId)
  const accounts = await em.find(VirtualAccount, { id: { $in: accountIds } })
  return deposits.flatMap(({ id, virtualAccountId }) => {
    const account = accounts.find((known) => known.id === virtualAccountId)
    return account ? [{ id, about: aboutDeposit(account) }] : []
  })
}

/** Deliveries of one endpoint share an ordering key, in which they start in the order of their events. */
async function describeDeliveries(em: EntityManager, ids: string[]): Promise<Row[]> {
  const rows = await em.execute<(Pick<Delivery, 'id' | 'accountId' | 'environment' | 'endpointId'> & EventOf)[]>(
    `select d.id, d.account_id as "accountId", d.environment, d.endpoint_id as "endpointId", e.type,
       e.resource_id as "resourceId"
     from deliveries d join events e on e.id = d.event_id where d.id in (?) order by e.sequence, d.id`,
    [ids],
  )
  return rows.map((row) => ({ id: row.id, about: aboutDelivery(row, row), orderingKey: row.endpointId }))
}

type EventOf = Pick<Event, 'type' | 'resourceId'>
