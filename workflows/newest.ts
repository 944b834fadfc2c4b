/** Keeps the newest of the answers that a process's steps give, whatever order they come back in. */
export function newest<T extends { revision: number }>(): { take(told: T): void; current(): T } {
  let kept: T | undefined
  return {
    take(told) {
      if (!kept || told.revision >= kept.revision) kept = told
    },
    current() {
      if (!kept) throw new Error('no step has answered yet')
      return kept
    },
  }
}
