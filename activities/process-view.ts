/** What the engine knows of processes, by their ids in the engine, such as `checkout/chk_…`. */
export type ProcessView = {
  /**
   * Processes of this deployment that have failed, timed out, or were cancelled or terminated since a moment
   * (milliseconds since the epoch): the newest, at most `limit`.
   */
  endedBadly(since: number, limit: number): Promise<string[]>
  /**
   * Those of the processes that the engine's list shows as running. The list is a little late: one that began or ended
   * this moment may be missing or still be there.
   */
  listedRunning(ids: string[]): Promise<Set<string>>
  /** Whether a process runs, for certain. */
  isRunning(id: string): Promise<boolean>
}
