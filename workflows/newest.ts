import { isOlder, type Revised } from '../domain/revision.ts'

/** Keeps the newest of the answers that a process's steps give, whatever order they come back in. */
export function newest<T extends Revised>(): { take(told: T): void; current(): T } {
  let kept: T | undefined
  return {
    take(told) {
      if (!kept || !isOlder(told, kept)) kept = told
    },
    current() {
      if (!kept) throw new Error('no step has answered yet')
      return kept
    },
  }
}
