import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Deployment, deploy } from '../proof/deployment.ts'
import { openStream } from '../support/event-stream.ts'
import { until } from '../support/until.ts'

let deployment: Deployment
before(async () => {
  deployment = await deploy()
})
after(() => deployment.stop())

test('an API process that is told to stop ends its open streams and exits within seconds', async () => {
  const api = await deployment.startApi()
  const answer = await api.merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  assert.equal(answer.status, 201)
  const open = { key: api.merchant.apiKey }
  const streams = [await openStream(api.merchant.baseUrl, open), await openStream(api.merchant.baseUrl, open, true)]
  await until(() => streams[0]?.frames.length === 1, 'the stream has begun')
  const startedAt = performance.now()
  process.kill(api.pid, 'SIGTERM')
  await api.exited
  assert.ok(performance.now() - startedAt < 8_000)
  assert.match(streams[0]?.comments().at(-1) ?? '', /about to end/)
  assert.doesNotMatch(api.log(), /"level":(50|60)/)
  streams[1]?.close()
})
