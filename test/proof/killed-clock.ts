import { setTimeout as pause } from 'node:timers/promises'
import { readHappenings } from '../../db/sight/happenings.ts'
import { startReceiver } from '../support/receiver.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { deploy, type Deployment } from './deployment.ts'
import { waitUntilIdle } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'

const [minute, day] = [60_000, 86_400_000]
const restWithinMs = 120_000

/** `size` is the number of times that the worker is killed in the middle of the advance. */
export const killedClock: Scenario = {
  promise: 'an advance of a test clock whose workers are killed is finished, and each deadline comes once, at its time',
  size: 25,
  async run(size) {
    const deployment = await deploy()
    const receiver = await startReceiver()
    try {
      const { merchant } = await deployment.startApi()
      let worker = await deployment.startWorker()
      const path = '/v1/test-helpers/clocks'
      const { body: clock } = await merchant.call('POST', path, { name: 'Killed' })
      const own = `${path}/${String(clock['clock_id'])}`
      const sessions = []
      for (let n = 0; n < size * 2; n++) sessions.push(await merchant.createCheckout())
      const endpoint_id = await withEndpoints(merchant).add({ url: receiver.url, events: ['refund.paid'] })
      const checkout_id = sessions.map((session) => session.checkout_id)
      await merchant.call('POST', `${own}/attach`, { checkout_id, endpoint_id })
      // Always: a worker that is killed after it has sent an attempt sends it once more.
      receiver.answers(Array.from({ length: 1_000 }, () => 500))
      await merchant.call('POST', `/v1/webhooks/endpoints/${endpoint_id}/test`, {})
      const begun = Date.parse(String(clock['frozen_time']))
      const advancing = merchant.call('POST', `${own}/advance`, { by: 'P4D' })
      for (let kill = 0; kill < size; kill++) {
        await pause(200 + Math.random() * 600)
        await worker.kill()
        worker = await deployment.startWorker()
      }
      const lastKillAt = performance.now()
      await advancing
      const isReady = async () => (await merchant.call('GET', own)).body['status'] === 'ready'
      for (const until = performance.now() + restWithinMs; !(await isReady()) && performance.now() < until;)
        await pause(200)
      const afterKillMs = Math.round(performance.now() - lastKillAt)
      const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
      if (!(await isReady())) violations.push('the clock has not come to its end')
      const told = await tellHappenings(deployment, String(clock['clock_id']), begun)
      const expected = [
        ...sessions.map((session) => `${session.checkout_id} expired ${session.expires_at}`),
        ...failuresOf(endpoint_id, told, begun),
      ]
      violations.push(
        ...expected.filter((each) => !told.includes(each)).map((each) => `missing: ${each}`),
        ...told.filter((each) => !expected.includes(each)).map((each) => `too much: ${each}`),
        ...(told.length === expected.length ? [] : [`${told.length} happenings for ${expected.length} deadlines`]),
        ...tooSlow(killedClock, size, [['finishing', afterKillMs, restWithinMs]]),
      )
      return { figures: { kills: size, deadlines: expected.length, afterKillMs, restMs }, violations }
    } finally {
      await receiver.close()
      await deployment.stop()
    }
  },
}

const at = (begun: number, ms: number) => new Date(begun + ms).toISOString()

/** Everything that has happened on the clock, a line each. */
async function tellHappenings({ database }: Deployment, clockId: string, begun: number): Promise<string[]> {
  const span = { afterItem: 0n, from: new Date(begun), to: new Date(begun + 4 * day) }
  const happened = await readHappenings(database.orm.em.fork(), clockId, span)
  return happened.map(({ resourceId, status, at: time }) => `${resourceId} ${status} ${time.toISOString()}`)
}

/** What becomes of an endpoint whose one delivery fails five times. */
function failuresOf(endpointId: string, told: string[], begun: number): string[] {
  const delivery = told.find((each) => each.includes(' attempt '))?.split(' ')[0]
  return [
    ...[0, 1, 6, 21, 81].map((minutes) => `${delivery} attempt ${at(begun, minutes * minute)}`),
    `${delivery} failed ${at(begun, 81 * minute)}`,
    `${endpointId} warned ${at(begun, day)}`,
    `${endpointId} disabled ${at(begun, 3 * day)}`,
  ]
}
