import { setTimeout as pause } from 'node:timers/promises'
import { addEndpoint, newSecret, rotateSecret, trigger } from './endpoints.ts'
import { deploy } from './deployment.ts'
import { startReceivers } from './receivers.ts'
import { waitUntilIdle } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { atPace } from './pace.ts'

const eventsPerSecond = 25
/** Times after each rotation: the receiver gets the new secret, the old one expires, the next rotation follows. */
const [learnsAfterMs, graceMs, everyMs] = [1_000, 4_000, 5_000]

/**
 * `size` is the number of deliveries, all to one receiver. It verifies deliveries that were under way when it got a new
 * secret with the old one. From a rotation until then it needs a signature by the old secret.
 */
export const webhookRotation: Scenario = {
  promise: 'while a secret is rotated again and again and the receiver gets it later, each delivery verifies',
  size: 10_000,
  async run(size) {
    const deployment = await deploy()
    let secret = newSecret()
    const receivers = await startReceivers({ healthy: secret })
    try {
      const { merchant } = await deployment.startApi()
      for (let n = 0; n < 2; n++) await deployment.startWorker()
      const endpoint = await addEndpoint(deployment, receivers.urls.healthy, secret)
      let [rotations, isOver] = [0, false]
      const rotate = async () => {
        while (!isOver) {
          await rotateSecret(deployment, endpoint, (secret = newSecret()), graceMs)
          rotations += 1
          await pause(learnsAfterMs)
          await receivers.learn('healthy', secret)
          await pause(everyMs - learnsAfterMs)
        }
      }
      const rotating = rotate()
      await atPace(size, eventsPerSecond, (n) => trigger(merchant, n)).finally(() => (isOver = true))
      await rotating
      const { restMs, violations } = await waitUntilIdle(deployment, 120_000)
      const received = await receivers.received('healthy')
      const unverified = received.filter(({ isVerified }) => !isVerified)
      const signedTwice = received.filter(({ signatures }) => signatures === 2).length
      for (const { eventId, signatures, signedAt, at } of unverified.slice(0, 10))
        violations.push(`${eventId} does not verify: ${signatures} signatures, ${at - signedAt * 1_000} ms old`)
      const made = (await deployment.sql('select from deliveries')).length // a 503 may have hidden an event
      if (made < size || received.length !== made) violations.push(`${received.length} requests for ${made} deliveries`)
      if (signedTwice === 0 || signedTwice === size) violations.push('no delivery, or every one, was in a grace period')
      return {
        figures: { deliveries: received.length, rotations, signedTwice, unverifiable: unverified.length, restMs },
        violations,
      }
    } finally {
      await receivers.close()
      await deployment.stop()
    }
  },
}
