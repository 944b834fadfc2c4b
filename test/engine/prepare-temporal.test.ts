import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { ROOT } from '../../scripts/infra/paths.ts'
import { temporalOverTls } from '../support/temporal-over-tls.ts'
import { searchAttributes } from '../../workflows/search-attributes.ts'

const prepare = (more: NodeJS.ProcessEnv): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, ['scripts/prepare-temporal.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...more },
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: { code: number; stderr: string }) => error,
  )

test('npm run prepare-temporal makes the namespace and its search attributes, also twice at once', async (t) => {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
  t.after(() => connection.close())
  const namespace = `prepared-${randomBytes(4).toString('hex')}`
  const both = await Promise.all([
    prepare({ TEMPORAL_NAMESPACE: namespace }),
    prepare({ TEMPORAL_NAMESPACE: namespace }),
  ])
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ stderr }) => stderr).join('\n'),
  )
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  for (const { name } of Object.values(searchAttributes)) assert.ok(customAttributes?.[name] !== undefined, name)
  assert.deepEqual(await prepare({ TEMPORAL_NAMESPACE: namespace }), { code: 0, stderr: '' })
  const { code, stderr } = await prepare({ TEMPORAL_ADDRESS: 'nowhere' })
  assert.deepEqual([code, /TEMPORAL_ADDRESS must be host:port/.test(stderr)], [1, true])
})

test('where Temporal lets nobody register anything, what has to be made is said at once', async (t) => {
  const behind = process.env['TEMPORAL_ADDRESS'] ?? ''
  const refuses = { path: 'OperatorService', status: 7, says: 'Request unauthorized.' }
  const service = await temporalOverTls(behind, { refuses })
  t.after(() => service.close())
  const namespace = `prepared-${randomBytes(4).toString('hex')}`
  const env = { TEMPORAL_TLS: '1', TEMPORAL_TLS_CA: service.ca, TEMPORAL_ADDRESS: service.address }
  const ofNamespace = { ...env, TEMPORAL_NAMESPACE: namespace }
  const { code, stderr } = await prepare(ofNamespace)
  assert.equal(code, 1)
  assert.match(stderr, /lacks the search attributes AccountId, .*WaitingOn, each of the type Keyword, .*unauthorized/)
  // Somebody makes them.
  assert.equal((await prepare({ TEMPORAL_NAMESPACE: namespace })).code, 0)
  assert.deepEqual(await prepare(ofNamespace), { code: 0, stderr: '' })
})

test('where Temporal shows the namespace to no such caller, that is said at once', async (t) => {
  const refuses = { path: 'DescribeNamespace', status: 7, says: 'Request unauthorized.' }
  const service = await temporalOverTls(process.env['TEMPORAL_ADDRESS'] ?? '', { refuses })
  t.after(() => service.close())
  const env = { TEMPORAL_TLS: '1', TEMPORAL_TLS_CA: service.ca, TEMPORAL_ADDRESS: service.address }
  const { code, stderr } = await prepare(env)
  assert.equal(code, 1)
  assert.match(stderr, /see or make the namespace default \(Request unauthorized\.\)\. Check TEMPORAL_NAMESPACE/)
})
