import { Conversion } from '../../db/balance/conversion.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import { type Amount, inUsd } from '../../domain/money.ts'
import type { ActionResource } from '../../domain/operator-action.ts'

/** A resource on which staff act, as far as every action depends on it. */
export type ActionSubject = Tenant & {
  id: string
  status: string
  /** Whether an outsider may have the order: `unsent` where it has certainly not; null where nothing is awaited. */
  stage: 'unsent' | 'sent' | null
  onHoldSince: Date | null
  /** What an action decides about, in US dollars; null where it is no money. */
  amountUsd: Amount | null
}

type Kind<T extends object = never> = {
  entity: new () => T
  /** The statuses in which its process is about to give an order to an outsider, and in which it may have. */
  unsent: readonly string[]
  sent: readonly string[]
  amountUsd: (row: T) => Amount | null
}

const kind = <T extends Tenant & { id: string; status: string }>(of: Kind<T>): Kind => of as unknown as Kind

const kinds: Record<ActionResource, Kind> = {
  payout: kind<Payout>({
    entity: Payout,
    unsent: ['approved'],
    sent: ['processing'],
    amountUsd: ({ sourceAmount, sourceCurrency }) => inUsd(sourceAmount, sourceCurrency),
  }),
  refund: kind<Refund>({
    entity: Refund,
    unsent: ['pending'],
    sent: ['processing'],
    amountUsd: ({ requestedAmount, currency }) => inUsd(requestedAmount, currency),
  }),
  conversion: kind<Conversion>({
    entity: Conversion,
    unsent: ['pending'],
    sent: ['processing'],
    amountUsd: ({ fromAmount, fromCurrency }) => inUsd(fromAmount, fromCurrency),
  }),
  payment: kind<Payment>({
    entity: Payment,
    unsent: [],
    sent: ['processing'],
    amountUsd: ({ amount, currency }) => inUsd(amount, currency),
  }),
  webhook_delivery: kind<Delivery>({
    entity: Delivery,
    unsent: [],
    sent: ['pending'],
    amountUsd: () => null,
  }),
}

/** The resource of an action, of any account and environment; null where there is none. */
export async function findSubject(
  em: EntityManager,
  resource: ActionResource,
  id: string,
  options: { lockMode?: number } = {},
): Promise<ActionSubject | null> {
  const { entity, unsent, sent, amountUsd } = kinds[resource] as unknown as Kind<Payout>
  const row = await em.findOne(entity, { id }, options)
  if (!row) return null
  const { accountId, environment, status, onHoldSince = null } = row
  return {
    id,
    accountId,
    environment,
    status,
    stage: unsent.includes(status) ? 'unsent' : sent.includes(status) ? 'sent' : null,
    onHoldSince,
    amountUsd: amountUsd(row),
  }
}
