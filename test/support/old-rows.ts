/**
 * For each table that is purged, a statement that adds `count` rows whose time of storage starts at `moment` (SQL, in
 * which `n` counts from 1). Ids begin with `mark`.
 */
type Rows = { mark: string; moment: string; count?: number }

const statements: Record<string, (mark: string, moment: string, series: string) => string> = {
  idempotency_records: (mark, moment, series) =>
    `insert into idempotency_records (id, body_hash, status, sealed_answer, expires_at)
     select '${mark}' || n, 'x', 201, 'sealed', ${moment} from ${series}`,
  rate_windows: (mark, moment, series) =>
    `insert into rate_windows (subject, window_start, hits) select '${mark}' || n, ${moment}, 1 from ${series}`,
  login_challenges: (mark, moment, series) =>
    `insert into login_challenges (id, user_id, method, created_at, expires_at)
     select '${mark}' || n, 'usr_1', 'totp', ${moment} - interval '10 minutes', ${moment} from ${series}`,
  pending_authenticators: (mark, moment, series) =>
    `insert into pending_authenticators (user_id, session_id, sealed_secret, created_at, expires_at)
     select '${mark}' || n, 'ses_1', 'sealed', ${moment} - interval '10 minutes', ${moment} from ${series}`,
  login_failures: (mark, moment, series) =>
    `insert into login_failures (email_hash, count, last_at) select '${mark}' || n, 5, ${moment} from ${series}`,
  refresh_tokens: (mark, moment, series) =>
    `with made as (
       insert into login_sessions (id, user_id, created_at) select '${mark}' || n, 'usr_1', now() from ${series})
     insert into refresh_tokens (hash, session_id, created_at, expires_at)
     select '${mark}' || n, '${mark}' || n, ${moment} - interval '30 days', ${moment} from ${series}`,
  signing_keys: (mark, moment, series) =>
    `insert into signing_keys (id, public_jwk, sealed_private_jwk, created_at, retired_at)
     select '${mark}' || n, '{}', 'sealed', ${moment} - interval '30 days', ${moment} from ${series}`,
  kept_mails: (mark, moment, series) =>
    `insert into kept_mails (id, account_id, sealed, created_at)
     select '${mark}' || n, case when n % 2 = 0 then 'acct_1' end, 'sealed', ${moment} from ${series}`,
  customer_sessions: (mark, moment, series) =>
    `insert into customer_sessions (id, account_id, environment, customer_id, token_hash, return_url, created_at,
       expires_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'cust_purged', 'x', 'https://example.com',
       ${moment} - interval '1 hour', ${moment} from ${series}`,
  onboarding_sessions: (mark, moment, series) =>
    `insert into onboarding_sessions (id, account_id, environment, token_hash, return_url, refresh_url, created_at,
       expires_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'x', 'https://example.com', 'https://example.com',
       ${moment} - interval '1 hour', ${moment} from ${series}`,
  team_invitations: (mark, moment, series) =>
    `insert into team_invitations (id, account_id, email, role, invited_by, token_hash, created_at, sent_at, expires_at)
     select '${mark}' || n, 'acct_1', lower('${mark}') || n || '@example.com', 'viewer', 'usr_1', 'x',
       ${moment} - interval '7 days', ${moment} - interval '7 days', ${moment} from ${series}`,
  'team_invitations.chosen': (mark, moment, series) =>
    `insert into team_invitations (id, account_id, email, role, invited_by, token_hash, password_hash,
       encrypted_totp_secret, created_at, sent_at, expires_at)
     select 'chosen_${mark}' || n, 'acct_1', lower('${mark}') || n || '@example.org', 'viewer', 'usr_1', '${mark}' || n,
       'hash', 'sealed', ${moment} - interval '7 days', ${moment} - interval '7 days', ${moment} from ${series}`,
  webhook_endpoints: (mark, moment, series) =>
    `insert into webhook_endpoints (id, account_id, environment, url, events, sealed_secret, previous_sealed_secret,
       previous_secret_until, created_at, updated_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'https://example.com', '{refund.failed}', 'sealed', 'sealed',
       ${moment}, now(), now() from ${series}`,
  conversion_quotes: (mark, moment, series) =>
    `insert into conversion_quotes (id, account_id, environment, from_amount, from_currency, to_amount, to_currency,
       rate,
       fee, expires_at, created_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 10, 'USD', 9, 'EUR', 1, 1, ${moment}, ${moment} from ${series}`,
  payment_requests: (mark, moment, series) =>
    `insert into payment_requests (id, checkout_id, rail_token, sealed_return_url, created_at)
     select '${mark}' || n, 'chk_gone', 'tok_1', 'sealed', ${moment} from ${series}`,
  subscription_changes: (mark, moment, series) =>
    `insert into subscription_changes (id, subscription_id, asked_by, what, applied_at, created_at)
     select '${mark}' || n, 'sub_1', 'customer', '{}', ${moment}, ${moment} from ${series}`,
  simulated_codes: (mark, moment, series) =>
    `insert into simulated_codes (token, passes, created_at) select '${mark}' || n, true, ${moment} from ${series}`,
  simulated_cards: (mark, moment, series) =>
    `insert into simulated_cards (token, behaviour, brand, last_four, exp_month, exp_year, country, created_at)
     select '${mark}' || n, 'succeeds', 'visa', '4242', 12, 2040, 'US', ${moment} from ${series}`,
  simulated_phones: (mark, moment, series) =>
    `insert into simulated_phones (token, outcome, masked_number, created_at)
     select '${mark}' || n, 'succeeded', '+2547***01', ${moment} from ${series}`,
  paystack_cards: (mark, moment, series) =>
    `insert into paystack_cards (token, encrypted_email, created_at)
     select '${mark}' || n, 'x', ${moment} from ${series}`,
  paystack_secrets: (mark, moment, series) =>
    `insert into paystack_secrets (token, encrypted, created_at) select '${mark}' || n, 'x', ${moment} from ${series}`,
  deliveries: (mark, moment, series) =>
    `with made as (
       insert into delivery_attempts (delivery_id, number, at, response_status, response_body, duration_ms)
       select '${mark}' || n, 1, ${moment}, 200, 'thank you', 5 from ${series})
     insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status,
       attempt_count, created_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'evt_' || n, 'refund.paid', 'we_1', 'succeeded', 1, ${moment}
     from ${series}`,
  events: (mark, moment, series) =>
    `insert into events (id, account_id, environment, type, resource_id, body, created_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'refund.paid', 'ref_1', '{"a":1}', ${moment} from ${series}`,
  webhook_recoveries: (mark, moment, series) =>
    `insert into webhook_recoveries (id, account_id, environment, endpoint_id, since, until, created_at, completed_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'we_1', ${moment}, ${moment}, ${moment}, ${moment} from ${series}`,
  request_logs: (mark, moment, series) =>
    `insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_fields,
       source, is_replay, duration_ms, created_at)
     select '${mark}' || n, 'acct_1', 'sandbox', 'x' || n, 'GET', '/v1/payments', '/v1/payments', 200, '{}', 'api',
       false, 5, ${moment} from ${series}`,
}

/** The purges that have a statement here: a table's name, or that of a second purge of a table. */
export const oldRowTables = Object.keys(statements)

/** The table of a purge. */
export const tableOf = (name: string): string => name.split('.')[0] ?? name

/** The statement that adds such rows to a table. */
export function addRows(table: string, { mark, moment, count = 1 }: Rows): string {
  const make = statements[table]
  if (!make) throw new Error(`no rows of ${table} are described`)
  return make(mark, moment, `generate_series(1, ${count}) as n`)
}

/** What a row has lost that is not deleted but erased. */
const content: Record<string, string> = {
  events: "body <> ''",
  'team_invitations.chosen': 'num_nonnulls(password_hash, encrypted_totp_secret) > 0',
  webhook_endpoints: 'num_nonnulls(previous_sealed_secret, previous_secret_until) > 0',
}

/** The query that counts rows with that mark whose content is not purged: an event without its body has none. */
export function contentCountQuery(name: string, mark: string): string {
  const table = tableOf(name)
  const keys: Record<string, string> = {
    rate_windows: 'subject',
    'team_invitations.chosen': 'token_hash',
    login_failures: 'email_hash',
    refresh_tokens: 'hash',
    pending_authenticators: 'user_id',
    paystack_cards: 'token',
    paystack_secrets: 'token',
  }
  const key = keys[name] ?? (table.startsWith('simulated_') ? 'token' : 'id')
  return `select count(*)::int as count from ${table} where ${key} like '${mark}%' and ${content[name] ?? 'true'}`
}
