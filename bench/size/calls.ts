import { operationIdOf } from '../../api/http/operation-id.ts'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'

/** Whose credential a call has: the merchant's key, or a token of a person or of a customer. */
export type Who = 'key' | 'owner' | 'staff' | 'customer' | 'nobody'

/** A call of the bench. In its path stands `{name}` for what differs between merchants: ids, moments, a cursor. */
export type SizedCall = {
  operation: string
  filter: string
  path: string
  who: Who
  hasOffset: boolean
  hasLimit: boolean
}

/** Reads that the bench leaves out, each with the reason. */
export const leftOut: Record<string, string> = {
  'checkoutSessions.getPublic': 'one row, by a secret of which only the hash is stored',
  'invitation.get': 'one row, by a token of which only the hash is stored',
  'onboarding.get': 'one row, by a token of which only the hash is stored',
  'accounts.persons.get': 'one row by its id, of a handful of each account',
  'accounts.capabilities.get': 'one row by its key, of a handful of each account',
  'conversions.quotes.get': 'one row by its id; unused ones are deleted after a day',
  'disputes.documents.list': 'those of one dispute',
  'disputes.documents.get': 'one row by its id',
  'team.invitations.get': 'one row by its id',
  'webhooks.recoveries.get': 'one row by its id; kept for 90 days',
  'webhooks.configuration.get': 'one endpoint; the database has none that was configured this way',
  'webhooks.endpoints.getSecret': 'one row by its id; its secret is not real here',
  'customerPortal.subscriptions.plans.list': 'the plans of one group',
  'testHelpers.emails.list':
    'reads what is encrypted, which is not real here; test/http/list-plans.test.ts reads its plan',
  'payments.getReceipt': 'draws a PDF; it reads what payments.get reads',
  'invoices.getPdf': 'draws a PDF; it reads what invoices.get reads',
  'invoices.getPublicPdf': 'draws a PDF; it reads what invoices.getPublic reads',
}

/** Values of filters that are not words of a list. A name in braces is found out for each merchant. */
const values: Record<string, readonly string[]> = {
  account_id: ['{connected_id}'],
  acting_for: ['{connected_id}'],
  action: ['api_key.revoke', 'auth.login'],
  after: [],
  api_key_id: ['key_1'],
  at: ['{moment}'],
  before: ['{moment_ahead}'],
  charge_id: ['{refunded_id}'],
  checkout_id: ['{checkout_id}'],
  claimed_by: ['{reviewer_id}'],
  country: ['NG', 'GH'],
  created_after: ['{moment}', '{recent_moment}'],
  created_before: ['{moment}'],
  currency: ['NGN', 'USD'],
  customer_id: ['{customer_id}'],
  destination: ['{connected_id}'],
  error_code: ['NOT_FOUND'],
  from: ['{moment}'],
  late: ['true', 'false'],
  method: ['GET', 'POST'],
  older_than: ['3600'],
  overdue_by: ['300'],
  path: ['/v1/payments'],
  payment_id: ['{payment_id}'],
  payment_link_id: ['{payment_link_id}'],
  product_id: ['{product_id}'],
  reference: ['{reference}'],
  request_id: ['call-7'],
  resource_id: ['{payment_id}'],
  search: ['zara-', 'xu', 'buyer-77'],
  source_id: ['{payment_id}'],
  subscription_id: ['{subscription_id}'],
  target: ['{user_id}'],
  until: ['{moment}'],
  user: ['{user_id}'],
}
/** Filters of one list, where the name means something else there. */
const valuesOfOne: Record<string, readonly string[]> = {
  'requestLogs.list created_after': ['{recent_moment}'],
  'requestLogs.list created_before': ['{recent_moment}'],
  'requestLogs.list status': ['404', '4xx', '200'],
  'webhooks.events.list type': ['collection.succeeded', 'payout.failed', 'dispute.won'],
  'webhooks.endpoints.deliveries.list type': ['collection.succeeded', 'payout.failed', 'dispute.won'],
  'staff.stuck.list older_than': [],
  'staff.stuck.list overdue_by': [],
  'reference.banks.list currency': ['NGN'],
  'payments.getReceipt locale': [],
}
/** What the offset of the middle page is; it is found out by the total. */
const paging = new Set(['limit', 'offset', 'cursor'])

type Schema = { enum?: unknown[]; type?: string; anyOf?: { const?: unknown; enum?: unknown[] }[]; items?: Schema }

/** The values with which a filter is called: each word of a list of words, both of a choice, else those above. */
export function valuesOf(operation: Operation, name: string): readonly string[] {
  const id = operationIdOf(operation)
  const given = valuesOfOne[`${id} ${name}`]
  if (given) return given
  const schema = propertiesOf(operation)[name] as Schema
  if (schema.enum) return schema.enum.map(String)
  if (schema.type === 'boolean') return ['true', 'false']
  const listed = values[name]
  if (!listed) throw new Error(`bench/size/calls.ts has no value for the filter ${name} of ${id}`)
  return listed
}

const propertiesOf = ({ query }: Operation): Record<string, unknown> =>
  (query as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}

export const filtersOf = (operation: Operation): string[] =>
  Object.keys(propertiesOf(operation)).filter((name) => !paging.has(name))

function whoCalls({ auth, forStaff }: Operation): Who {
  if (auth.includes('apiKey')) return 'key'
  if (auth.includes('customerToken')) return 'customer'
  if (auth.includes('user')) return forStaff ? 'staff' : 'owner'
  return 'nobody'
}

/** Every read of the API that the bench calls: plain, with each filter, and a page from the middle of each list. */
export const sizedCalls: readonly SizedCall[] = operations
  .filter(({ method, returnsStream }) => method === 'get' && !returnsStream)
  .filter((operation) => !(operationIdOf(operation) in leftOut))
  .flatMap((operation) => {
    const id = operationIdOf(operation)
    const names = Object.keys(propertiesOf(operation))
    const call = (filter: string, query: string): SizedCall => ({
      operation: id,
      filter,
      path: operation.path + (query && `?${query}`),
      who: whoCalls(operation),
      hasOffset: names.includes('offset'),
      hasLimit: names.includes('limit'),
    })
    const filtered = filtersOf(operation).flatMap((name) =>
      valuesOf(operation, name).map((value) => call(`${name}=${value}`, `${name}=${value}`)),
    )
    const isPaged = names.includes('cursor') || names.includes('offset')
    const place = names.includes('cursor') ? 'cursor={middle}' : 'offset={half}'
    const isWhole = (operation.query?.required ?? []).length === 0
    return [
      ...(isWhole ? [call('', '')] : []),
      ...filtered,
      ...(isPaged ? [call('a page from the middle', place)] : []),
    ]
  })
