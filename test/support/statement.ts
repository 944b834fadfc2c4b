import assert from 'node:assert/strict'
import type { Database } from '../../db/core/database.ts'
import type { ProviderName } from '../../domain/rail-provider.ts'
import { openStatement } from '../../rails/open-statement.ts'
import type { ProviderAccess } from '../../rails/providers.ts'
import { compareDay } from '../../scripts/reconcile/compare-day.ts'

const dayMs = 86_400_000

/** Fails unless a provider's own list and our books agree about everything that has moved, and something has. */
export async function assertBooksAgree(
  database: Database,
  provider: ProviderName,
  access: Partial<ProviderAccess>,
): Promise<void> {
  const opened = openStatement(provider, { stripe: null, paystack: null, ...access }, database)
  assert.ok(opened)
  try {
    // The time of the processes may have been skipped far ahead.
    const span = { from: Date.now() - dayMs, to: Date.now() + 400 * dayMs }
    const { differences, totals } = await compareDay(database, opened.statement, span)
    assert.deepEqual(differences, [])
    assert.ok(totals.length > 0)
    for (const { theirs, ours } of totals) assert.deepEqual(theirs, ours)
  } finally {
    await opened.close()
  }
}
