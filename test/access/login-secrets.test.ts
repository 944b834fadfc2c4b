import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Deployment, deploy } from '../proof/deployment.ts'
import { bearer, fromAnywhere } from '../support/api.ts'
import { paths, totpAt } from '../support/login.ts'
import { backup, own } from '../support/own-login.ts'
import type { Merchant } from '../support/merchant.ts'

// The owner of the seed logs in to a real API process with log level trace; then its log is searched.
let deployment: Deployment
let merchant: Merchant
let log: () => string
before(async () => {
  deployment = await deploy({ env: { LOG_LEVEL: 'trace', SMTP_URL: 'smtp://user:marked-smtp-password@127.0.0.1:9' } })
  const api = await deployment.startApi()
  merchant = api.merchant
  log = api.log
})
after(() => deployment.stop())

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const reply = await merchant.call('POST', path, body, { authorization: '', ...fromAnywhere(), ...headers })
  return { status: reply.status, body: reply.body as Record<string, unknown> }
}
const text = (value: unknown): string => {
  assert.equal(typeof value, 'string')
  return String(value)
}

test('the log of a login holds no email, password, code, token or secret', async () => {
  const person = deployment.people?.owner
  assert.ok(person)
  const { email, password, totpSecret, backupCodes } = person
  const login_token = text((await post(paths.begin, {})).body['token'])
  const attempt = { email, password, login_token }
  const wrong = 'a-marked-wrong-password'
  assert.equal((await post(paths.password, { ...attempt, password: wrong })).status, 401)
  assert.equal((await post(paths.password, { ...attempt, password: 7, email: 'marked@' })).status, 400)
  const challenge_id = text((await post(paths.password, attempt)).body['challenge_id'])
  assert.equal((await post(paths.verify, { challenge_id, code: 'markedcode', code_type: 'primary' })).status, 401)
  const code = totpAt(totpSecret, Date.now())
  const session = (await post(paths.verify, { challenge_id, code, code_type: 'primary' })).body
  const [access, refresh] = [text(session['access_token']), text(session['refresh_token'])]
  const by = bearer(access)
  const renewed = 'a-marked-new-password'
  const change = { current_password: wrong, new_password: renewed, ...backup(backupCodes[0]) }
  assert.equal((await post(own.password, change, by)).status, 401)
  assert.equal((await post(own.password, { ...change, current_password: password, code: 'markedtoo' }, by)).status, 401)
  assert.equal((await post(own.password, { ...change, current_password: password }, by)).status, 200)
  const begun = await post(own.authenticator, { password: renewed, ...backup(backupCodes[1]) }, by)
  const { secret: newSecret, otpauth_uri: uri } = begun.body
  assert.equal((await post(own.confirm, { code: 'markedthree' }, by)).status, 401)
  const later = totpAt(totpSecret, Date.now() + 30_000)
  const made = await post(own.backupCodes, { password: renewed, code: later }, by)
  const newCodes = made.body['backup_codes'] as string[]
  assert.equal(newCodes.length, 8)
  const next = (await post(paths.refresh, { refresh_token: refresh })).body
  assert.equal((await post(paths.refresh, { refresh_token: refresh })).status, 401)
  await post(paths.logout, { refresh_token: refresh }, bearer(access))
  await deployment.sql(`update users set method = 'email_otp'`)
  assert.equal((await post(paths.password, { ...attempt, password: renewed })).body['method'], 'email_otp')
  const logged = log()
  assert.ok(logged.split('\n').length > 9, 'the calls are logged')
  const secrets = [
    email,
    password,
    wrong,
    'marked@',
    'markedcode',
    totpSecret,
    ...backupCodes,
    renewed,
    'markedtoo',
    'markedthree',
    text(newSecret),
    text(uri),
    ...newCodes,
    'marked-smtp-password',
    login_token,
    access,
    refresh,
    text(next['access_token']),
    text(next['refresh_token']),
  ]
  for (const secret of secrets) assert.ok(!logged.includes(secret), 'a secret is in the log')
})
