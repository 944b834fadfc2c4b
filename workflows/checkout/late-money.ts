import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { lookUpNews, continueAsNewIfLong, isQuiet, lookUpOnceMore, waitForNews } from './news.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy } from '../policies.ts'
import { endedAtRail } from '../rail-order/words.ts'
import type { Rails, Sale } from './sale.ts'
import { showStatus } from '../search-attributes.ts'
import { slowRailsAreShown } from '../versions.ts'
import { now } from '../wait-until.ts'

const { returnShortPayments } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('Refund the short payment'))

const next = 'the process ends, after a last question to the rail where money may still come'
const helps = 'Nothing to do: the session has ended, and money that still arrives is booked.'
const lateMoney = { for: 'late money', helps, next } as const

/**
 * The second phase: the session has ended, and late money is still posted. The phase is over once no more money can
 * arrive and nothing is left to ask or to refund.
 */
export async function whileListeningForLateMoney(sale: Sale, rails: Rails): Promise<void> {
  const { id, applySnapshot, current } = sale
  showStatus(current().status, current().listensUntil === null ? 'nobody' : 'late money')
  let isShownAtRail = false
  let hasLooked = false
  let returnedAt = -1
  for (;;) {
    await continueAsNewIfLong(sale, rails)
    lookUpNews(sale, rails)
    const { listensUntil, awaitsMoney, newsDue, cancelDue, isShort, revision } = current()
    if (listensUntil !== null && now() < listensUntil) {
      await waitForNews(sale, rails, listensUntil, newsDue ? { ...endedAtRail, next } : lateMoney)
    } else if (listensUntil !== null && awaitsMoney && !hasLooked) {
      hasLooked = true
      await lookUpOnceMore(sale, rails)
    } else if (isShort && revision !== returnedAt) {
      applySnapshot(await returnShortPayments(id, now()))
      returnedAt = current().revision
    } else if (newsDue || cancelDue || !isQuiet(sale, rails)) {
      if ((newsDue || cancelDue) && !isShownAtRail && slowRailsAreShown()) {
        isShownAtRail = true
        showStatus(current().status, 'rail')
      }
      await waitForNews(sale, rails, Infinity, endedAtRail)
    } else {
      if (isShownAtRail) showStatus(current().status, 'nobody')
      return
    }
  }
}
