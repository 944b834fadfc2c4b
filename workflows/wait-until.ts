import { condition, setCurrentDetails } from '@temporalio/workflow'

/** The process's time, in milliseconds since the epoch; the engine makes it the same on every replay. */
export const now = (): number => Date.now()

/** Whom or what a wait is for, in a word that operators can search for. */
export type WaitingOn =
  | 'buyer'
  | 'rail'
  | 'late money'
  | 'next hour'
  | 'next run'
  | 'receiver'
  | 'mail server'
  | 'deliveries'
  | 'reviewer'
  | 'operator'

/**
 * Waits for a moment (milliseconds since the epoch) or until `unless` holds, whichever is first, and says in the
 * engine's UI what is awaited and until when, and `why` where that needs words. The only way a process waits for a
 * time. True when `unless` ended the wait.
 */
export async function waitUntil(
  deadline: number,
  { for: waitingOn, unless, why = '' }: { for: WaitingOn; unless: () => boolean; why?: string },
): Promise<boolean> {
  const until = new Date(deadline).toISOString()
  setCurrentDetails(`${why} Waiting for the ${waitingOn}, until ${until}.`.trim())
  const ended = await condition(unless, Math.max(1, deadline - now()), { summary: `${waitingOn}, until ${until}` })
  setCurrentDetails(ended ? `The ${waitingOn} has answered.` : `The wait for the ${waitingOn} is over.`)
  return ended
}
