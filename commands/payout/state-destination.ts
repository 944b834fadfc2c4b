import { aboutDestination } from '../../domain/payout/process.ts'
import { moveDestination, sandboxDecision } from '../../domain/payout/destination.ts'
import {
  accountIdentifierOf,
  isRerouted,
  isRoutingRestated,
  isStatedAnew,
  type Routing,
} from '../../domain/payout/routing.ts'
import { revise, reviseRouting } from '../../domain/revision.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { openReview, withdrawReview } from '../review.ts'
import { subjectOfDestination } from './review-subject.ts'
import { columnsOf, lockDefaults, PayoutDestination, routingOf } from '../../db/payout/destination.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { signalProcess, startProcess } from '../../db/core/start-process.ts'
import type { SignalOf } from '../../domain/processes.ts'

/** A routing, and whom its bank has named as the holder of the account; null where it has named nobody. */
export type Statement = { routing: Routing; holderAtBank: string | null }

type NewDestination = Pick<PayoutDestination, 'id' | 'name' | 'isDefault' | 'metadata'> & Statement

/** Registers a destination of an account, puts it into the review queue and starts its process by way of the outbox. */
export async function registerDestination(em: EntityManager, owner: Tenant, request: NewDestination, at: number) {
  const { id, name, isDefault, metadata, routing, holderAtBank } = request
  const { accountId, environment } = owner
  if (isDefault) await lockDefaults(em, owner)
  const destination = em.create(PayoutDestination, {
    accountId,
    environment,
    name,
    metadata,
    ...columnsOf(routing),
    holderAtBank,
    id,
    status: 'pending_review',
    revision: 1,
    routingRevision: 1,
    statusReason: null,
    reviewedAt: null,
    deactivatedAt: null,
    isDefault: false,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
  if (isDefault) await makeDefault(em, destination, at)
  openReview(em, { ...subjectOf(destination, at), reason: 'a new payout destination' }, at)
  startProcess(em, 'payout-destination', destination.id, aboutDestination(destination))
  return destination
}

/**
 * Changes where a locked destination's money goes. True when the change sends it back to the reviewers. While it is in
 * review, any other change of the routing begins the review anew too: a decision is only about what its reviewer has
 * seen. Then an open review is withdrawn, and the destination's process is signalled, or started again if it has ended.
 * On a test clock its reviews go by the clock.
 */
export async function restateDestination(
  em: EntityManager,
  destination: PayoutDestination,
  { routing, holderAtBank }: Statement,
  now: number,
): Promise<boolean> {
  const at = await timeOf(em, destination, now)
  const before = routingOf(destination)
  Object.assign(destination, columnsOf(routing), { holderAtBank })
  if (before.currency !== routing.currency) destination.isDefault = false // it was the default of the other currency
  if (isRoutingRestated(before, routing)) reviseRouting(destination)
  const isSentBack = isRerouted(before, routing)
  const isBegunAnew = destination.status === 'pending_review' && isStatedAnew(before, routing)
  if (!isSentBack && !isBegunAnew) return false
  await withdrawReview(em, subjectOfDestination(destination), at)
  moveDestination(destination, 'pending_review')
  revise(destination)
  Object.assign(destination, { statusReason: null, reviewedAt: null })
  openReview(em, { ...subjectOf(destination, at), reason: 'the routing of a payout destination has changed' }, at)
  signalDestination(em, destination, 'restated')
  return isSentBack
}

/** What is reviewed of a destination that is stated at this moment, and when the sandbox decides about it. */
function subjectOf(destination: PayoutDestination, at: number) {
  const { accountId, environment } = destination
  const number = accountIdentifierOf(routingOf(destination))
  const own = environment === 'sandbox' ? sandboxDecision(number, at) : null
  return { accountId, environment, ...subjectOfDestination(destination), decidesAt: own?.at ?? null }
}

/** Takes a locked destination out of use, for good. */
export async function deactivateDestination(em: EntityManager, destination: PayoutDestination, now: number) {
  if (destination.deactivatedAt) return
  const at = await timeOf(em, destination, now)
  Object.assign(destination, { isDefault: false, deactivatedAt: new Date(at), updatedAt: new Date(at) })
  if (destination.status !== 'pending_review') return
  await withdrawReview(em, subjectOfDestination(destination), at)
  signalDestination(em, destination, 'deactivated')
}

/** Makes a destination the default of its currency, in place of the previous one. `em` holds `lockDefaults`. */
export async function makeDefault(em: EntityManager, destination: PayoutDestination, at: number): Promise<void> {
  const { id, accountId, environment, currency } = destination
  // The previous default is cleared in an earlier SQL statement, because the database allows only one default.
  const previous = { accountId, environment, currency, isDefault: true, id: { $ne: id } }
  await em.nativeUpdate(PayoutDestination, previous, { isDefault: false, updatedAt: new Date(at) })
  destination.isDefault = true
}

const signalDestination = (em: EntityManager, destination: PayoutDestination, news: SignalOf<'payout-destination'>) =>
  signalProcess(em, 'payout-destination', destination.id, aboutDestination(destination), news)
