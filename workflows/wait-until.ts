import { condition, setCurrentDetails } from '@temporalio/workflow'
import { clockTime } from './test-clock.ts'

/**
 * The process's time, in milliseconds since the epoch: its test clock's, or the engine's, which is the same on every
 * replay.
 */
export const now = (): number => clockTime() ?? Date.now()

/** Whom or what a wait is for, as a word that operators can search for. */
export type WaitingOn =
  | 'buyer'
  | 'rail'
  | 'late money'
  | 'next hour'
  | 'next run'
  | 'next look'
  | 'receiver'
  | 'mail server'
  | 'deliveries'
  | 'reviewer'
  | 'lead reviewer'
  | 'sandbox'
  | 'operator'
  | 'merchant'
  | 'next period'

export type Wait = {
  for: WaitingOn
  unless: () => boolean
  /** What an operator can do about it, or what happens next, in a sentence. */
  helps?: string
  /**
   * What happens at the moment, such as `a reminder is sent`. Without it staff take the time of a reminder, or of the
   * next question to a rail, for the deadline.
   */
  next?: string
}

/**
 * Waits for a moment (milliseconds since the epoch) or until `unless` holds, whichever is first, and says in the
 * engine's UI what is awaited and until when. The only way a process waits for a moment that a test clock may move.
 * True when `unless` ended the wait. On a test clock it starts no timer: the clock tells the process when the moment
 * has come.
 */
export async function waitUntil(deadline: number, { for: waitingOn, unless, helps, next }: Wait): Promise<boolean> {
  const until = untilThen(deadline, next)
  setCurrentDetails(says(`Waiting for the ${waitingOn}, ${until}.`, helps))
  const ended = await isEndedBefore(deadline, unless, `${waitingOn}, ${until}`)
  setCurrentDetails(ended || !next ? over(waitingOn) : says(`It is time: ${next}.`, helps))
  return ended
}

/** Waits for a time that no test clock moves, such as that of an outsider who is unavailable. */
export async function pause(ms: number, { for: waitingOn, unless, helps, next }: Wait): Promise<void> {
  const until = untilThen(Date.now() + ms, next)
  setCurrentDetails(says(`Waiting for the ${waitingOn}, ${until}.`, helps))
  await condition(unless, ms, { summary: `${waitingOn}, ${until}` })
  setCurrentDetails(over(waitingOn))
}

async function isEndedBefore(deadline: number, unless: () => boolean, summary: string): Promise<boolean> {
  for (;;) {
    const before = clockTime()
    const isMoved = () => clockTime() !== before
    if (before === null) {
      const ended = await condition(() => unless() || isMoved(), Math.max(1, deadline - now()), { summary })
      if (!isMoved()) return ended
    } else await condition(() => unless() || isMoved() || now() >= deadline)
    if (unless()) return true
    if (now() >= deadline) return false
  }
}

/** Waits without a deadline, where all mails were sent and nothing else is due. */
export async function waitFor({ for: waitingOn, unless, helps }: Wait): Promise<void> {
  setCurrentDetails(says(`Waiting for the ${waitingOn}, for as long as it takes.`, helps))
  await condition(unless)
  setCurrentDetails(over(waitingOn))
}

const untilThen = (at: number, next?: string) => `until ${new Date(at).toISOString()}${next ? `, then ${next}` : ''}`

/** Says no more than is known: the rail, staff, a merchant or the time may have ended the wait. */
const over = (waitingOn: WaitingOn) => `The wait for the ${waitingOn} is over.`

/** Starts with what an operator can do, because the UI clips long details. */
const says = (wait: string, helps?: string) => (helps ? `${helps} ${wait}` : wait)
