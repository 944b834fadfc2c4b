import assert from 'node:assert/strict'
import type { Moves } from '../../domain/move.ts'
import { Refusal } from '../../domain/refusal.ts'

/** Tries every transition: one that is not legal is refused, and changes nothing. */
export function tryAll<S extends string>(
  legal: Moves<S>,
  statuses: readonly S[],
  move: (row: { status: S }, to: S) => void,
) {
  for (const from of statuses) {
    for (const to of statuses) {
      const row = { status: from }
      if (legal[from].includes(to)) {
        move(row, to)
        assert.equal(row.status, to)
        continue
      }
      assert.throws(
        () => move(row, to),
        (error) => error instanceof Refusal && error.code === 'CONFLICT',
        `${from} to ${to}`,
      )
      assert.equal(row.status, from)
    }
  }
}
