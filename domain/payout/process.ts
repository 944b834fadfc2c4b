import { providerOf } from '../rail-provider.ts'
import { type About, clockMoved, contract, message, type Owned, operatorUpdates } from '../process-contract.ts'
import type { PayoutCurrency } from './destination.ts'
import type { Decision } from '../review.ts'
import { formatPaid } from './terms.ts'

export const payoutProcess = contract({
  prefix: 'payout',
  queue: 'main',
  updates: {
    decide: message<[decisionId: string]>('A reviewer has approved or rejected a payout that is held.'),
    ...operatorUpdates,
  },
  signals: {
    railAnswered: message<[]>('The rail has news, such as a returned payout: the process looks it up.'),
    ...clockMoved,
  },
})

type Sent = Owned & { status: string; amount: string; currency: PayoutCurrency; destinationId: string }

export const aboutPayout = (payout: Sent, waitingOn: 'reviewer' | 'rail' | 'operator'): About => ({
  accountId: payout.accountId,
  environment: payout.environment,
  status: payout.status,
  waitingOn,
  provider: providerOf(payout.environment, payout.currency),
  summary: `${formatPaid(payout.amount, payout.currency)} ${payout.currency} to ${payout.destinationId}`,
})

export const destinationProcess = contract({
  prefix: 'destination',
  queue: 'main',
  updates: {
    decide: message<[decisionId: string, statement: number, decision: Decision]>(
      'A reviewer has approved or rejected a statement; the reason is stored under the decision’s id.',
    ),
  },
  signals: {
    restated: message('The merchant has changed the routing: there is a new statement.'),
    deactivated: message('The merchant has deactivated the destination.'),
    ...clockMoved,
  },
})

type Target = Owned & { type: string; currency: string }

export const aboutDestination = ({ accountId, environment, type, currency }: Target): About => ({
  accountId,
  environment,
  status: 'pending_review',
  waitingOn: 'reviewer',
  summary: `${type} for payouts in ${currency}`,
})

export const scheduleProcess = contract({
  prefix: 'schedule',
  queue: 'main',
  signals: { changed: message('The merchant has changed the schedule.'), ...clockMoved },
})

export const aboutSchedule = ({ accountId, environment, currency }: Owned & { currency: string }): About => ({
  accountId,
  environment,
  status: 'active',
  waitingOn: 'next run',
  summary: `Pays out ${currency} to its default destination`,
})
