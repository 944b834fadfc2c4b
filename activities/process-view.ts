/** What the engine knows about processes, by their ids in the engine, such as `checkout/chk_…`. */
export type ProcessView = {
  /**
   * The ids of this deployment's processes that have failed, timed out, or were cancelled or terminated since a moment
   * (milliseconds since the epoch): the newest ones, at most `limit`.
   */
  endedBadly(since: number, limit: number): Promise<string[]>
  /**
   * Which of these processes the engine's list shows as running. The list lags a little: a process that has just begun
   * may be missing, and one that has just ended may still be there.
   */
  listedRunning(ids: string[]): Promise<Set<string>>
  /** Whether a process runs, asked of the engine directly and not of its list. */
  isRunning(id: string): Promise<boolean>
}
