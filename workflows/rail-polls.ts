import { dailyPollMs, firstPollsMs } from '../domain/rail-polls.ts'

/**
 * The pauses, in milliseconds, between questions about a sale: those of `nextPollAt`, each counted from the question
 * before it. Sales that are open now decide by them whether it is time to ask, so they stay as they are.
 */
export function railPolls(): { next(): number } {
  const pauses = [...firstPollsMs]
  return { next: () => pauses.shift() ?? dailyPollMs }
}
