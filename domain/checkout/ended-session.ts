import { isLess } from '../money.ts'
import { type Charge, refundableOf } from '../refund.ts'
import { mayBringMoney, mayReceive } from './payment.ts'

type Attempt = Parameters<typeof mayReceive>[0] & Pick<Charge, 'amountReceived' | 'fee' | 'refundClaimed'>

const hasMoney = ({ amountReceived }: Attempt): boolean => isLess('0', amountReceived)

/** Whether some of the money that has arrived was not sent back, as a duplicate is. */
const keepsMoney = (attempt: Attempt): boolean => isLess(attempt.refundClaimed, refundableOf(attempt))

/** What a buyer has to know of, the most important first. */
const concerns: readonly ((attempt: Attempt) => boolean)[] = [
  (attempt) => attempt.status === 'succeeded' && keepsMoney(attempt),
  keepsMoney,
  hasMoney,
  mayReceive,
  mayBringMoney,
]

/**
 * The attempt that the buyer of a session which has ended without success has to know of, so that they do not pay a
 * second time: one that has brought money, else one that may still bring it. Of several it is the newest. Null where no
 * money has come and none is expected.
 */
export function attemptOfConcern<A extends Attempt>(newestFirst: readonly A[]): A | null {
  for (const concernsBuyer of concerns) {
    const found = newestFirst.find(concernsBuyer)
    if (found) return found
  }
  return null
}
