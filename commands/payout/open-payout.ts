import { aboutPayout } from '../../domain/payout/process.ts'
import { newId } from '../../domain/id.ts'
import { negate } from '../../domain/money.ts'
import { isUsable } from '../../domain/payout/destination.ts'
import { totalDebitOf, type PayoutRequest, termsOf } from '../../domain/payout/terms.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { useQuote } from '../../db/balance/conversion-quote.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { post, postingIn } from '../../db/ledger/ledger.ts'
import { Payout } from '../../db/payout/payout.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { startProcess } from '../../db/core/start-process.ts'

/**
 * What the caller sends. The destination, the quote and the account's balance decide whether the payout is possible.
 */
export type NewPayout = Pick<PayoutRequest, 'amount' | 'sourceCurrency'> &
  Partial<Pick<Payout, 'id' | 'scheduleId'>> &
  Pick<Payout, 'destinationId' | 'quoteId' | 'reference' | 'description' | 'metadata' | 'simulatedOutcome'>

/**
 * Opens a payout: uses its quote, reserves amount and fee, and starts the process by way of the outbox. Refused when
 * the destination, the rules or the balance do not allow it. The caller records `payout.created`.
 */
export async function openPayout(em: EntityManager, owner: Tenant, request: NewPayout, at: number): Promise<Payout> {
  const { accountId, environment } = owner
  const { amount, sourceCurrency, destinationId, quoteId, ...rest } = request
  const destination = await usableDestination(em, owner, destinationId)
  const quote = quoteId === null ? null : await useQuote(em, owner, quoteId, at)
  const terms = termsOf(destination, { amount, quote, sourceCurrency })
  const payout = em.create(Payout, {
    accountId,
    environment,
    ...terms,
    id: newId('pay', at),
    scheduleId: null,
    ...rest,
    destinationId,
    quoteId,
    status: 'requested' as const,
    destinationType: destination.type,
    destinationRevision: destination.routingRevision,
    heldAgain: 0,
    holdReason: null,
    failureReason: null,
    traceId: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
    submittedAt: null,
    returnedAt: null,
    completedAt: null,
  })
  const held = totalDebitOf(terms)
  const { sourceCurrency: currency } = terms
  const postings = [postingIn(currency, 'merchant', negate(held)), postingIn(currency, 'reserved', held)]
  startProcess(em, 'payout', payout.id, aboutPayout(payout, 'rail'))
  await post(em, { kind: 'payout_hold', sourceId: payout.id, owner: payout, postings }, at)
  return payout
}

/** An account's own destination, if money may go there now. */
export async function usableDestination(em: EntityManager, owner: Tenant, id: string): Promise<PayoutDestination> {
  const { accountId, environment } = owner
  const destination = await em.findOne(PayoutDestination, { id, accountId, environment })
  if (!destination) throw new Refusal('NOT_FOUND', 'no such destination')
  if (isUsable(destination)) return destination
  const { status, deactivatedAt } = destination
  const next = status === 'rejected' ? 'register another one' : 'wait until its status is approved, or use another one'
  const stands = deactivatedAt ? 'was deactivated: use another one' : `is ${status}: ${next}`
  throw new Refusal('DESTINATION_NOT_USABLE', `the destination ${stands}`)
}
