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

type Kind<T extends object = never> = {
  entity: new () => T
  stageOf: (row: T) => Stage
  sum: (row: T) => Sum | null
}

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

/** A kind among others: its functions are only given rows of its own entity, which a list of kinds cannot say. */
const kind = <T extends Tenant & { id: string; status: string }>(of: Kind<T>): Kind => of as unknown as Kind

const kinds: Record<ActionResource, Kind> = {
  payout: kind<Payout>({
    entity: Payout,
    stageOf: byStatus(['approved'], ['processing']),
    sum: ({ sourceAmount: amount, sourceCurrency: currency }) => ({ amount, currency }),
  }),
  refund: kind<Refund>({
    entity: Refund,
    stageOf: byStatus(['pending'], ['processing']),
    sum: ({ requestedAmount: amount, currency }) => ({ amount, currency }),
  }),
  conversion: kind<Conversion>({
    entity: Conversion,
    stageOf: byStatus(['pending'], ['processing']),
    sum: ({ fromAmount: amount, fromCurrency: currency }) => ({ amount, currency }),
  }),
  payment: kind<Payment>({
    entity: Payment,
    stageOf: byStatus([], ['processing']),
    sum: ({ amount, currency }) => ({ amount, currency }),
  }),
  webhook_delivery: kind<Delivery>({
    entity: Delivery,
    stageOf: byStatus([], ['pending']),
    sum: () => null,
  }),
  dispute: kind<Dispute>({
    entity: Dispute,
    stageOf: stageOfDispute,
    sum: ({ amount, currency }) => ({ amount, currency }),
  }),
}

/** The resource of an action, of any account and environment; null where there is none. */
export async function findSubject(
  em: EntityManager,
  resource: ActionResource,
  id: string,
  options: { lockMode?: number } = {},
): Promise<ActionSubject | null> {
  // As if it were a payout: of each kind only what all have in common is read here.
  const { entity, stageOf, sum: sumOf } = kinds[resource] as unknown as Kind<Payout>
  const row = await em.findOne(entity, { id }, options)
  if (!row) return null
  const { accountId, environment, status, onHoldSince = null } = row
  const sum = sumOf(row)
  return {
    id,
    accountId,
    environment,
    status,
    stage: stageOf(row),
    onHoldSince,
    sum,
    amountUsd: sum && inUsd(sum.amount, sum.currency),
  }
}
