import { type About, clockMoved, contract, message, type Owned } from '../process-contract.ts'
import type { Outcome } from '../review.ts'
import type { AccountStatus } from './requirement.ts'

export const accountReviewProcess = contract({
  prefix: 'account',
  queue: 'main',
  updates: {
    decide: message<[decisionId: string, revision: number, outcome: Outcome]>(
      'A reviewer has decided about an account; the reason and what is asked for are stored under the decision’s id.',
    ),
  },
  signals: {
    changed: message('The account has provided, changed or asked for something: the process reads it again.'),
    ...clockMoved,
  },
})

type Reviewed = Owned & { status: AccountStatus; isReviewing: boolean }

export const aboutAccount = ({ accountId, environment, status, isReviewing }: Reviewed): About => ({
  accountId,
  environment,
  status,
  waitingOn: isReviewing ? 'reviewer' : 'merchant',
  summary: isReviewing ? 'An account that awaits a decision' : 'An account with information that is due later',
})
