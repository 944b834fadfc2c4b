import { Conversion } from '../../db/balance/conversion.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund/refund.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import type { Currency } from '../../domain/currency.ts'
import { isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { type Amount, inUsd } from '../../domain/money.ts'
import type { ActionResource, ActionStanding } from '../../domain/operator-action.ts'

/** A resource on which staff act, as far as every action depends on it. */
export type ActionSubject = Tenant & {
  id: string
  status: string
  stage: ActionStanding['stage']
  onHoldSince: Date | null
  /** What an action decides about, and that in US dollars; null where it is no money. */
  sum: Sum | null
  amountUsd: Amount | null
}

type Sum = { amount: Amount; currency: Currency }

export const standingOf = ({ stage, onHoldSince }: ActionSubject): ActionStanding => ({
  stage,
  isOnHold: onHoldSince !== null,
})

type Stage = ActionStanding['stage']

/**
 * How far a row is by its status: in `unsent` its process is about to give an order to an outsider, in `sent` it may
 * have.
 */
const byStatus =
  (unsent: readonly string[], sent: readonly string[]) =>
  ({ status }: { status: string }): Stage => {
    if (unsent.includes(status)) return 'unsent'
    return sent.includes(status) ? 'sent' : null
  }

/**
 * Staff can say how a dispute ended while its network decides. Before that the network can only be asked, and after the
 * end it can be told what it does not know yet.
 */
function stageOfDispute({ status, railDue }: Dispute): Stage {
  if (status === 'under_review') return 'sent'
  return isDisputeEnded(status) && !railDue ? null : 'undecidable'
}

type Row = Tenant & { id: string; status: string }

type Finder = (em: EntityManager, id: string, options: { lockMode?: number }) => Promise<ActionSubject | null>

/** What finds the subjects of one kind. */
const finder =
  <T extends Row>(kind: {
    entity: new () => T
    stageOf: (row: T) => Stage
    /** Since when staff hold it; null for a kind that cannot be held, too. */
    onHoldSince: (row: T) => Date | null
    sum: (row: T) => Sum | null
  }): Finder =>
  async (em, id, options) => {
    // A row is found by its class, so it is a T: the ORM's types cannot say that of a type parameter.
    const row = (await em.findOne<Row>(kind.entity, { id }, options)) as T | null
    if (!row) return null
    const { accountId, environment, status } = row
    const sum = kind.sum(row)
    return {
      id,
      accountId,
      environment,
      status,
      stage: kind.stageOf(row),
      onHoldSince: kind.onHoldSince(row),
      sum,
      amountUsd: sum && inUsd(sum.amount, sum.currency),
    }
  }

const held = ({ onHoldSince }: { onHoldSince?: Date | null | undefined }): Date | null => onHoldSince ?? null

const neverHeld = (): null => null

const finders: Record<ActionResource, Finder> = {
  payout: finder({
    entity: Payout,
    stageOf: byStatus(['approved'], ['processing']),
    onHoldSince: held,
    sum: ({ sourceAmount: amount, sourceCurrency: currency }) => ({ amount, currency }),
  }),
  refund: finder({
    entity: Refund,
    stageOf: byStatus(['pending'], ['processing']),
    onHoldSince: held,
    sum: ({ requestedAmount: amount, currency }) => ({ amount, currency }),
  }),
  conversion: finder({
    entity: Conversion,
    stageOf: byStatus(['pending'], ['processing']),
    onHoldSince: held,
    sum: ({ fromAmount: amount, fromCurrency: currency }) => ({ amount, currency }),
  }),
  payment: finder({
    entity: Payment,
    stageOf: byStatus([], ['processing']),
    onHoldSince: neverHeld,
    sum: ({ amount, currency }) => ({ amount, currency }),
  }),
  webhook_delivery: finder({
    entity: Delivery,
    stageOf: byStatus([], ['pending']),
    onHoldSince: held,
    sum: () => null,
  }),
  dispute: finder({
    entity: Dispute,
    stageOf: stageOfDispute,
    onHoldSince: neverHeld,
    sum: ({ amount, currency }) => ({ amount, currency }),
  }),
}

/** The resource of an action, of any account and environment; null where there is none. */
export const findSubject = (
  em: EntityManager,
  resource: ActionResource,
  id: string,
  options: { lockMode?: number } = {},
): Promise<ActionSubject | null> => finders[resource](em, id, options)
