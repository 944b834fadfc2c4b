import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { loadTemporal } from '../../engine/config.ts'
import { openEngine } from '../../engine/connection.ts'
import { selfSigned } from '../support/certificate.ts'
import { temporalOverTls } from '../support/temporal-over-tls.ts'

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })

const behind = process.env['TEMPORAL_ADDRESS'] ?? ''
const client = selfSigned('worker')

async function serve(t: TestContext, options?: Parameters<typeof temporalOverTls>[1]) {
  const service = await temporalOverTls(behind, options)
  t.after(() => service.close())
  return { ...service, env: { TEMPORAL_ADDRESS: service.address, TEMPORAL_TLS: '1', TEMPORAL_TLS_CA: service.ca } }
}

const temporalOf = (env: NodeJS.ProcessEnv) => loadTemporal(env).temporal

/** Reads the namespace, as a client does and as a worker does. */
async function reach(env: NodeJS.ProcessEnv): Promise<(string | undefined)[]> {
  const connections = [await openEngine(temporalOf(env)), await NativeConnection.connect(temporalOf(env))]
  const describe = async ({ workflowService }: (typeof connections)[number]) =>
    (await workflowService.describeNamespace({ namespace: 'default' })).namespaceInfo?.name ?? undefined
  try {
    return await Promise.all(connections.map(describe))
  } finally {
    for (const connection of connections) await connection.close()
  }
}

const bothReach = ['default', 'default']

/** Neither a client nor a worker is let in. What the client says of it. */
async function refusalOf(env: NodeJS.ProcessEnv): Promise<string> {
  await assert.rejects(() => NativeConnection.connect(temporalOf(env)))
  const error: unknown = await openEngine(temporalOf(env)).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof Error)
  return error.message
}

test('clients and workers reach Temporal over TLS by the authority of its certificate', async (t) => {
  const { env } = await serve(t)
  assert.deepEqual(await reach(env), bothReach)
})

test('a certificate of an authority that nobody trusts is refused, with what to set', async (t) => {
  const { env, address } = await serve(t)
  const cannot = `Temporal at ${address} cannot be used over TLS`
  const says = `${cannot}: its certificate is of no authority that is trusted here; `
  for (const ca of ['', selfSigned('localhost').cert])
    assert.ok((await refusalOf({ ...env, TEMPORAL_TLS_CA: ca })).startsWith(`${says}TEMPORAL_TLS_CA names one`), ca)
})

test('a Temporal service that speaks TLS cannot be used without, which the reason says', async (t) => {
  const { address } = await serve(t)
  assert.match(
    await refusalOf({ TEMPORAL_ADDRESS: address }),
    /^Temporal at localhost:\d+ cannot be used without TLS: /,
  )
  const plain = { TEMPORAL_ADDRESS: behind.replace('127.0.0.1', 'localhost'), TEMPORAL_TLS: '1' }
  assert.match(await refusalOf(plain), /cannot be used over TLS: it does not speak TLS \(/)
})

test('a certificate for another name is refused, and taken where TEMPORAL_TLS_SERVER_NAME expects it', async (t) => {
  const { env, address } = await serve(t)
  const elsewhere = { ...env, TEMPORAL_TLS_SERVER_NAME: 'temporal.example.com' }
  assert.match(await refusalOf(elsewhere), /its certificate is for another name; TEMPORAL_TLS_SERVER_NAME says which/)
  const byNumber = { ...env, TEMPORAL_ADDRESS: address.replace('localhost', '127.0.0.1') }
  assert.deepEqual(await reach({ ...byNumber, TEMPORAL_TLS_SERVER_NAME: 'localhost' }), bothReach)
})

test('a Temporal service that asks for a certificate lets in who shows the right one', async (t) => {
  const { env } = await serve(t, { clientCa: client.cert })
  const pair = { TEMPORAL_TLS_CERT: client.cert, TEMPORAL_TLS_KEY: client.key }
  assert.deepEqual(await reach({ ...env, ...pair }), bothReach)
  assert.match(await refusalOf(env), /it asks for a certificate; set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY/)
  const other = selfSigned('worker')
  await refusalOf({ ...env, TEMPORAL_TLS_CERT: other.cert, TEMPORAL_TLS_KEY: other.key })
})

test('the API key is sent with every call of clients and workers', async (t) => {
  const { env, authorizations } = await serve(t)
  assert.deepEqual(await reach({ ...env, TEMPORAL_API_KEY: 'a.b-c' }), bothReach)
  assert.ok(authorizations.length >= 4)
  assert.deepEqual([...new Set(authorizations)], ['Bearer a.b-c'])
})

test('a Temporal service that takes no such API key says so, and the key is not repeated', async (t) => {
  const { env } = await serve(t, { refuses: { path: 'GetSystemInfo', status: 16, says: 'Request unauthorized.' } })
  const says = await refusalOf({ ...env, TEMPORAL_API_KEY: 'marker' })
  assert.match(
    says,
    /it refuses this process; check TEMPORAL_API_KEY and TEMPORAL_NAMESPACE \(Request unauthorized\.\)/,
  )
  assert.doesNotMatch(says, /marker/)
})
