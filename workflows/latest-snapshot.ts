import { isOlder, type Revised } from '../domain/revision.ts'
import type { ProviderName } from '../domain/rail-provider.ts'
import { keepProvider } from './rail-steps.ts'
import { keepTime } from './test-clock.ts'

type Snapshot = Revised & { clockTime?: number | null; provider?: ProviderName | null }

/** Keeps the newest snapshot that a process's steps have returned, in whatever order they return. */
export function keepLatestSnapshot<T extends Snapshot>(): { applySnapshot(snapshot: T): void; current(): T } {
  let kept: T | undefined
  return {
    applySnapshot(snapshot) {
      keepTime(snapshot.clockTime)
      if (kept && isOlder(snapshot, kept)) return
      kept = snapshot
      keepProvider(snapshot.provider)
    },
    current() {
      if (!kept) throw new Error('no step has answered yet')
      return kept
    },
  }
}
