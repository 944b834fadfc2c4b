import type { createEncrypter } from '../../db/core/encryption.ts'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { newKey } from '../../db/access/api-key.ts'
import { ApiKey } from '../../db/access/api-key.ts'
import { LoginSession } from '../../db/access/login.ts'
import type { Role } from '../../domain/access/role.ts'
import { scopes } from '../../domain/access/scope.ts'
import { User } from '../../db/access/user.ts'
import { hashToken } from '../../db/core/token-hash.ts'
import type { Database } from '../../db/core/database.ts'
import { CustomerSession } from '../../db/subscription/customer-session.ts'
import { dayMs } from '../../domain/duration.ts'
import { newId } from '../../domain/id.ts'
import type { SizedCall, Who } from './calls.ts'

export type Secrets = { keyPepper: Buffer; encrypter: ReturnType<typeof createEncrypter> }

/** A merchant of a filled database, with credentials of each kind and with what the paths of calls need of them. */
export type SizedMerchant = {
  accountId: string
  /** The one key of it that is in force. */
  apiKey: string
  headersOf(who: Who): Promise<Record<string, string>>
  /** A path in which each name in braces is replaced by what this merchant has. */
  pathOf(call: SizedCall): string
  values: Map<string, string>
}

/** The id of a row in the middle of those that a merchant has, by the name of the parameter that takes it. */
const middleRows: Record<string, { table: string; column?: string; condition?: string; owner?: string }> = {
  checkout_id: { table: 'checkouts', condition: "status = 'completed'" },
  payment_id: { table: 'payments', condition: "status = 'succeeded'" },
  reference: { table: 'payments', column: 'reference' },
  customer_id: { table: 'subscriptions', column: 'customer_id' },
  product_id: { table: 'products' },
  product_group_id: { table: 'product_groups' },
  payment_link_id: { table: 'payment_links' },
  slug: { table: 'payment_links', column: 'slug' },
  refund_id: { table: 'refunds' },
  refunded_id: { table: 'refunds', column: 'charge_id' },
  charge_id: { table: 'refunds', column: 'charge_id' },
  dispute_id: { table: 'disputes' },
  subscription_id: { table: 'subscriptions' },
  invoice_id: { table: 'invoices' },
  page_key: { table: 'invoices', column: 'page_key' },
  destination_id: { table: 'payout_destinations' },
  payout_id: { table: 'payouts' },
  conversion_id: { table: 'conversions' },
  transfer_id: { table: 'transfers', condition: "kind = 'transfer'" },
  platform_fee_id: { table: 'transfers', condition: "kind = 'platform_fee'" },
  account_id: { table: 'accounts', owner: 'owner_id' },
  connected_id: { table: 'transfers', column: 'to_account_id' },
  virtual_account_id: { table: 'virtual_accounts' },
  endpoint_id: { table: 'webhook_endpoints' },
  delivery_id: { table: 'deliveries' },
  event_id: { table: 'events' },
  request_id: { table: 'request_logs' },
  clock_id: { table: 'test_clocks' },
}

const otherValues = [
  'moment',
  'recent_moment',
  'moment_ahead',
  'user_id',
  'reviewer_id',
  'resource_id',
  'middle',
  'half',
]
/** Every name that may stand in braces in the path of a call. `capability` is a word of the API. */
export const knownValues: readonly string[] = [...Object.keys(middleRows), ...otherValues]

/** Makes credentials for a merchant, and finds out what the calls need of it. */
export async function openMerchant(database: Database, accountId: string, secrets: Secrets): Promise<SizedMerchant> {
  const now = Date.now()
  const createdAt = new Date(now)
  const em = database.orm.em.fork()
  await em.execute('update api_keys set is_active = false where account_id = ?', [accountId])
  const { key, row } = newKey(secrets.keyPepper, { accountId, environment: 'sandbox', name: 'Bench', scopes }, now)
  await em.insert(ApiKey, { ...row, rateTier: 'unlimited' })
  const tokens = createAccessTokens(database, secrets.encrypter)
  const addPerson = async (role: Role) => {
    const [userId, sessionId] = [newId('usr', now), newId('ses', now)]
    await em.insert(User, {
      id: userId,
      role,
      accountId: role === 'reviewer' ? null : accountId,
      createdAt,
      email: `${userId}@example.com`,
      fullName: 'A person of the bench',
      passwordHash: 'none',
      emailVerified: true,
      encryptedTotpSecret: null,
      lastTotpStep: null,
    })
    await em.insert(LoginSession, { id: sessionId, userId, createdAt, endedAt: null })
    return { userId, sessionId }
  }
  const owner = await addPerson('owner')
  const reviewer = await addPerson('reviewer')
  const people = {
    owner: rotate(owner, () => addPerson('owner')),
    staff: rotate(reviewer, () => addPerson('reviewer')),
  }

  const values = new Map<string, string>([
    ['moment', new Date(now - 40 * dayMs).toISOString()],
    ['recent_moment', new Date(now - dayMs).toISOString()],
    ['moment_ahead', new Date(now + 2 * dayMs).toISOString()],
    ['user_id', owner.userId],
    ['reviewer_id', reviewer.userId],
    ['account_id', accountId],
  ])
  for (const [name, { table, column = 'id', condition = 'true', owner: by = 'account_id' }] of Object.entries(
    middleRows,
  )) {
    const own = `from ${table} where ${by} = ? and ${condition}`
    const found = await em.execute<{ value: string }[]>(
      `select ${column} as value ${own} order by id limit 1 offset (select count(*) / 2 ${own})`,
      [accountId, accountId],
    )
    if (found[0]) values.set(name, found[0].value)
  }
  values.set('resource_id', values.get('payment_id') ?? '')

  const customerId = values.get('customer_id') ?? ''
  const openPortal = async (): Promise<string> => {
    const id = newId('cs', now)
    const token = `${id}_secret_${'t'.repeat(32)}`
    await em.insert(CustomerSession, {
      id,
      accountId,
      environment: 'sandbox',
      customerId,
      tokenHash: hashToken(token),
      returnUrl: 'https://example.com',
      flow: null,
      createdAt,
      expiresAt: new Date(now + dayMs),
    })
    return token
  }
  const customers = rotate(await openPortal(), openPortal)

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const credentials: Record<Who, () => Promise<Record<string, string>>> = {
    key: async () => bearer(key),
    owner: async () => bearer(await tokens.sign(await people.owner(), Date.now())),
    staff: async () => bearer(await tokens.sign(await people.staff(), Date.now())),
    customer: async () => bearer(await customers()),
    nobody: async () => ({}),
  }
  return {
    accountId,
    apiKey: key,
    values,
    headersOf: (who) => credentials[who](),
    pathOf: ({ path }) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? `no-${name}`)),
  }
}

/** A person may make a hundred calls a minute, and a customer a few more: after eighty another one goes on. */
function rotate<T>(first: T, next: () => Promise<T>): () => Promise<T> {
  let person = first
  let calls = 0
  return async () => {
    calls += 1
    if (calls % 80 === 0) person = await next()
    return person
  }
}
