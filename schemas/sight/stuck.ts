import Type, { type Static } from 'typebox'
import { environments } from '../../domain/access/scope.ts'
import type { PayoutDestination } from '../../db/payout/destination.ts'
import type { StuckSubject, StuckWait } from '../../db/sight/stuck.ts'
import { lastFourOf, type PayoutCurrency } from '../../domain/payout/destination.ts'
import { formatPaid } from '../../domain/payout/terms.ts'
import { processId } from '../../domain/processes.ts'
import {
  type StuckResource,
  stuckResources,
  waitingOns,
  type WaitingProcess,
  waitingProcesses,
  wakeReasons,
} from '../../domain/sight/agenda.ts'
import { helpFor, isNews } from '../../domain/sight/stuck-help.ts'
import { id, iso, isoOrNull, Money, nullable, PayoutCurrencyCode, Timestamp } from '../common.ts'

/** The process that works for a resource of this kind. */
const processes: Record<StuckResource, WaitingProcess> = { ...waitingProcesses, deposit: 'deposit' }

const StuckDestination = Type.Object(
  {
    id: id('pd'),
    name: Type.String(),
    account_holder: nullable(Type.String()),
    holder_at_bank: nullable(Type.String()),
    last_four: nullable(Type.String()),
  },
  { description: 'The destination of a payout, or the destination itself; null for other resources.' },
)

export const Stuck = Type.Object(
  {
    resource: Type.Enum([...stuckResources]),
    id: Type.String(),
    account_id: Type.String(),
    account_name: nullable(Type.String()),
    environment: Type.Enum([...environments]),
    status: Type.String(),
    amount: nullable(Money),
    currency: nullable(PayoutCurrencyCode),
    waiting_on: Type.Enum([...waitingOns]),
    reason: Type.Enum([...wakeReasons], { description: 'What happens at `wakes_at`.' }),
    since: Timestamp,
    wakes_at: nullable(Timestamp),
    overdue_ms: nullable(
      Type.Integer({ description: 'For how long `wakes_at` has passed; null where it is not overdue.' }),
    ),
    trace_id: nullable(Type.String()),
    process_id: Type.String(),
    proposed_action: nullable(Type.String()),
    helps: Type.String({ description: 'What staff can do about it.' }),
    destination: nullable(StuckDestination),
  },
  { $id: 'StuckResource' },
)

export const presentStuck = (
  wait: StuckWait,
  subject: StuckSubject,
  to: PayoutDestination | null,
  accountName: string | null,
): Static<typeof Stuck> => ({
  resource: wait.resource,
  id: wait.id,
  account_id: wait.accountId,
  account_name: accountName,
  environment: wait.environment,
  status: subject.status,
  ...sumOf(subject),
  waiting_on: wait.waitingOn,
  reason: wait.reason,
  since: iso(wait.since),
  wakes_at: isoOrNull(wait.wakesAt),
  overdue_ms: wait.overdueMs,
  trace_id: subject.traceId,
  process_id: processId(subject.process ?? processes[wait.resource], subject.processOf),
  proposed_action: subject.proposed,
  helps: helpFor(wait.resource, wait.reason, wait.overdueMs !== null, { ofNews: isNews(wait), status: subject.status }),
  destination: to && presentStuckDestination(to),
})

const presentStuckDestination = (to: PayoutDestination): Static<typeof StuckDestination> => ({
  id: to.id,
  name: to.name,
  account_holder: to.accountName,
  holder_at_bank: to.holderAtBank,
  last_four: lastFourOf(to),
})

/** A sum of money; both are null where the resource has none. */
function sumOf({ amount, currency }: StuckSubject) {
  if (amount === null || currency === null) return { amount: null, currency: null }
  const paid = currency as PayoutCurrency
  return { amount: formatPaid(amount, paid), currency: paid }
}
