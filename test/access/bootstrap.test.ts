import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startChild } from '../../scripts/infra/child.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { paths, totpAt } from '../support/login.ts'
import { createMerchant } from '../support/merchant.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'
import { useDatabase } from '../support/use-database.ts'

// The first people of a new service come by links that a command prints, as do further staff. All of it on a database
// without any data and an API process as a live deployment has it.
const database = await useDatabase()
const sql = <T extends object>(text: string, params: unknown[] = []) =>
  database.orm.em.fork().execute<T[]>(text, params)
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const env = {
  ...process.env,
  DATABASE_URL: database.url,
  DEPLOYMENT: 'live',
  PUBLIC_URL: 'https://pay.example.com/',
  RATES_URL: 'http://127.0.0.1:9/rates',
  PORT: String(port),
  KEY_PEPPER: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
}

type Ran = { code: number; stdout: string; stderr: string }

/** Runs a script as an operator does. */
const run = (script: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: ROOT,
    env: { ...env, ...more },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ran) => error,
  )
const flags = (organization: string, owner: string, reviewer: string) => [
  `--organization=${organization}`,
  `--owner=${owner}`,
  `--reviewer=${reviewer}`,
]
const firstPeople = flags('Obi & Søns', 'Ada@example.com', 'grace@example.com')
const links = /https:\/\/pay\.example\.com\/dashboard\/invitation\/(ti_\w+_secret_[\w-]+)/g
const tokensIn = ({ stdout }: Ran) => Array.from(stdout.matchAll(links), ([, token]) => token)

const { call: send } = createMerchant(base, '')
const call = (method: string, path: string, token: string, body?: unknown) =>
  send(method, path, body, { ...fromAnywhere(), ...(token ? bearer(token) : { authorization: '' }) })

/** Does what the page of a link does, then signs in with password and authenticator app. */
async function joinAndLogIn(token: string, email: string): Promise<string> {
  const password = `a-long-password-of-${email}`
  const accepted = await call('POST', '/v1/invitation/accept', token, { full_name: 'A Person', password })
  const secret = String(accepted.body['secret'])
  const joined = await call('POST', '/v1/invitation/confirm', token, { code: totpAt(secret, Date.now()) })
  assert.equal(joined.status, 200, joined.text)
  assertError(await call('GET', '/v1/invitation', token), 401, 'UNAUTHORIZED')
  await sql('update users set last_totp_step = null') // a code works once; the next one comes after 30 s
  const begun = await call('POST', paths.begin, '')
  const sent = await call('POST', paths.password, '', { email, password, login_token: begun.body['token'] })
  const { challenge_id } = sent.body
  const code = totpAt(secret, Date.now())
  const verified = await call('POST', paths.verify, '', { challenge_id, code, code_type: 'primary' })
  assert.equal(verified.status, 200, verified.text)
  return String(verified.body['access_token'])
}

async function startApi(): Promise<() => string> {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-bootstrap-'))
  const logFile = join(folder, 'api.log')
  const api = startChild({ name: 'API', command: [process.execPath, 'api/main.ts'], cwd: ROOT, env, logFile })
  atEnd(async () => {
    await api.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const log = () => readFileSync(logFile, 'utf8')
  await until(() => log().includes('API is listening') || !api.isRunning(), 'the API listens')
  return log
}

test('bootstrap refuses wrong flags, an incomplete configuration and a database without tables', async () => {
  for (const wrong of [
    [],
    ['--organization', 'Obi'],
    flags('  ', 'ada@example.com', 'grace@example.com'),
    flags('Obi\nSøns', 'ada@example.com', 'grace@example.com'),
    flags('Obi', 'ada', 'grace@example.com'),
    flags('Obi', 'ada@example.com', 'ADA@example.com'),
    [...firstPeople, '--demo'],
  ]) {
    const { code, stderr, stdout } = await run('bootstrap', wrong)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^Usage: npm run bootstrap/)
  }
  const incomplete = await run('bootstrap', firstPeople, { PUBLIC_URL: '', KEY_PEPPER: '' })
  assert.deepEqual([incomplete.code, incomplete.stdout], [1, ''])
  assert.match(incomplete.stderr, /KEY_PEPPER is missing/)
  const empty = await useDatabase({ template: 'template1' })
  const unmigrated = await run('bootstrap', firstPeople, { DATABASE_URL: empty.url })
  assert.equal(unmigrated.code, 1)
  assert.match(unmigrated.stderr, /^The database has not applied the migration .*: run the command `migrate` first/)
  assert.deepEqual(await sql('select 1 from accounts'), [])
})

test('of two bootstraps at once one wins; its links bring an owner with a live key, and a reviewer', async () => {
  const both = await Promise.all([run('bootstrap', firstPeople), run('bootstrap', firstPeople)])
  const [won, lost] = both.toSorted((left, right) => left.code - right.code) as [Ran, Ran]
  assert.deepEqual([won.code, lost.code, lost.stdout], [0, 1, ''])
  assert.match(lost.stderr, /^there is an organization already: acct_\w+\. Nothing has changed\.\n$/)
  const [account, ...others] = await sql<{ id: string; name: string }>('select id, name from accounts')
  assert.deepEqual([account?.name, others], ['Obi & Søns', []])
  const [ownerToken = '', reviewerToken = '', ...more] = tokensIn(won)
  assert.deepEqual(more, [])
  for (const table of ['users', 'api_keys', 'checkouts', 'customers'])
    assert.deepEqual(await sql(`select 1 from ${table}`), [], `${table} has no demo data`)

  const log = await startApi()
  const opened = await call('GET', '/v1/invitation', reviewerToken)
  assert.deepEqual([opened.body['organization_name'], opened.body['role']], [null, 'reviewer'])
  const owner = await joinAndLogIn(ownerToken, 'ada@example.com')
  const me = await call('GET', '/api/v1/auth/me', owner)
  assert.deepEqual([me.body['role'], me.body['account_id']], ['owner', account?.id])
  const invitations = await call('GET', '/v1/team/invitations', owner)
  const shown = (invitations.body['items'] as unknown as Record<string, unknown>[]).map((each) => [
    each['email'],
    each['invited_by'],
    each['status'],
  ])
  assert.deepEqual(shown, [['ada@example.com', null, 'accepted']], 'staff are not shown to an organization')

  assert.match((await run('activate-account', [account?.id ?? ''])).stdout, /is live/)
  const key = await call('POST', '/api/v1/auth/api-keys', owner, { key_name: 'First', env: 'live' })
  assert.match(String(key.body['key']), /^sk_live_/, key.text)
  assert.equal((await call('GET', '/v1/payments', String(key.body['key']))).status, 200)

  const reviewer = await joinAndLogIn(reviewerToken, 'grace@example.com')
  assert.equal((await call('GET', '/api/v1/admin/reviews?state=open', reviewer)).status, 200)
  assertError(await call('GET', '/v1/payments', reviewer), 403, 'FORBIDDEN')

  const again = await run('bootstrap', firstPeople)
  assert.deepEqual([again.code, again.stdout], [1, ''])
  for (const secret of [ownerToken, reviewerToken]) assert.ok(!log().includes(secret.split('_secret_')[1] ?? ''))
})

test('a further reviewer and a second owner come by npm run invite; a new link replaces the earlier one', async () => {
  const [{ id = '' } = {}] = await sql<{ id: string }>('select id from accounts')
  for (const wrong of [
    [],
    ['reviewer', 'alan'],
    ['reviewer', 'alan@example.com', id],
    ['owner', 'alan@example.com'],
    ['admin', 'alan@example.com', id],
  ])
    assert.equal((await run('invite', wrong)).code, 2, wrong.join(' '))
  const taken = await run('invite', ['reviewer', 'ADA@example.com'])
  assert.deepEqual([taken.code, taken.stderr], [1, 'a person already signs in with ada@example.com\n'])
  assert.match((await run('invite', ['owner', 'x@example.com', 'acct_none'])).stderr, /There is no account acct_none/)

  const [first = ''] = tokensIn(await run('invite', ['reviewer', 'alan@example.com']))
  const [second = ''] = tokensIn(await run('invite', ['reviewer', 'alan@example.com']))
  assertError(await call('GET', '/v1/invitation', first), 401, 'UNAUTHORIZED')
  const reviewer = await joinAndLogIn(second, 'alan@example.com')
  assert.equal((await call('GET', '/api/v1/admin/reviews?state=open', reviewer)).status, 200)
  const [owner = ''] = tokensIn(await run('invite', ['owner', 'bea@example.com', id]))
  const me = await call('GET', '/api/v1/auth/me', await joinAndLogIn(owner, 'bea@example.com'))
  assert.deepEqual([me.body['role'], me.body['account_id']], ['owner', id])

  const page = (path: string, cookie = '') => fetch(base + path, { redirect: 'manual', headers: { cookie } })
  const [third = ''] = tokensIn(await run('invite', ['reviewer', 'carl@example.com']))
  const entered = await page(`/dashboard/invitation/${third}`)
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  assert.match(await (await page('/dashboard/invitation', cookie)).text(), /<h1>Join the staff of steadypay<\/h1>/)
  const audited = await sql<{ address: string }>(
    `select address from audit_entries where action = 'invitation.created'`,
  )
  assert.deepEqual(new Set(audited.map(({ address }) => address)), new Set(['command line']))
})

test('npm run remove-staff ends the sessions of a reviewer who leaves, and the last one stays', async () => {
  const remove = (email: string) => run('remove-staff', [email])
  for (const wrong of [[], ['alan'], ['alan@example.com', 'more']])
    assert.equal((await run('remove-staff', wrong)).code, 2, wrong.join(' '))
  const stranger = await remove('ada@example.com')
  assert.deepEqual([stranger.code, stranger.stderr], [1, 'ada@example.com is not of the staff. Nothing has changed.\n'])

  const [token = ''] = tokensIn(await run('invite', ['reviewer', 'dora@example.com']))
  const reviewer = await joinAndLogIn(token, 'dora@example.com')
  const queue = () => call('GET', '/api/v1/admin/reviews?state=open', reviewer)
  assert.equal((await queue()).status, 200)
  assert.match((await remove('Dora@example.com')).stdout, /^dora@example\.com is not of the staff any more/i)
  await until(async () => (await queue()).status === 401, 'the session has ended')
  assert.equal((await remove('dora@example.com')).code, 1, 'once is enough')
  await sql(`update users set email = 'alan@example.com;' where email = 'alan@example.com'`)

  assert.match((await remove('carl@example.com')).stdout, /had not joined yet\. Their link no longer works/)
  assert.equal((await remove('alan@example.com;')).code, 0, 'an earlier release took such an email')
  const last = await remove('grace@example.com')
  assert.equal(last.code, 1)
  assert.match(last.stderr, /^grace@example\.com is the last of the staff/)
  const former = await sql('select email, account_id from former_members order by email')
  assert.deepEqual(former, [
    { email: 'alan@example.com;', account_id: null },
    { email: 'dora@example.com', account_id: null },
  ])
  const audited = await sql<{ count: string }>(
    `select count(*) from audit_entries where action = 'staff.removed' and address = 'command line'`,
  )
  assert.deepEqual(audited, [{ count: '2' }])
})

/** Invites a reviewer, who joins by the link while an operator runs a script about them. Returns what that has said. */
async function whileJoining(email: string, script: string, args: string[]): Promise<Ran> {
  await run('invite', ['reviewer', email])
  const joining = database.orm.em.fork()
  await joining.begin()
  await joining.execute('select from team_invitations where email = ? for update', [email])
  const ran = run(script, args)
  await untilLockWaits(database, 'the script waits')
  await joining.execute(`update team_invitations set status = 'accepted', ended_at = now() where email = ?`, [email])
  await joining.execute(
    `insert into users select (jsonb_populate_record(u, jsonb_build_object('id', 'usr_' || md5(?), 'email', ?::text))).*
     from users u where email = 'grace@example.com'`,
    [email, email],
  )
  await joining.commit()
  return ran
}

test('npm run remove-staff removes a person who joins at the same time', async () => {
  const removed = await whileJoining('eve@example.com', 'remove-staff', ['eve@example.com'])
  assert.match(removed.stdout, /^eve@example\.com is not of the staff any more/)
  assert.deepEqual(await sql(`select email from users where email = 'eve@example.com'`), [])
})

test('npm run invite makes no second link for a person who joins by the first at the same time', async () => {
  const invited = await whileJoining('finn@example.com', 'invite', ['reviewer', 'finn@example.com'])
  assert.deepEqual([invited.code, invited.stdout], [1, ''])
  assert.match(invited.stderr, /^a person already signs in with finn@example\.com/)
  const states = await sql(`select status from team_invitations where email = 'finn@example.com'`)
  assert.deepEqual(states, [{ status: 'accepted' }])
})
