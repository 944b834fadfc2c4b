import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { promisify } from 'node:util'
import { findConnection } from '../../client/connection.ts'
import { type Credential, writeCredential } from '../../client/credential.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { runClient, startClient, startFakeApi } from '../support/client.ts'
import { createLogins, paths, type Person, totpAt } from '../support/login.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const keys = await useApi(stack)
const logins = createLogins(stack)

let home: string
let owner: Person
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'steadypay-login-'))
  owner = await logins.addPerson({ accountId: stack.organizationId })
})
afterEach(() => rmSync(home, { recursive: true }))

const file = () => join(home, 'steadypay/credentials.json')
const env = () => ({ XDG_CONFIG_HOME: home, STEADYPAY_API_KEY: '', STEADYPAY_BASE_URL: '' })
/** Runs a command without a key in its environment. */
const run = (args: string[], input?: string, more = {}) => runClient('', args, { ...env(), ...more }, input)
const answersOf = ({ email, password, totpSecret }: Person, code = totpAt(totpSecret, Date.now())) =>
  `${email}\n${password}\n${code}\n`
const logIn = (person = owner, ...more: string[]) =>
  run(['login', '--base-url', stack.baseUrl, ...more], answersOf(person))
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as Credential & { kind: 'session' }
const openSessions = async (person = owner) =>
  (await stack.sql('select from login_sessions where user_id = ? and ended_at is null', [person.id])).length

test('after a login the commands act as the person, and no secret is printed or readable by others', async () => {
  const { code, stdout, stderr } = await logIn()
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(`^Logged in to ${stack.baseUrl} as ${owner.email}, in sandbox\\.\n$`))
  assert.equal(statSync(file()).mode & 0o777, 0o600)
  assert.equal(statSync(join(home, 'steadypay')).mode & 0o777, 0o700)
  const { access_token, refresh_token } = stored()
  for (const secret of [owner.password, access_token, refresh_token]) assert.ok(!(stdout + stderr).includes(secret))
  assert.ok(!readFileSync(file(), 'utf8').includes(owner.password))

  const who = JSON.parse((await run(['whoami', '--json'])).stdout) as Record<string, unknown>
  assert.deepEqual(
    [who['email'], who['role'], who['account_id'], who['environment'], who['credential'], who['base_url']],
    [owner.email, 'owner', stack.organizationId, 'sandbox', 'session', stack.baseUrl],
  )
  assert.equal((await run(['events', 'list'])).code, 0)
})

test('a logout ends the session on the server and removes the file; then there is no credential', async () => {
  await logIn()
  const { refresh_token } = stored()
  const { code, stdout } = await run(['logout', '--json'])
  assert.deepEqual([code, (JSON.parse(stdout) as Record<string, unknown>)['session_ended']], [0, true])
  assert.equal(await openSessions(), 0)
  assert.equal((await logins.post(paths.refresh, { refresh_token })).status, 401)
  assert.deepEqual(readdirSync(join(home, 'steadypay')), [])
  const again = await run(['logout', '--json'])
  assert.deepEqual([again.code, (JSON.parse(again.stderr) as { error_code: string }).error_code], [1, 'NOT_LOGGED_IN'])
})

test('a logout whose server is away keeps the credential, and says why', async () => {
  await logIn()
  writeFileSync(file(), JSON.stringify({ ...stored(), base_url: 'http://127.0.0.1:1' }))
  const { code, stderr } = await run(['logout'])
  assert.equal(code, 1)
  assert.match(stderr, /Nothing answers/)
  assert.equal(stored().email, owner.email)
})

test('of many commands at once whose token has expired one renews it, and the session stays open', async () => {
  await logIn()
  const before = stored()
  writeFileSync(file(), JSON.stringify({ ...before, access_token: `${before.access_token}x` }), { mode: 0o600 })
  const done = await Promise.all(Array.from({ length: 4 }, () => run(['whoami'])))
  for (const { code, stderr } of done) assert.equal(code, 0, stderr)
  assert.notEqual(stored().refresh_token, before.refresh_token)
  assert.equal(await openSessions(), 1)
  assert.equal((await run(['whoami'])).code, 0)
  assert.deepEqual(readdirSync(join(home, 'steadypay')), ['credentials.json'])
})

test('a lock that a killed command has left behind is taken over', async () => {
  await logIn()
  writeFileSync(file(), JSON.stringify({ ...stored(), access_token: 'old' }), { mode: 0o600 })
  const lock = `${file()}.lock`
  writeFileSync(lock, 'a process that is gone')
  utimesSync(lock, new Date(), new Date(Date.now() - 60_000))
  assert.equal((await run(['whoami'])).code, 0)
  assert.deepEqual(readdirSync(join(home, 'steadypay')), ['credentials.json'])
})

test('a session that was ended elsewhere is reported, and a logout clears it', async () => {
  await logIn()
  await stack.sql('update login_sessions set ended_at = now() where user_id = ?', [owner.id])
  await new Promise((resolve) => setTimeout(resolve, 600)) // a process remembers a session for half a second
  const { code, stderr } = await run(['events', 'list', '--json'])
  assert.deepEqual([code, (JSON.parse(stderr) as { error_code: string }).error_code], [1, 'LOGGED_OUT'])
  assert.equal((await run(['logout'])).code, 0)
})

test('a credential goes to no other address than its own, and a key of the environment wins over it', async () => {
  await logIn()
  const other = await startFakeApi()
  const elsewhere = await run(['whoami', '--json'], undefined, { STEADYPAY_BASE_URL: other.baseUrl })
  assert.equal(elsewhere.code, 1)
  assert.ok(!JSON.stringify(other.calls).includes(stored().access_token))
  await other.close()
  const key = { STEADYPAY_API_KEY: stack.merchant.apiKey, STEADYPAY_BASE_URL: stack.baseUrl }
  const who = JSON.parse((await run(['whoami', '--json'], undefined, key)).stdout) as Record<string, unknown>
  assert.deepEqual([who['credential'], who['source']], ['api_key', 'STEADYPAY_API_KEY'])
})

test('a key of the environment goes to the service of the login, and to that of npm start only without a login', () => {
  const [development, login] = [join(home, 'dev.json'), 'https://pay.example.com']
  writeFileSync(development, JSON.stringify({ base_url: 'http://127.0.0.1:3000', api_key: 'kept' }))
  const find = (more = {}, given = {}) =>
    findConnection({
      env: { STEADYPAY_API_KEY: 'sk_live_given', ...more },
      file: development,
      credentials: file(),
      ...given,
    })
  const used = { apiKey: 'sk_live_given', keySource: 'STEADYPAY_API_KEY' }
  assert.deepEqual(find(), { baseUrl: 'http://127.0.0.1:3000', ...used })
  writeCredential(file(), { kind: 'api_key', base_url: login, api_key: 'sk_sandbox_stored' })
  assert.deepEqual(find(), { baseUrl: login, ...used })
  assert.deepEqual(find({}, { file: join(home, 'none.json') }), { baseUrl: login, ...used })
  assert.equal(find({ STEADYPAY_BASE_URL: 'https://other.example.com' }).baseUrl, 'https://other.example.com')
  assert.equal(find({}, { baseUrl: 'https://third.example.com' }).baseUrl, 'https://third.example.com')
})

test('a key of the environment without an address is not used while the file of the login cannot be read', () => {
  const find = (more = {}) => findConnection({ env: { STEADYPAY_API_KEY: 'given', ...more }, credentials: file() })
  mkdirSync(dirname(file()), { recursive: true })
  for (const [text, mode, code] of [
    [JSON.stringify({ kind: 'api_key', base_url: 'https://pay.example.com' }), 0o644, 'CREDENTIAL_EXPOSED'],
    ['{', 0o600, 'CREDENTIAL_UNREADABLE'],
  ] as const) {
    writeFileSync(file(), text, { mode })
    assert.throws(find, { code, message: /With STEADYPAY_BASE_URL set, your key does not need this file\.$/ })
    assert.equal(find({ STEADYPAY_BASE_URL: 'http://localhost:1' }).baseUrl, 'http://localhost:1')
    rmSync(file())
  }
})

test('the help says where the address of the service comes from', async () => {
  const { stdout } = await run(['--help'])
  assert.match(stdout.replaceAll(/\s+/g, ' '), /\(default: STEADYPAY_BASE_URL, then that of the login, then/)
})

test('a file that others may read is not used', async () => {
  await logIn()
  const credential = readFileSync(file())
  rmSync(file())
  writeFileSync(file(), credential, { mode: 0o644 })
  const { code, stderr } = await run(['whoami', '--json'])
  assert.deepEqual([code, (JSON.parse(stderr) as { error_code: string }).error_code], [1, 'CREDENTIAL_EXPOSED'])
  assert.match((await logIn()).stderr, /chmod 600 on it, or remove it and log in again/)
  rmSync(file())
  await stack.sql('update users set last_totp_step = null where id = ?', [owner.id])
  assert.equal((await logIn()).code, 0)
})

test('a wrong password, a wrong code, an environment that is not there and a second login store nothing', async () => {
  const failed = async (input: string, ...more: string[]) => {
    const { code, stderr } = await run(['login', '--json', '--base-url', stack.baseUrl, ...more], input)
    assert.equal(code, 1)
    return (JSON.parse(stderr) as { error_code: string; request_id?: string }).error_code
  }
  assert.equal(await failed(answersOf({ ...owner, password: 'another-password' })), 'INVALID_CREDENTIALS')
  assert.equal(await failed(answersOf(owner, '000000')), 'INVALID_CODE')
  assert.equal(await failed('ada@example.com\n'), 'NO_INPUT')
  const person = await logins.addPerson({ accountId: stack.organizationId })
  assert.equal(await failed(answersOf(person), '--environment', 'live'), 'FORBIDDEN')
  assert.equal(await openSessions(person), 0)
  assert.ok(!readdirSync(home).includes('steadypay'))
  const third = await logins.addPerson({ accountId: stack.organizationId })
  assert.equal((await logIn(third)).code, 0)
  assert.equal(await failed(answersOf(person)), 'LOGGED_IN')
})

test('a login whose last answer is an error says so, ends its session, and stores nothing', async () => {
  const tokens = { access_token: 'an-access-token', refresh_token: 'a-refresh-token' }
  const answers: Record<string, unknown> = {
    [paths.password]: { challenge_id: 'a-challenge', method: 'totp' },
    [paths.verify]: { ...tokens, user: { email: owner.email } },
    [paths.begin]: { token: 'a-login-token' },
    [paths.logout]: {},
  }
  const busy = { detail: 'try again later', error_code: 'SERVICE_UNAVAILABLE' }
  const api = await startFakeApi(({ path }) =>
    path in answers ? { status: 200, body: answers[path] } : { status: 503, body: busy },
  )
  const { code, stderr } = await run(['login', '--json', '--base-url', api.baseUrl], answersOf(owner, '123456'))
  await api.close()
  assert.deepEqual([code, (JSON.parse(stderr) as { error_code: string }).error_code], [1, 'SERVICE_UNAVAILABLE'])
  assert.equal(api.calls.at(-1)?.path, paths.logout)
  assert.ok(!readdirSync(home).includes('steadypay'))
})

test('a login that cannot be renewed is reported as one without an answer, and is kept', async () => {
  const refused = { detail: 'a valid credential is required', error_code: 'UNAUTHORIZED' }
  const api = await startFakeApi(({ path }) =>
    path === paths.refresh ? { status: 200 } : { status: 401, body: refused },
  )
  await logIn()
  writeFileSync(file(), JSON.stringify({ ...stored(), base_url: api.baseUrl }))
  const { code, stderr } = await run(['events', 'list', '--json'])
  await api.close()
  assert.deepEqual([code, (JSON.parse(stderr) as { error_code: string }).error_code], [1, 'NO_ANSWER'])
  assert.equal(stored().email, owner.email)
})

test('what follows the service goes on where a login could not be renewed for a moment', async (t) => {
  const page = { items: [], pagination: { next_cursor: null, has_more: false } }
  let reads = 0
  const api = await startFakeApi(({ path }) => {
    if (path === paths.refresh) return { status: 503 }
    return reads++ === 0
      ? { status: 200, body: page }
      : { status: 401, body: { detail: '', error_code: 'UNAUTHORIZED' } }
  })
  await logIn()
  writeFileSync(file(), JSON.stringify({ ...stored(), base_url: api.baseUrl }))
  const client = startClient('', ['logs', 'tail'], env())
  t.after(async () => {
    await client.end('SIGKILL')
    await api.close()
  })
  await client.says('The login could not be renewed (status 503). Try again later. If your login has then ended')
})

test('a password is sent to no address that is neither https nor on this machine', async () => {
  const { code, stderr } = await run(['login', '--json', '--base-url', 'http://pay.example.com'], answersOf(owner))
  assert.deepEqual([code, (JSON.parse(stderr) as { error_code: string }).error_code], [1, 'NOT_SECRET'])
})

test('--api-key stores a key that the service accepts; a logout removes it and does not revoke it', async () => {
  const refused = await run(['login', '--api-key', '--base-url', stack.baseUrl], 'sk_sandbox_nothing\n')
  assert.equal(refused.code, 1)
  const { apiKey } = stack.merchant
  const { code, stdout, stderr } = await run(['login', '--api-key', '--base-url', stack.baseUrl], `${apiKey}\n`)
  assert.equal(code, 0, stderr)
  assert.ok(!(stdout + stderr).includes(apiKey))
  assert.equal(statSync(file()).mode & 0o777, 0o600)
  assert.match((await run(['whoami'])).stdout, /credential +api_key/)
  assert.match((await run(['logout'])).stdout, /stays valid/)
  assert.equal((await stack.merchant.call('GET', '/v1/account')).status, 200)
})

test('--api-key stores a key with narrow scopes, such as one that only listens; whoami names no account', async () => {
  const { key } = await keys.addKey({ accountId: await keys.addAccount(), scopes: ['webhooks:read'] })
  const { code, stderr } = await run(['login', '--api-key', '--base-url', stack.baseUrl], `${key}\n`)
  assert.equal(code, 0, stderr)
  const who = await run(['whoami', '--json'])
  assert.equal(who.code, 0, who.stderr)
  assert.partialDeepStrictEqual(JSON.parse(who.stdout), { credential: 'api_key', account_id: null })
})

test('on a terminal the password and the code are not shown while they are typed', async () => {
  const command = [process.execPath, join(ROOT, 'client/main.ts'), 'login', '--base-url', stack.baseUrl]
  const typed = [`Email: ${owner.email}`, `Password: ${owner.password}`, 'backup code: 000000']
  const options = { env: { ...process.env, ...env() }, timeout: 30_000 }
  const args = ['-c', typing, JSON.stringify(typed), ...command]
  const { stdout: shown } = await promisify(execFile)('python3', args, options)
  assert.ok(shown.includes(owner.email), shown)
  assert.match(shown, /Password: [\s\S]*code[\s\S]*INVALID_CODE/)
  assert.ok(!shown.includes(owner.password))
  assert.ok(!shown.includes('000000'))
})

/** Runs a command on a pseudo-terminal, types an answer after each question, and prints all that the terminal shows. */
const typing = `
import json, os, pty, sys
answers = [text.encode().split(b': ', 1) for text in json.loads(sys.argv[1])]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b''
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if answers and answers[0][0] + b':' in shown:
        os.write(terminal, answers.pop(0)[1] + b'\\r')
sys.stdout.buffer.write(shown)
`
