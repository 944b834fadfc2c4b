import { dailyPollMs, firstPollsMs } from '../domain/rail-polls.ts'

/** The pauses between questions to a rail that has not answered, in milliseconds, each from the previous question. */
export function railPolls(): { next(): number } {
  const pauses = [...firstPollsMs]
  return { next: () => pauses.shift() ?? dailyPollMs }
}
