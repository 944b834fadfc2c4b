import type { Database } from '../db/core/database.ts'
import type { ProviderName } from '../domain/rail-provider.ts'
import { openPaystack, openStripe } from './open-for-tool.ts'
import { createPaystackStatement } from './paystack/statement.ts'
import type { ProviderAccess } from './providers.ts'
import type { Statement } from './statement.ts'
import { createStripeStatement } from './stripe/statement.ts'

/** Long lists take longer than an order: nobody waits for the answer. */
const timeoutMs = 30_000

type Opened = { statement: Statement; close: () => Promise<void> }

/** A provider's statement; null where the provider is not configured. `pause` waits; another one only in tests. */
export function openStatement(
  provider: ProviderName,
  access: ProviderAccess,
  database: Database,
  pause?: (ms: number) => Promise<unknown>,
): Opened | null {
  const needs = { database, ...(pause && { pause }) }
  if (provider === 'stripe') {
    if (!access.stripe) return null
    const { api, close } = openStripe(access.stripe, timeoutMs)
    return { statement: createStripeStatement({ ...needs, api, livemode: access.stripe.livemode }), close }
  }
  if (!access.paystack) return null
  const api = openPaystack(access.paystack, timeoutMs)
  return { statement: createPaystackStatement({ ...needs, api }), close: () => api.close() }
}
