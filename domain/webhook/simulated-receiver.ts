/** How the receiver of a scenario fails without a status: nothing comes within the time limit, or nobody listens. */
export const silences = ['timeout', 'refused'] as const

/** What the receiver of a scenario answers: a status of HTTP, or none. */
type ReceiverAnswer = number | (typeof silences)[number]

/** An answer that a scenario has planned, and for how many attempts. */
export type PlannedAnswer = { answers: ReceiverAnswer; times: number }

/**
 * The address of a scenario's receiver. Nothing is sent to it: the sandbox answers itself. The name is reserved (RFC
 * 2606) and leads nowhere, also for a worker of an earlier release, which would send to it.
 */
export const receiverUrl = 'https://receiver.invalid/'

/** The next answer of a plan, and what is planned after it: 200 once nothing is planned. */
export function nextAnswer([next, ...later]: readonly PlannedAnswer[]): {
  answer: ReceiverAnswer
  left: PlannedAnswer[]
} {
  if (!next) return { answer: 200, left: [] }
  const left = next.times > 1 ? [{ ...next, times: next.times - 1 }, ...later] : later
  return { answer: next.answers, left }
}
