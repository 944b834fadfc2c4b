import assert from 'node:assert/strict'
import type { EntityData } from '@mikro-orm/core'
import { ApiKey } from '../../db/access/api-key.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { PaymentLink } from '../../db/checkout/payment-link.ts'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { RateWindow } from '../../db/core/rate-window.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { AccountCapability } from '../../db/platform/capability.ts'
import { TimelineItem } from '../../db/sight/timeline-item.ts'
import { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import type { Capability, CapabilityStatus } from '../../domain/platform/capability.ts'
import type { Stack } from './stack.ts'

// Changes of rows that tests need and that no call makes, or not soon enough.

type Parts = Pick<Stack, 'database'>
const em = ({ database }: Parts) => database.orm.em.fork()
const one = async (changed: Promise<number>) => assert.equal(await changed, 1, 'one row is changed')

export const changeAccount = (stack: Parts, id: string, change: EntityData<Account>) =>
  one(em(stack).nativeUpdate(Account, { id }, change))

export const changeKey = (stack: Parts, which: { id: string } | { accountId: string }, change: EntityData<ApiKey>) =>
  one(em(stack).nativeUpdate(ApiKey, which, change))

export const changeSession = (stack: Parts, id: string, change: EntityData<Checkout>) =>
  one(em(stack).nativeUpdate(Checkout, { id }, change))

export const changeDestination = (stack: Parts, id: string, change: EntityData<PayoutDestination>) =>
  one(em(stack).nativeUpdate(PayoutDestination, { id }, change))

export const changeEndpoint = (stack: Parts, id: string, change: EntityData<WebhookEndpoint>) =>
  one(em(stack).nativeUpdate(WebhookEndpoint, { id }, change))

export const changeLink = (stack: Parts, id: string, change: EntityData<PaymentLink>) =>
  one(em(stack).nativeUpdate(PaymentLink, { id }, change))

/** The timeline of a row that a test has made with SQL: the statuses that it has had, its present one last. */
export async function addTimeline(stack: Parts, of: Tenant & { id: string }, statuses: string[]): Promise<void> {
  const { id: resourceId, accountId, environment } = of
  const rows = statuses.map((status, index) => ({
    accountId,
    environment,
    resourceId,
    fromStatus: statuses[index - 1] ?? null,
    status,
    at: new Date(),
    actor: 'system' as const,
    userId: null,
    errorCode: null,
    pollCount: 0,
    eventIds: [],
    ledgerTransactionIds: [],
  }))
  await em(stack).insertMany(TimelineItem, rows)
}

/** Lifts the rate limit of every key. */
export async function liftRateLimits(stack: Parts): Promise<void> {
  await em(stack).nativeUpdate(ApiKey, {}, { rateTier: 'unlimited' })
}

/** Counts calls of a subject in the minute that begins at a moment. */
export async function addCalls(stack: Parts, subject: string, minute: number, hits: number): Promise<void> {
  await em(stack).insert(RateWindow, { subject, windowStart: new Date(minute), hits })
}

/** Adds the row of a capability of an account that has none, without a decision. */
export async function addCapability(
  stack: Parts,
  { accountId, environment }: Tenant,
  capability: Capability,
  status: CapabilityStatus,
): Promise<void> {
  await em(stack).insert(AccountCapability, { accountId, environment, capability, status, updatedAt: new Date() })
}

/** The number of rows; `from` is what follows `from` in a query. */
export async function countRows({ sql }: Pick<Stack, 'sql'>, from: string, params: unknown[] = []): Promise<number> {
  const [row] = await sql<{ count: string }>(`select count(*) from ${from}`, params)
  return Number(row?.count)
}
