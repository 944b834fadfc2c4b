import { Conversion } from '../../db/balance/conversion.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import type { Currency } from '../../domain/currency.ts'
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

type Kind<T extends object = never> = {
  entity: new () => T
  /** The statuses in which its process is about to give an order to an outsider, and in which it may have. */
  unsent: readonly string[]
  sent: readonly string[]
  sum: (row: T) => Sum | null
}

const kind = <T extends Tenant & { id: string; status: string }>(of: Kind<T>): Kind => of as unknown as Kind

const kinds: Record<ActionResource, Kind> = {
  payout: kind<Payout>({
    entity: Payout,
    unsent: ['approved'],
    sent: ['processing'],
    sum: ({ sourceAmount: amount, sourceCurrency: currency }) => ({ amount, currency }),
  }),
  refund: kind<Refund>({
    entity: Refund,
    unsent: ['pending'],
    sent: ['processing'],
    sum: ({ requestedAmount: amount, currency }) => ({ amount, currency }),
  }),
  conversion: kind<Conversion>({
    entity: Conversion,
    unsent: ['pending'],
    sent: ['processing'],
    sum: ({ fromAmount: amount, fromCurrency: currency }) => ({ amount, currency }),
  }),
  payment: kind<Payment>({
    entity: Payment,
    unsent: [],
    sent: ['processing'],
    sum: ({ amount, currency }) => ({ amount, currency }),
  }),
  webhook_delivery: kind<Delivery>({
    entity: Delivery,
    unsent: [],
    sent: ['pending'],
    sum: () => null,
  }),
}

/** The resource of an action, of any account and environment; null where there is none. */
export async function findSubject(
  em: EntityManager,
  resource: ActionResource,
  id: string,
  options: { lockMode?: number } = {},
): Promise<ActionSubject | null> {
  const { entity, unsent, sent, sum: sumOf } = kinds[resource] as unknown as Kind<Payout>
  const row = await em.findOne(entity, { id }, options)
  if (!row) return null
  const { accountId, environment, status, onHoldSince = null } = row
  const sum = sumOf(row)
  return {
    id,
    accountId,
    environment,
    status,
    stage: unsent.includes(status) ? 'unsent' : sent.includes(status) ? 'sent' : null,
    onHoldSince,
    sum,
    amountUsd: sum && inUsd(sum.amount, sum.currency),
  }
}
