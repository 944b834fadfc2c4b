import { setTimeout as pause } from 'node:timers/promises'
import { addEndpoint, newSecret, trigger } from './endpoints.ts'
import { deploy, type Deployment } from './deployment.ts'
import { startReceivers, type ReceivedRequest } from './receivers.ts'
import { waitUntilIdle } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { percentile } from './pace.ts'
import { until } from '../support/until.ts'

const deliveries = 20
const realSeconds = 60
/** The engine gives a dead worker's tasks to another one within ten seconds, which is before the attempt is due. */
const lateMaxMs = 3_000

/** `size` is the seconds to the second attempt: 60 as in production, or fewer with a hurried worker. */
export const killedBetweenAttempts: Scenario = {
  promise: 'when the only worker dies after failed first attempts, another one makes the second attempts on time',
  size: realSeconds,
  async run(size) {
    const times = realSeconds / size
    const worker = times === 1 ? ['engine/worker.ts'] : ['test/proof/hurried-worker.ts', String(times)]
    const deployment = await deploy()
    const secret = newSecret()
    const receivers = await startReceivers({ secondTime: secret })
    try {
      const { merchant } = await deployment.startApi()
      await addEndpoint(deployment, receivers.urls.secondTime, secret)
      await receivers.misbehave()
      const first = await deployment.startWorker(worker)
      for (let n = 0; n < deliveries; n++) await trigger(merchant, n)
      await until(async () => (await firstTries(deployment, times)).length === deliveries, 'each was tried', patience)
      await first.kill()
      const schedule = await firstTries(deployment, times)
      await pause((size * 1_000) / 3) // no worker runs
      await deployment.startWorker(worker)
      const { violations } = await waitUntilIdle(deployment, (size + 60) * 1_000)
      const received = Map.groupBy(await receivers.received('secondTime'), ({ eventId }) => eventId)
      const lateMs: number[] = []
      for (const { event_id: id, due } of schedule) {
        const [, second, ...more] = received.get(id) ?? []
        if (!second || more.length > 0) violations.push(`${id} was not received twice`)
        else lateMs.push(second.at - Number(due))
        violations.push(...differences(received.get(id) ?? []).map((what) => `${id}: ${what}`))
      }
      const [earliest, latest] = [percentile(lateMs, 0), percentile(lateMs, 1)]
      if (earliest < 0) violations.push(`a second attempt came ${-earliest} ms before its time`)
      violations.push(
        ...tooSlow(killedBetweenAttempts, size, [['a second attempt, from its time on,', latest, lateMaxMs]]),
      )
      return { figures: { deliveries, secondsToTheSecond: size, earliest, latest }, violations }
    } finally {
      await receivers.close()
      await deployment.stop()
    }
  },
}

const patience = { withinMs: 30_000, everyMs: 5 }

/** The deliveries that have had their first attempt, with the time of the second, in ms since the epoch. */
const firstTries = ({ sql }: Deployment, times: number) =>
  sql<{ event_id: string; due: string }>(
    `select d.event_id, extract(epoch from a.at) * 1000 + a.duration_ms
       + (extract(epoch from d.next_attempt_at - a.at) * 1000 - a.duration_ms) / ? as due
     from deliveries d join delivery_attempts a on a.delivery_id = d.id where a.number = 1`,
    [times],
  )

function differences(received: ReceivedRequest[]): string[] {
  const errors = []
  if (received.map(({ attempt }) => attempt).join() !== '1,2') errors.push('its attempts are not 1 and 2')
  if (new Set(received.map(({ sha256 }) => sha256)).size !== 1) errors.push('its bytes have changed')
  if (received.some(({ isVerified }) => !isVerified)) errors.push('a signature does not verify')
  return errors
}
