/** Answers of a rail that do not end an order. After `not_found` the order is sent again, under the same id. */
export type NoEnd = 'unknown' | 'not_found'

/** The steps of an order at a rail, by which its process is run. */
export type RailOrderSteps<Answer extends string, End extends string> = {
  /**
   * Sends the order to the rail, unless staff hold it. Sent again, it is the same order. `askAgainAt` is when the rail
   * is asked again if it does not decide now, in milliseconds since the epoch.
   */
  submit: (at: number, askAgainAt: number) => Promise<Answer | 'on_hold'>
  lookUp: (askAgainAt: number) => Promise<Answer>
  /** Posts the end and returns the resource's state. What has already ended stays as it is. */
  close: (answer: Exclude<Answer, NoEnd>, at: number) => Promise<End>
  /** Carries out what staff have ordered. `not_found`: the order is to be sent again. */
  carryOut: (actionId: string, at: number) => Promise<End | 'on_hold' | 'not_found'>
  /** Continues in a new run, which sends the order again unless it is on hold, and asks about the news. */
  continueRun: (hasNews: boolean) => Promise<never>
  /** Whether the previous run received news that the rail has not answered for. */
  hasNews: boolean
}

/** Whether a rail's answer ends an order. */
export const isEnd = <Answer extends string>(answer: Answer): answer is Exclude<Answer, NoEnd> =>
  answer !== 'unknown' && answer !== 'not_found'
