import assert from 'node:assert/strict'

const minute = 60_000
const [hour, day] = [60 * minute, 24 * 60 * minute]

/** When a rail that does not answer is asked, from the order on: after 5 minutes, after an hour, and then daily. */
const moments = [5 * minute, hour, hour + day, hour + 2 * day]

/**
 * Fails unless a rail that got its order at the first of these times was asked at every moment of the schedule, within
 * a minute. The rail notes its own time, which is a little later than the process's.
 */
export function assertAskedOnTime([first = 0, ...later]: number[]): void {
  assert.equal(later.length, moments.length)
  for (const [index, at] of later.entries()) {
    const lateMs = at - first - (moments[index] ?? 0)
    assert.ok(lateMs > -1_000 && lateMs < minute, `question ${index + 1} came ${lateMs} ms after its time`)
  }
}
