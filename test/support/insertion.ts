import { feePreferenceOf } from '../../db/checkout/settings.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Account } from '../../db/core/account.ts'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import type { Guard } from '../../db/core/insert-form.ts'
import { startProcess } from '../../db/core/start-process.ts'

const at = new Date(Date.UTC(2026, 10, 21, 12, 0, 0, 7))

/** A session with every kind of column: money, JSON, moments, lists, and a setting of the account. */
export async function sell(em: EntityManager, id: string, description = 'It’s a “sale”, ?, $1'): Promise<string> {
  em.create(Checkout, {
    id,
    accountId: 'acct_1',
    environment: 'sandbox',
    sourceType: 'CHECKOUT_SESSION',
    amount: '0.10',
    currency: 'USD',
    description,
    reference: null,
    feePreference: feePreferenceOf({
      accountId: 'acct_1',
      environment: 'sandbox',
    }),
    clientSecretHash: '0'.repeat(64),
    methodOptions: { USD_CARD: { currencies: ['USD', 'EUR'] } } as never,
    customerId: null,
    customerDetails: null,
    successUrl: 'https://example.com',
    cancelUrl: null,
    locale: null,
    lineItems: null,
    selection: null,
    platformFee: '0.01',
    transferAmount: null,
    transferDestination: null,
    metadata: { order: '7 ? $2' },
    requestId: null,
    paymentId: null,
    corridor: null,
    lastFailureCode: null,
    listensUntil: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(at.getTime() + 60_000),
    completedAt: null,
  })
  const about = { accountId: 'acct_1', environment: 'sandbox', status: 'open', waitingOn: 'buyer', summary: '25 USD' }
  startProcess(em, 'checkout', id, about)
  return id
}

/** A guard that nothing else has. */
export const key = (hash: string): Guard => ({
  table: 'idempotency_records',
  cells: [
    { column: 'id', sql: '?::varchar', values: [hash] },
    { column: 'body_hash', sql: '?::varchar', values: [hash] },
    { column: 'expires_at', sql: '?::timestamptz', values: [at] },
  ],
  conflict: 'on conflict do nothing',
})

/** The account of the sessions, whose buyers pay the fee. */
export const addShop = (database: Database): Promise<void> =>
  inTransaction(database, async (em) => {
    const account = { name: 'A shop', feePreference: 'customer_pays', createdAt: new Date(0) } as const
    em.create(Account, { id: 'acct_1', ...account })
  })
