import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createEncrypter } from '../../db/core/encryption.ts'
import { ConfigError, loadConfig } from '../../engine/config.ts'
import { renderEnvExample } from '../../scripts/docs/env-example.ts'

const folder = mkdtempSync(join(tmpdir(), 'steadypay-config-'))
after(() => rmSync(folder, { recursive: true }))

const key = Buffer.alloc(32, 7).toString('base64')
const complete = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/steadypay',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  ENCRYPTION_KEYS: `k2:${key},k1:${key}`,
  KEY_PEPPER: key,
}

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.errors
  }
  return []
}

test('a complete environment becomes a typed configuration, with defaults', () => {
  const config = loadConfig({ ...complete, PORT: '8080', ALLOW_LOOPBACK_WEBHOOKS: '1' })
  assert.deepEqual(config, {
    databaseUrl: complete.DATABASE_URL,
    databasePool: 10,
    temporal: { address: '127.0.0.1:7233', tls: false },
    temporalNamespace: 'default',
    temporalUiUrl: null,
    taskQueue: 'steadypay',
    webhookTaskQueue: 'steadypay-webhooks',
    workerQueues: ['main', 'webhooks'],
    workerVersion: null,
    workflowBundles: undefined,
    host: '127.0.0.1',
    port: 8080,
    metrics: null,
    drainMs: 0,
    tracing: null,
    publicUrl: 'http://127.0.0.1:8080',
    trustedProxyHops: 0,
    deployment: 'development',
    encryptionKeys: complete.ENCRYPTION_KEYS,
    keyPepper: Buffer.alloc(32, 7),
    smtpUrl: null,
    mailFrom: 'no-reply@localhost',
    ratesUrl: null,
    ratesKey: null,
    providers: { stripe: null, paystack: null },
    allowLoopbackWebhooks: true,
    riskLimits: { amountUsd: '10000', firstToDestinationUsd: '2000', withinAnHour: 20 },
    secondApprovalAboveUsd: '1000',
    logLevel: 'info',
  })
})

test('a worker works on all queues, or on those of money or of webhooks', () => {
  const queuesOf = (name: string) => loadConfig({ ...complete, WORKER_QUEUES: name }).workerQueues
  assert.deepEqual(['', 'all', 'money', 'webhooks'].map(queuesOf), [
    ['main', 'webhooks'],
    ['main', 'webhooks'],
    ['main'],
    ['webhooks'],
  ])
  assert.throws(() => queuesOf('refunds'), /WORKER_QUEUES must be one of all, money, webhooks/)
})

test('a worker has a release where WORKER_BUILD_ID is set, among those of its task queue', () => {
  const versionOf = (build: string) =>
    loadConfig({ ...complete, TASK_QUEUE: 'pay.live', WORKER_BUILD_ID: build }).workerVersion
  assert.deepEqual(versionOf('2026-12-01'), { deploymentName: 'pay-live', buildId: '2026-12-01' })
  assert.equal(versionOf(''), null)
  for (const wrong of ['a b', 'v1:2', '-1', '1.', 'x'.repeat(64)])
    assert.throws(() => versionOf(wrong), /WORKER_BUILD_ID must be up to 63 letters/)
})

test('limits of review and second approval are configuration, in whole dollars and payouts an hour', () => {
  const limits = {
    REVIEW_PAYOUT_ABOVE_USD: '500',
    REVIEW_FIRST_PAYOUT_ABOVE_USD: '0',
    REVIEW_PAYOUTS_PER_HOUR: '3',
    SECOND_APPROVAL_ABOVE_USD: '250',
  }
  const { riskLimits, secondApprovalAboveUsd } = loadConfig({ ...complete, ...limits })
  assert.deepEqual(riskLimits, { amountUsd: '500', firstToDestinationUsd: '0', withinAnHour: 3 })
  assert.equal(secondApprovalAboveUsd, '250')
  for (const name of Object.keys(limits)) {
    for (const wrong of ['-1', '1.5', '1e3', 'none', '1000000001']) {
      assert.throws(() => loadConfig({ ...complete, [name]: wrong }), new RegExp(`${name} must be`), `${name}=${wrong}`)
    }
  }
})

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789, whsec_9876543210',
}
const paystack = { PAYSTACK_SECRET_KEY: 'sk_test_0123456789', PAYSTACK_OLD_SECRET_KEYS: 'sk_test_9876543210' }

test('a provider is configured as a whole, with what its callbacks are signed with', () => {
  const { providers } = loadConfig({ ...complete, ...stripe, ...paystack, STRIPE_API_URL: 'http://127.0.0.1:12111/' })
  assert.deepEqual(providers, {
    stripe: {
      secretKey: 'sk_test_0123456789',
      publishableKey: 'pk_test_0123456789',
      callbackSecrets: ['whsec_0123456789', 'whsec_9876543210'],
      url: 'http://127.0.0.1:12111',
      livemode: false,
    },
    paystack: {
      secretKey: 'sk_test_0123456789',
      callbackSecrets: ['sk_test_0123456789', 'sk_test_9876543210'],
      url: null,
      livemode: false,
    },
  })
})

test('a half configured provider stops the start, and so does a key of the wrong mode, which is not repeated', () => {
  const whole = 'the provider is configured as a whole or not at all'
  for (const name of Object.keys(stripe))
    assert.deepEqual(problemsOf({ ...complete, ...stripe, [name]: '' }), [`${name} is missing; ${whole}`])
  for (const extra of [{ PAYSTACK_OLD_SECRET_KEYS: 'sk_test_9876543210' }, { PAYSTACK_API_URL: 'https://p.example' }])
    assert.deepEqual(problemsOf({ ...complete, ...extra }), [`PAYSTACK_SECRET_KEY is missing; ${whole}`])
  assert.deepEqual(problemsOf({ ...complete, STRIPE_API_URL: 'https://s.example' }).length, 3)
  const urls = { PUBLIC_URL: 'https://pay.example.com', RATES_URL: 'https://rates.example.com' }
  const live = { ...complete, ...urls, DEPLOYMENT: 'live' }
  const wrong = [
    [{ ...complete, ...stripe, STRIPE_SECRET_KEY: 'rk_live_0123456789' }, 'STRIPE_SECRET_KEY', 'test', 'development'],
    [{ ...complete, PAYSTACK_SECRET_KEY: 'sk_live_0123456789' }, 'PAYSTACK_SECRET_KEY', 'test', 'development'],
    [{ ...live, PAYSTACK_SECRET_KEY: 'sk_test_0123456789' }, 'PAYSTACK_SECRET_KEY', 'live', 'live'],
  ] as const
  for (const [env, name, mode, deployment] of wrong)
    assert.deepEqual(problemsOf(env), [
      `${name} must be of the provider’s ${mode} mode where DEPLOYMENT is ${deployment}`,
    ])
  assert.equal(problemsOf({ ...live, ...stripe }).length, 2)
})

test('the secret key of a provider is sent to no address over plain http but one of this machine', () => {
  for (const url of [
    'http://stripe.example',
    'https://a@stripe.example',
    'https://stripe.example/v1',
    'ftp://127.0.0.1',
  ])
    assert.match(problemsOf({ ...complete, ...stripe, STRIPE_API_URL: url }).join(), /STRIPE_API_URL must be/, url)
})

test('all errors are listed at once, each with the name of its variable', () => {
  const errors = problemsOf({ PORT: 'http', DEPLOYMENT: 'prod', TEMPORAL_ADDRESS: 'somewhere', DATABASE_POOL: '-1' })
  assert.deepEqual(errors, [
    'DATABASE_URL is missing; it must be a postgres:// address',
    'DATABASE_POOL must be a whole number from 2 to 200, and is "-1"',
    'TEMPORAL_ADDRESS must be host:port, and is "somewhere"',
    'PORT must be a port number from 0 to 65535, and is "http"',
    'DEPLOYMENT must be one of development, sandbox, live, and is "prod"',
    'ENCRYPTION_KEYS is missing; it must be id:base64 of 32 bytes, several separated by commas',
    'KEY_PEPPER is missing; it must be base64 of at least 32 bytes',
  ])
})

test('a number out of its range, or followed by anything else, is an error', () => {
  for (const PORT of ['65536', '80x', '8.5', '1e3', '0x50', ' 80']) {
    assert.equal(problemsOf({ ...complete, PORT }).length, 1, PORT)
    assert.equal(problemsOf({ ...complete, METRICS_PORT: PORT }).length, 1, PORT)
  }
})

test('metrics are served where their port is set, and by default on this machine alone', () => {
  const metricsOf = (env: NodeJS.ProcessEnv) => loadConfig({ ...complete, ...env }).metrics
  assert.equal(metricsOf({ METRICS_PORT: '', METRICS_HOST: '0.0.0.0' }), null)
  assert.deepEqual(metricsOf({ METRICS_PORT: '65535' }), { host: '127.0.0.1', port: 65_535 })
  assert.deepEqual(metricsOf({ METRICS_PORT: '0', METRICS_HOST: '::' }), { host: '::', port: 0 })
})

test('no error message contains a secret', () => {
  const env = { DATABASE_URL: 'mysql://marker', ENCRYPTION_KEYS: 'k1:marker', KEY_PEPPER: 'marker' }
  const errors = problemsOf({ ...complete, ...env })
  assert.equal(errors.length, 3)
  assert.ok(!errors.join().includes('marker'))
})

test('an address that cannot be read stops the start, says how a password is written, and is not repeated', () => {
  const addresses = [
    ['DATABASE_URL', 'postgres://u:mar/ker@h:5432/x'],
    ['DATABASE_URL', 'postgres://u:marker%@h:5432/x'],
    ['SMTP_URL', 'smtps://u:mar/ker@h:465'],
    ['RATES_URL', 'https://u:mar/ker@h'],
    ['PUBLIC_URL', 'https://h:99999'],
  ] as const
  for (const [name, url] of addresses) {
    const [error, ...more] = problemsOf({ ...complete, [name]: url })
    assert.match(String(error), new RegExp(`^${name} must be an? .*: it cannot be read; in a password / is %2F`))
    assert.ok(more.length === 0 && !/mar|99999/.test(String(error)))
    assert.deepEqual(
      problemsOf({ ...complete, [name]: url.replace('r/k', 'r%2Fk').replace('%@', '%25@').replace('99999', '9999') }),
      [],
    )
  }
})

test('an encryption key that is not 32 bytes long is an error, also when it follows a good one', () => {
  for (const bytes of [16, 31, 33, 64]) {
    const short = Buffer.alloc(bytes, 1).toString('base64')
    assert.equal(problemsOf({ ...complete, ENCRYPTION_KEYS: `k1:${key},k0:${short}` }).length, 1, `${bytes} bytes`)
  }
})

test('two encryption keys with one id stop the start: what is encrypted under the older one could not be read', () => {
  const other = Buffer.alloc(32, 8).toString('base64')
  for (const ENCRYPTION_KEYS of [`k1:${other},k1:${key}`, `k2:${key}, k1:${key} , k1:${other}`])
    assert.deepEqual(problemsOf({ ...complete, ENCRYPTION_KEYS }), [
      'ENCRYPTION_KEYS must be id:base64 of 32 bytes, several separated by commas: ' +
        'two of them have the id k1, and each needs an id of its own',
    ])
  assert.throws(() => createEncrypter(`k1:${other},k1:${key}`), /two of them have the id k1/)
})

test('an encryption key without an id, given twice, is in no error: it stands where an id would', () => {
  for (const ENCRYPTION_KEYS of [
    `${key},${key}`,
    'short,short',
    `k1:${key},${key}, ${key}`,
    `k1:${key},:${key},:${key}`,
  ]) {
    const [problem, ...more] = problemsOf({ ...complete, ENCRYPTION_KEYS })
    assert.match(problem ?? '', /^ENCRYPTION_KEYS must be id:base64 of 32 bytes, several separated by commas/)
    assert.deepEqual(more, [])
    const repeats = (text: string) => text.includes(key) || text.includes('short')
    assert.ok(!repeats(problem ?? ''), 'the key is in the error')
    assert.throws(
      () => createEncrypter(ENCRYPTION_KEYS),
      (error) => !repeats(String(error)),
    )
  }
})

test('each variable may be read from a file', () => {
  const file = join(folder, 'pepper')
  writeFileSync(file, `${Buffer.alloc(40, 9).toString('base64')}\n`)
  const { KEY_PEPPER: _, ...rest } = complete
  assert.deepEqual(loadConfig({ ...rest, KEY_PEPPER_FILE: file }).keyPepper, Buffer.alloc(40, 9))
})

test('a file that cannot be read, and a variable that is given twice, are errors', () => {
  const { KEY_PEPPER: _, ...rest } = complete
  assert.deepEqual(problemsOf({ ...rest, KEY_PEPPER_FILE: join(folder, 'none') }), [
    'KEY_PEPPER_FILE must name a readable file (ENOENT)',
  ])
  const file = join(folder, 'twice')
  writeFileSync(file, key)
  assert.deepEqual(problemsOf({ ...complete, KEY_PEPPER_FILE: file }), [
    'KEY_PEPPER and KEY_PEPPER_FILE must not both be set',
  ])
})

test('an empty variable counts as absent', () => {
  assert.equal(loadConfig({ ...complete, PORT: '', PUBLIC_URL: '' }).port, 3000)
})

test('a live deployment refuses webhooks to itself and needs its public address', () => {
  assert.deepEqual(problemsOf({ ...complete, DEPLOYMENT: 'live', ALLOW_LOOPBACK_WEBHOOKS: '1' }), [
    'ALLOW_LOOPBACK_WEBHOOKS must be 0 where DEPLOYMENT is live',
    'PUBLIC_URL is missing; DEPLOYMENT live needs it',
    'RATES_URL is missing; DEPLOYMENT live needs it',
  ])
  const live = {
    ...complete,
    DEPLOYMENT: 'live',
    PUBLIC_URL: 'https://pay.example.com/',
    RATES_URL: 'https://rates.example',
  }
  assert.equal(loadConfig(live).publicUrl, 'https://pay.example.com')
})

test('.env.example is what the schema generates (npm run docs)', () => {
  assert.equal(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8'), renderEnvExample())
})
