import { addEndpoint, newSecret, rotateSecret, trigger } from './endpoints.ts'
import { deploy } from './deployment.ts'
import { startReceivers } from './receivers.ts'
import { comeToRest } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { atPace, pause } from './until.ts'

const eventsPerSecond = 25
/** After each rotation: the receiver learns of it, the old secret is worth nothing, the next rotation comes. */
const [learnsAfterMs, graceMs, everyMs] = [1_000, 4_000, 5_000]

/**
 * `size` is the number of deliveries, all to one receiver. What was under way when it learned of a new secret it
 * verifies by the one before; from a rotation until it learns of it, it cannot do without a signature by the old one.
 */
export const webhookRotation: Scenario = {
  promise: 'a secret is rotated again and again, and the receiver learns of it later: each delivery verifies',
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
      const { restMs, violations } = await comeToRest(deployment, 120_000)
      const heard = await receivers.heard('healthy')
      const faulty = heard.filter(({ isVerified }) => !isVerified)
      const signedTwice = heard.filter(({ signatures }) => signatures === 2).length
      for (const { eventId, signatures, signedAt, at } of faulty.slice(0, 10))
        violations.push(`${eventId} does not verify: ${signatures} signatures, ${at - signedAt * 1_000} ms old`)
      const told = (await deployment.sql('select from deliveries')).length // a 503 may have hidden an event
      if (told < size || heard.length !== told) violations.push(`${heard.length} requests for ${told} deliveries`)
      if (signedTwice === 0 || signedTwice === size) violations.push('there was never a grace, or nothing else')
      return {
        figures: { deliveries: heard.length, rotations, signedTwice, unverifiable: faulty.length, restMs },
        violations,
      }
    } finally {
      await receivers.close()
      await deployment.stop()
    }
  },
}
