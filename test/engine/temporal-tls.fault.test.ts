import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processId } from '../../domain/processes.ts'
import { deploy } from '../proof/deployment.ts'
import { selfSigned } from '../support/certificate.ts'
import { temporalOverTls } from '../support/temporal-over-tls.ts'
import { until } from '../support/until.ts'

test('API and worker run over TLS with a client certificate, and say why where they are not let in', async (t) => {
  const client = selfSigned('worker')
  const service = await temporalOverTls(process.env['TEMPORAL_ADDRESS'] ?? '', { clientCa: client.cert })
  t.after(() => service.close())
  const env = {
    TEMPORAL_ADDRESS: service.address,
    TEMPORAL_TLS: '1',
    TEMPORAL_TLS_CA: service.ca,
    TEMPORAL_TLS_CERT: client.cert,
    TEMPORAL_TLS_KEY: client.key,
  }
  const deployment = await deploy({ env })
  t.after(() => deployment.stop())
  const worker = await deployment.startWorker()
  const housekeeping = deployment.client.workflow.getHandle(processId('housekeeping', deployment.taskQueue))
  const isRunning = () =>
    housekeeping.describe().then(
      ({ historyLength }) => historyLength > 3,
      () => false,
    )
  await until(isRunning, 'a worker has taken a task')
  await worker.kill()

  const untrusted = { TEMPORAL_TLS_CA: selfSigned('localhost').cert }
  const refused = deployment.run('worker', ['engine/worker.ts'], untrusted)
  await refused.exited
  const says = 'its certificate is of no authority that is trusted here; TEMPORAL_TLS_CA names one'
  const line = refused
    .log()
    .split('\n')
    .find((each) => each.includes('cannot start without the engine'))
  const logged = JSON.parse(line ?? '{}') as { level: number; err?: { message: string } }
  assert.equal(logged.level, 60)
  assert.match(logged.err?.message ?? '', RegExp(`^Temporal at localhost:\\d+ cannot be used over TLS: ${says} `))

  const api = await deployment.startApi(undefined, undefined, untrusted)
  await until(() => api.log().includes('"the engine is unavailable"'), 'the API says why')
  assert.ok(api.log().includes(says))
  assert.equal((await fetch(`http://127.0.0.1:${api.port}/readyz`)).status, 200)
  assert.ok(!`${refused.log()}${api.log()}`.includes('PRIVATE KEY'))
})
