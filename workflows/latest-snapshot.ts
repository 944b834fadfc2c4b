import { isOlder, type Revised } from '../domain/revision.ts'

/** Keeps the newest snapshot that a process's steps have returned, in whatever order they return. */
export function keepLatestSnapshot<T extends Revised>(): { applySnapshot(snapshot: T): void; current(): T } {
  let kept: T | undefined
  return {
    applySnapshot(snapshot) {
      if (!kept || !isOlder(snapshot, kept)) kept = snapshot
    },
    current() {
      if (!kept) throw new Error('no step has answered yet')
      return kept
    },
  }
}
