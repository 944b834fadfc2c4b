import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ServiceError } from '@temporalio/client'
import { isKeyShaped } from '../../db/access/api-key.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { whyFailed } from '../../scripts/infra/why-failed.ts'
import { startProxy } from '../proof/proxy.ts'
import { createDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'

// Operators' commands as a tired operator runs them: with the wrong words, and without a database or an engine.
const database = await useDatabase()
const away = `127.0.0.1:${await freePort()}`
const password = 'hunter2-of-the-operator'
const addressOf = (change: Partial<URL>) => Object.assign(new URL(database.url), change).href

const env = {
  ...process.env,
  DATABASE_URL: database.url,
  DEPLOYMENT: 'sandbox',
  KEY_PEPPER: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  STRIPE_SECRET_KEY: 'sk_test_of_the_operator',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_operator',
  STRIPE_WEBHOOK_SECRETS: 'whsec_of_the_operator',
}

type Ran = { code: number; stdout: string; stderr: string }
const run = (command: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> => {
  const [script = '', ...args] = command
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: ROOT,
    env: { ...env, ...more },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ran) => error,
  )
}

const people = ['--organization', 'Obi', '--owner', 'ada@example.com', '--reviewer', 'grace@example.com']

/** Each command that uses the database, with good arguments and the code with which it says that it could not. */
const ofDatabase = [
  { command: ['migrate'], code: 1 },
  { command: ['activate-account', 'acct_1'], code: 1 },
  { command: ['decide-capability', 'acct_1', 'live', 'payouts', 'active'], code: 1 },
  { command: ['set-rate-tier', 'acct_1', 'live', 'platform'], code: 1 },
  { command: ['invite', 'reviewer', 'ada@example.com'], code: 1 },
  { command: ['remove-staff', 'ada@example.com'], code: 1 },
  { command: ['bootstrap', ...people], code: 1 },
  { command: ['seed'], code: 1 },
  { command: ['invariants'], code: 1 },
  { command: ['restore', 'engine', '--dry-run'], code: 1 },
  { command: ['reencrypt', '--check'], code: 2 },
  { command: ['reconcile', '--provider', 'stripe', '--day', '2026-11-20'], code: 2 },
]

/** What is wrong with the database, by its address, and what the one line says of it. */
const some = ofDatabase.filter(({ command: [name = ''] }) =>
  ['migrate', 'activate-account', 'reencrypt'].includes(name),
)
const databases: [what: string, url: string, commands: typeof some, says: RegExp][] = [
  ['is away', addressOf({ host: away, password }), ofDatabase, /ECONNREFUSED/],
  [
    'is unknown',
    addressOf({ pathname: '/nosuch', password: new URL(database.url).password }),
    some,
    /"nosuch" does not exist/,
  ],
  ['refuses the password', addressOf({ password }), some, /password authentication failed.*28P01/],
]

for (const [what, url, tried, says] of databases) {
  test(`a command whose database ${what} says so in one line without secrets, and fails`, async () => {
    for (const { command, code } of tried) {
      const ran = await run(command, { DATABASE_URL: url })
      const name = command.join(' ')
      assert.equal(ran.code, code, `${name}: ${ran.stderr}`)
      assert.match(ran.stderr, /^The database of DATABASE_URL: [^\n]+\n$/, name)
      assert.match(ran.stderr, says, name)
      assert.doesNotMatch(ran.stderr, new RegExp(password), name)
    }
  })
}

test('a command whose database was not migrated says what to run first, and does nothing', async () => {
  const unmigrated = await createDatabase('template0')
  const changing = [
    { command: ['restore', 'engine'], code: 1 },
    { command: ['restore', 'engine', '--older'], code: 1 },
    { command: ['restore', 'database'], code: 1 },
    { command: ['reencrypt'], code: 2 },
  ]
  const noQueue = { DATABASE_URL: unmigrated.url, TASK_QUEUE: 'a-queue-of-the-operator' }
  const says = 'The database has not applied the migration 0001-first-sale: run the command `migrate` first.\n'
  for (const { command, code } of [...ofDatabase.slice(1), ...changing]) {
    const ran = await run(command, noQueue)
    assert.deepEqual([ran.code, ran.stdout, ran.stderr], [code, '', says], command.join(' '))
  }
  await unmigrated.drop()
})

test('a command whose engine is away says so in one line, and fails', async () => {
  for (const command of [['release', 'status'], ['restore', 'engine', '--dry-run'], ['invariants']]) {
    const { code, stderr } = await run(command, { TEMPORAL_ADDRESS: away })
    assert.equal(code, 1, command.join(' '))
    assert.match(stderr, RegExp(`^Temporal at ${away} cannot be used without TLS: [^\\n]+\\n$`))
  }
})

test('a command that changes something waits for an engine that restarts, and says so', async () => {
  const [host = '', port] = (process.env['TEMPORAL_ADDRESS'] ?? '').split(':')
  const proxy = await startProxy({ host, port: Number(port) })
  await proxy.shut()
  const said = 'Temporal does not answer. It is asked again for about 30 seconds.\n'
  const through = { ...env, TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}` }
  const child = spawn(process.execPath, ['scripts/release.ts', 'move', 'nosuch'], { cwd: ROOT, env: through })
  const ended = once(child, 'close')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  await until(() => stderr.includes(said) || child.exitCode !== null, 'it says that the engine is away')
  await proxy.open()
  const [code] = await ended
  await proxy.shut()
  assert.deepEqual([code, stderr], [1, `${said}Temporal refuses: there is no release nosuch\n`])
})

test('what the engine answers in the middle of a command is not told of the database', async () => {
  const answer = Object.assign(new Error('14 UNAVAILABLE: gone'), { code: 14, details: 'gone', metadata: {} })
  const wrapped = new ServiceError('Failed to list workflows', { cause: answer })
  assert.equal(whyFailed(wrapped), 'Temporal at TEMPORAL_ADDRESS: gone')
  const restore = ['restore', 'engine', '--older', '--dry-run']
  const { code, stderr } = await run(restore, { TEMPORAL_NAMESPACE: 'nosuch' })
  assert.deepEqual([code, stderr], [1, "Temporal at TEMPORAL_ADDRESS: Namespace not found: 'nosuch'\n"])
})

const commands = [
  ...ofDatabase.map(({ command: [name = ''] }) => name),
  'release',
  'prepare-temporal',
  'drill',
  'check-rails',
]

test('every command shows its usage for --help, and refuses an option that does not exist', async () => {
  for (const name of commands) {
    const help = await run([name, '--help'])
    assert.deepEqual([help.code, help.stderr], [0, ''], name)
    assert.match(help.stdout, /npm run |npx steadypay /, name)
    const wrong = await run([name, '--nosuch'])
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''], name)
    assert.match(wrong.stderr, /npm run |npx steadypay /, name)
  }
})

test('an argument too many is refused, and nothing is done', async () => {
  for (const { command } of ofDatabase.filter(({ command: [name] }) => name !== 'activate-account')) {
    const { code, stdout } = await run([...command, 'more'])
    assert.deepEqual([code, stdout], [2, ''], command.join(' '))
  }
})

test('an account that does not exist is named, and so is a release', async () => {
  for (const command of [
    ['activate-account', 'acct_none'],
    ['decide-capability', 'acct_none', 'live', 'payouts', 'active'],
    ['invite', 'owner', 'ada@example.com', 'acct_none'],
  ]) {
    const { code, stderr } = await run(command)
    assert.deepEqual([code, stderr], [1, 'There is no account acct_none. Nothing has changed.\n'], command.join(' '))
  }
  for (const command of [
    ['release', 'move', 'nosuch'],
    ['release', 'ramp', 'nosuch', '0'],
  ]) {
    const { code, stdout, stderr } = await run(command)
    assert.deepEqual([code, stdout, stderr], [1, '', 'Temporal refuses: there is no release nosuch\n'])
  }
})

test('npm run seed fills an empty database once, and says that a second time', async () => {
  const empty = await createDatabase()
  const seed = (more: NodeJS.ProcessEnv = {}) => run(['seed'], { DATABASE_URL: empty.url, ...more })
  const [address, none] = ['https://example.com', '']
  const ofStripe = { STRIPE_SECRET_KEY: none, STRIPE_PUBLISHABLE_KEY: none, STRIPE_WEBHOOK_SECRETS: none }
  const inLive = await seed({ ...ofStripe, DEPLOYMENT: 'live', PUBLIC_URL: address, RATES_URL: address })
  assert.deepEqual([inLive.code, inLive.stdout], [1, ''])
  assert.match(inLive.stderr, /^DEPLOYMENT is live, and demo people are for development\. Use: npm run bootstrap\n$/)
  const ran = await Promise.all([seed(), seed()])
  const [made, ...more] = ran.filter(({ code }) => code === 0)
  assert.deepEqual(more, [])
  const said = String(made?.stdout)
  const [, accountId] = /^The organization is (acct_\w+)\. These secrets are not shown again:\n/.exec(said) ?? []
  const [, key = ''] = /^ {2}Sandbox key +(sk_sandbox_\w+)$/m.exec(said) ?? []
  assert.ok(isKeyShaped(key), said)
  for (const email of ['owner@example.com', 'reviewer@example.com'])
    assert.match(said, new RegExp(`${email}  password \\S+  authenticator \\S+\\n +otpauth:.*\\n +backup codes \\S+ `))
  const says = `There is an organization already: ${accountId}. Nothing has changed.\n`
  const refused = [...ran, await seed()].filter(({ code }) => code !== 0)
  assert.deepEqual(
    refused.map(({ code, stdout, stderr }) => [code, stdout, stderr]),
    [1, 2].map(() => [1, '', says]),
  )
  await empty.drop()
})
