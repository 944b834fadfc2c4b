import { type About, contract, message, type Owned } from '../process-contract.ts'
import type { PayoutCurrency } from './destination.ts'
import type { Decision } from './review.ts'
import { formatPaid } from './terms.ts'

export const payoutProcess = contract({
  prefix: 'payout',
  queue: 'main',
  updates: {
    decide: message<[decisionId: string]>('A reviewer has decided about a payout that is held.'),
    retry: message<[actionId: string]>('Staff hand a stuck payout to its rail again.'),
    markSettled: message<[actionId: string]>('Staff say that a stuck payout has arrived.'),
    markFailed: message<[actionId: string]>('Staff say that a stuck payout was not sent.'),
  },
  signals: {
    railAnswered: message('The rail has news, also that money came back; the process asks it what.'),
  },
})

type Sent = Owned & { status: string; amount: string; currency: PayoutCurrency; destinationId: string }

export const aboutPayout = (payout: Sent, waitingOn: 'reviewer' | 'rail' | 'operator'): About => ({
  accountId: payout.accountId,
  environment: payout.environment,
  status: payout.status,
  waitingOn,
  summary: `${formatPaid(payout.amount, payout.currency)} ${payout.currency} to ${payout.destinationId}`,
})

export const destinationProcess = contract({
  prefix: 'destination',
  queue: 'main',
  updates: {
    decide: message<[decisionId: string, statement: number, decision: Decision]>(
      'Somebody of the staff has decided about a statement; their words stand under the decision’s id.',
    ),
  },
  signals: {
    restated: message('The account has stated anew where its money goes.'),
    deactivated: message('The account has taken the destination out of use.'),
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
  signals: { changed: message('The account has changed its schedule.') },
})

export const aboutSchedule = ({ accountId, environment, currency }: Owned & { currency: string }): About => ({
  accountId,
  environment,
  status: 'active',
  waitingOn: 'next run',
  summary: `Pays out ${currency} to its default destination`,
})
