import type { Currency } from '../currency.ts'
import { format } from '../money.ts'
import { providerOf } from '../rail-provider.ts'
import { type About, clockMoved, contract, message, type Owned, operatorUpdates } from '../process-contract.ts'
import type { DisputeStatus } from './dispute.ts'

// The evidence is in the dispute's row, so that nothing of it travels through the engine.
const answers = {
  submit: message<[callId: string]>('The merchant submits the evidence that is stored.'),
  accept: message<[callId: string]>('The merchant accepts the dispute, or refunds the charge after a warning.'),
}

const { retry, markSettled, markFailed } = operatorUpdates

export const disputeProcess = contract({
  prefix: 'dispute',
  queue: 'main',
  updates: { ...answers, retry, markSettled, markFailed },
  signals: {
    networkAnswered: message('The network has news about the dispute: the process looks it up.'),
    chargeRefunded: message('A refund of the disputed charge has succeeded.'),
    ...clockMoved,
  },
})

/** Whom a dispute waits for. */
export function disputeWaitsFor(status: DisputeStatus): 'merchant' | 'rail' | 'nobody' {
  if (status === 'needs_response' || status === 'early_warning') return 'merchant'
  return status === 'under_review' ? 'rail' : 'nobody'
}

type Row = Owned & { status: DisputeStatus; amount: string; currency: Currency; paymentId: string; evidenceDueAt: Date }

export const aboutDispute = (row: Row): About => ({
  accountId: row.accountId,
  environment: row.environment,
  status: row.status,
  waitingOn: disputeWaitsFor(row.status),
  provider: providerOf(row.environment, row.currency),
  summary:
    `${format(row.amount, row.currency)} ${row.currency} of ${row.paymentId}, ` +
    `evidence until ${row.evidenceDueAt.toISOString()}`,
})
