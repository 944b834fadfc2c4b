import { keptMs } from '../../domain/retention.ts'
import type { EntityManager } from './database.ts'

/** Rows of a table that are deleted or emptied once they are no longer needed. */
export type Purge = {
  table: string
  /** What is purged, where a table has a second purge. Left out, it is the table's name. */
  name?: string
  /** The moment from which the retention counts, and the retention in milliseconds. */
  since: string
  keptMs: number
  /** The index by which the rows that are due are found, oldest first. */
  index: string
  /** True where `since` is the database's own time. Business time may run ahead of it where tests skip time. */
  isRealTime?: boolean
  /** A further condition on the row `r`; each `?` is the moment of the purge. */
  only?: string
  /**
   * The statement for the rows of `due`, whose `place` is their ctid. Left out, the rows are deleted. With `byId` they
   * have an `id` instead.
   */
  act?: string
  /** For a table that may be divided by months one day: a ctid is then of several rows (docs/decisions/0083). */
  byId?: true
}

/** Marks those of the cards that a customer has saved, so that they are not read again, and deletes the others. */
const unlessSaved = (table: string) => `saved as (
        update ${table} r set is_saved = true where r.ctid = any(array(select place from due))
          and exists (select from saved_payment_methods s where s.rail_token = r.token)
      ), gone as (
        delete from ${table} r where r.ctid = any(array(select place from due))
          and not exists (select from saved_payment_methods s where s.rail_token = r.token)
      )`

// Conditions of a purge that read another table are asked row by row, as values: an `exists` may be planned as a join
// that reads all of that table for each 500 rows.
/** An event with a pending delivery keeps its body beyond its time, as it is still to be sent. */
const isToBeSent = (event: string) => `coalesce((
      select true from deliveries d where d.event_id = ${event}.id and d.status = 'pending' limit 1), false)`
const hasBody = (event: string) => `octet_length(${event}.body) > 0`

/** Everything that is purged except uploads, which are large and are purged in smaller batches. */
export const purges: Purge[] = [
  {
    table: 'idempotency_records',
    since: 'expires_at',
    keptMs: keptMs.idempotencyAnswer,
    index: 'idempotency_records_expired',
  },
  { table: 'rate_windows', since: 'window_start', keptMs: keptMs.rateWindow, index: 'rate_windows_by_age' },
  { table: 'login_challenges', since: 'expires_at', keptMs: keptMs.loginChallenge, index: 'login_challenges_by_end' },
  {
    table: 'pending_authenticators',
    since: 'expires_at',
    keptMs: keptMs.pendingAuthenticator,
    index: 'pending_authenticators_by_end',
  },
  { table: 'login_failures', since: 'last_at', keptMs: keptMs.loginFailure, index: 'login_failures_by_age' },
  {
    table: 'refresh_tokens',
    since: 'expires_at',
    keptMs: keptMs.refreshToken,
    index: 'refresh_tokens_by_end',
    // A login session is deleted with its last token.
    act: `gone as (
        delete from refresh_tokens where ctid = any(array(select place from due)) returning hash, session_id
      ), ended as (
        delete from login_sessions s where s.id in (select session_id from gone) and not exists (
          select from refresh_tokens t where t.session_id = s.id and t.hash not in (select hash from gone))
      )`,
  },
  {
    table: 'signing_keys',
    since: 'retired_at',
    keptMs: keptMs.signingKey,
    index: 'signing_keys_retired',
    only: 'r.retired_at is not null',
  },
  { table: 'kept_mails', since: 'created_at', keptMs: keptMs.mail, index: 'kept_mails_by_age' },
  {
    table: 'customer_sessions',
    since: 'expires_at',
    keptMs: keptMs.customerSession,
    index: 'customer_sessions_by_end',
  },
  {
    table: 'onboarding_sessions',
    since: 'expires_at',
    keptMs: keptMs.onboardingSession,
    index: 'onboarding_sessions_by_end',
  },
  {
    table: 'team_invitations',
    since: 'expires_at',
    keptMs: keptMs.teamInvitation,
    index: 'team_invitations_by_end',
  },
  {
    // What an invited person has chosen cannot be confirmed any more once the link has expired.
    table: 'team_invitations',
    name: 'team_invitations.chosen',
    since: 'expires_at',
    keptMs: keptMs.invitationChoice,
    index: 'team_invitations_chosen',
    only: 'r.password_hash is not null',
    act: `erased as (
        update team_invitations set password_hash = null, encrypted_totp_secret = null
        where ctid = any(array(select place from due)))`,
  },
  {
    // The secret that was replaced, once it no longer signs.
    table: 'webhook_endpoints',
    since: 'previous_secret_until',
    keptMs: keptMs.replacedSecret,
    index: 'webhook_endpoints_replaced_secrets',
    only: 'r.previous_sealed_secret is not null',
    act: `erased as (
        update webhook_endpoints set previous_sealed_secret = null, previous_secret_until = null
        where ctid = any(array(select place from due)))`,
  },
  {
    table: 'conversion_quotes',
    since: 'expires_at',
    keptMs: keptMs.conversionQuote,
    index: 'conversion_quotes_unused',
    only: 'r.used_at is null', // a used quote belongs to its conversion
  },
  {
    table: 'payment_requests',
    since: 'created_at',
    keptMs: keptMs.paymentRequest,
    index: 'payment_requests_by_age',
    // A session that has not ended may send its order to the rail once more.
    only: `not coalesce((
        select c.status = 'open' or c.listens_until > ? from checkouts c where c.id = r.checkout_id), false)`,
  },
  {
    table: 'subscription_changes',
    since: 'created_at',
    keptMs: keptMs.subscriptionChange,
    index: 'subscription_changes_asked', // applied, refused or given up: no process waits for so long
  },
  {
    table: 'simulated_codes',
    since: 'created_at',
    keptMs: keptMs.oneTimeCode,
    index: 'simulated_codes_by_age',
    isRealTime: true,
  },
  {
    table: 'simulated_cards',
    since: 'created_at',
    keptMs: keptMs.railToken,
    index: 'simulated_cards_by_age',
    isRealTime: true,
    only: 'not r.is_saved',
    act: unlessSaved('simulated_cards'),
  },
  {
    table: 'simulated_phones',
    since: 'created_at',
    keptMs: keptMs.railToken,
    index: 'simulated_phones_by_age',
    isRealTime: true,
  },
  {
    table: 'paystack_cards',
    since: 'created_at',
    keptMs: keptMs.railToken,
    index: 'paystack_cards_by_age',
    isRealTime: true,
    only: 'not r.is_saved',
    act: unlessSaved('paystack_cards'),
  },
  {
    table: 'paystack_secrets',
    since: 'created_at',
    keptMs: keptMs.oneTimeCode,
    index: 'paystack_secrets_by_age',
    isRealTime: true,
  },
  {
    table: 'events',
    since: 'created_at',
    keptMs: keptMs.eventBody,
    index: 'events_kept',
    only: `${hasBody('r')} and not ${isToBeSent('r')}`,
    byId: true,
    act: `erased as (update events set body = '' where id = any(array(select id from due)))`,
  },
  {
    table: 'deliveries',
    since: 'created_at',
    keptMs: keptMs.delivery,
    index: 'deliveries_ended',
    // Deliveries are kept as long as their event can be read. Events are purged from the oldest on, so no delivery is
    // looked at that is younger than the oldest event that is left: there may be millions of them.
    only: `r.status <> 'pending'
      and r.created_at < coalesce((
        select kept.created_at from events kept where ${hasBody('kept')} and not ${isToBeSent('kept')}
        order by kept.created_at limit 1), 'infinity')
      and not coalesce((select ${hasBody('e')} from events e where e.id = r.event_id), false)`,
    byId: true,
    act: `gone as (
        delete from deliveries where id = any(array(select id from due)) returning id
      ), tried as (
        delete from delivery_attempts a using gone where a.delivery_id = gone.id
      )`,
  },
  {
    table: 'webhook_recoveries',
    since: 'completed_at',
    keptMs: keptMs.webhookRecovery,
    index: 'webhook_recoveries_ended',
    only: 'r.completed_at is not null',
  },
  { table: 'request_logs', since: 'created_at', keptMs: keptMs.requestLog, index: 'request_logs_by_age' },
]

/** The statement of a purge and its parameters; `at` is in milliseconds since the epoch. */
export function purgeStatement(purge: Purge, at: number, countMax: number): { sql: string; params: unknown[] } {
  const { table, since, isRealTime = false, only = 'true' } = purge
  const moment = isRealTime ? 'least(?::timestamptz, now())' : '?::timestamptz'
  const act = purge.act ?? `gone as (delete from ${table} where ctid = any(array(select place from due)))`
  const sql = `with due as materialized (
      select ${purge.byId ? 'r.id' : 'r.ctid as place'} from ${table} r
      where r.${since} <= ${moment} - interval '${purge.keptMs} milliseconds' and ${only}
      order by r.${since} limit ${countMax} for update skip locked
    ), ${act} select count(*)::int as count from due`
  const askedIn = only.split('?').length - 1
  return { sql, params: Array.from({ length: 1 + askedIn }, () => new Date(at)) }
}

/**
 * Purges the oldest rows that are due, at most `countMax`, and returns how many. Locked rows are skipped until the next
 * time, so that a purge and other transactions never wait for each other.
 */
export async function purgeOldest(em: EntityManager, purge: Purge, at: number, countMax: number): Promise<number> {
  const { sql, params } = purgeStatement(purge, at, countMax)
  const [row] = await em.execute<{ count: number }[]>(sql, params)
  return row?.count ?? 0
}
