import { contract, message } from '../process-contract.ts'
import type { Decision } from './review.ts'

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

export const scheduleProcess = contract({
  prefix: 'schedule',
  queue: 'main',
  signals: { changed: message('The account has changed its schedule.') },
})
