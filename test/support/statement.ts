import assert from 'node:assert/strict'
import type { Database } from '../../db/core/database.ts'
import type { Comparison } from '../../domain/reconciliation.ts'
import type { ProviderName } from '../../domain/rail-provider.ts'
import { openStatement } from '../../rails/open-statement.ts'
import type { ProviderAccess } from '../../rails/providers.ts'
import { compareDay } from '../../scripts/reconcile/compare-day.ts'

const dayMs = 86_400_000

/** Compares a provider's own list with our books, about everything that has moved. */
export async function compareBooks(
  database: Database,
  provider: ProviderName,
  access: Partial<ProviderAccess>,
): Promise<Comparison> {
  const opened = openStatement(provider, { stripe: null, paystack: null, ...access }, database)
  assert.ok(opened)
  try {
    // The time of the processes may have been skipped far ahead.
    const span = { from: Date.now() - dayMs, to: Date.now() + 400 * dayMs }
    return await compareDay(database, opened.statement, span)
  } finally {
    await opened.close()
  }
}

/** Fails unless a provider's own list and our books agree about everything that has moved, and something has. */
export async function assertBooksAgree(...about: Parameters<typeof compareBooks>): Promise<void> {
  const { differences, totals } = await compareBooks(...about)
  assert.deepEqual(differences, [])
  assert.ok(totals.length > 0)
  for (const { theirs, ours } of totals) assert.deepEqual(theirs, ours)
}
