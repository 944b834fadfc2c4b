import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../engine/clock.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { act, allOf, beginStory, randomly, type Story } from '../support/story.ts'
import { liftRateLimits } from '../support/rows.ts'

const seed = Number(process.env['SEED'] ?? 20261120)
const storiesPerRound = 50
const rounds = 2
const steps = 5

// The API's clock is slow: a session of one minute expires seconds after it is made, during the other calls.
const stack = await useStack({ clock: { now: async () => (await systemClock.now()) - 54_000 } })
await liftRateLimits(stack)

for (let round = 0; round < rounds; round++) {
  const name = `${storiesPerRound} sales that get calls of all kinds at once end once each`
  test(`${name} (seed ${seed + round})`, async () => {
    const pick = randomly(seed + round)
    const stories: Story[] = []
    for (let made = 0; made < storiesPerRound; made++) stories.push(await beginStory(stack.merchant, 1))
    for (let step = 0; step < steps; step++) {
      await allOf(
        stories.flatMap((story) => Array.from({ length: 1 + pick(3) }, () => act(stack.merchant, story, pick))),
      )
    }
    await until(async () => {
      const rows = await stack.sql(`select id from checkouts where status = 'open'`)
      return rows.length === 0
    }, 'every session has ended')
    await stack.dispatched()
    assert.deepEqual(await stack.check(), [])
  })
}
