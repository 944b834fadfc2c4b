import { patched } from '@temporalio/workflow'

// A change of the steps of a process that goes on across releases gets a function here, named after what is new, and
// nothing else calls `patched` or `deprecatePatch`. It comes in three releases, so that each can be rolled back to the
// one before it:
// 1. The code knows both ways, and the name is in `dormantChanges`: processes still go the old way.
// 2. The name is taken out of `dormantChanges`: processes that come to it go the new way.
// 3. Once no process of release 1 or before is open: `deprecatePatch` in place of `patched`, and the old way goes.

const newReviews = 'a review that begins anew is shown'
const toldNetworks = 'an ended dispute waits for the network that is told of it'
const heldQuestions = 'a question to the rail goes on during a hold'
const realRests = 'what has failed on a test clock rests by the real time'
const slowRails = 'what a rail keeps waiting is shown to wait for it'
const heardAnswers = 'a sale plans its next question when its rail has answered'

/** Changes that the code knows and processes do not take yet. One that has taken it under newer workers keeps to it. */
export const dormantChanges: readonly string[] = [
  newReviews,
  heldQuestions,
  toldNetworks,
  realRests,
  slowRails,
  heardAnswers,
]

/** Since 2026-11-25: a step waits for its turn. Steps of older histories did not wait (decision 0075). */
export const stepsWaitForTheirTurn = (): boolean => patched('one local step at a time')

/** Since 2026-11-25: the network is asked once more before a dispute is lost at its deadline. */
export const networkIsAskedAtTheDeadline = (): boolean => patched('asks-at-the-deadline')

/** Known since 2026-11-28: a review that begins anew after an escalation is shown as one that waits for a reviewer. */
export const reviewsThatBeginAnewAreShown = (): boolean => patched(newReviews)

/**
 * Known since 2026-11-29: a rail that was asked before or during a hold is asked until it answers. News about a refund
 * or a conversion that comes while staff get the last answer of its process is asked for too, and any news that the
 * rail was asked about in vain before a mark, or before a retry or a release and then a hold.
 */
export const questionsGoOnDuringAHold = (): boolean => patched(heldQuestions)

/** Known since 2026-11-29: a dispute that has ended is shown to wait for its network until that is told of it. */
export const toldNetworksAreShown = (): boolean => patched(toldNetworks)

/**
 * Known since 2026-11-30: a sale whose rail is slow, a subscription that is charged, and either where it has ended and
 * its rail is still called, are shown to wait for the rail.
 */
export const slowRailsAreShown = (): boolean => patched(slowRails)

/**
 * Known since 2026-11-30: a call that has failed for good on a test clock is made again after a while of the real time,
 * as the clock may stand still for days.
 */
export const restsGoByTheRealTime = (): boolean => patched(realRests)

/**
 * Known since 2026-11-30: a sale plans its next question to the rail at each answer, also where that is due when it was
 * due before, as after a restart of its process. It was not asked again before the deadline.
 */
export const salesHearEachAnswer = (): boolean => patched(heardAnswers)

/**
 * Since 2026-11-30: a sale whose run has become long continues in a new run while it waits, also when the messages to
 * it change nothing. No release has it dormant: the run ends with the task in which it takes this way.
 */
export const longSalesContinue = (): boolean => patched('a sale that only waits continues in a new run')
