import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { encryptedColumns } from '../../db/core/reencrypt.ts'
import { keyIdOf } from '../../db/core/encryption.ts'
import { withApi } from '../support/api.ts'
import { createDatabase } from '../support/database.ts'
import { endpointsPath, taken, withEndpoints } from '../support/endpoints.ts'
import { createLogins } from '../support/login.ts'
import { sale } from '../support/merchant.ts'
import { completeAccount } from '../support/connected-account.ts'
import type { Received } from '../support/receiver.ts'
import { newKey, runReencrypt } from '../support/reencrypt.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { until } from '../support/until.ts'
import { useReceiver } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// The change of ENCRYPTION_KEYS as docs/operating/data.md describes it, with the whole service at work.
const [k1, k2] = [newKey('k1'), newKey('k2')]
const receiver = await useReceiver()
const { url, drop } = await createDatabase()
atEnd(drop)
const keyPepper = randomBytes(32)

/** The service on the same database, with these keys. */
async function withStack<T>(keys: string[], apiKey: string | null, work: (stack: Stack) => Promise<T>): Promise<T> {
  const kept = async () => undefined
  const stack = await startStack({ from: { url, drop: kept, keyPepper, encryptionKeys: keys.join(','), apiKey } })
  try {
    await withApi(stack).lift()
    const result = await work(stack)
    await stack.dispatched()
    return result
  } finally {
    await stack.stop()
  }
}

/** Every secret that an endpoint has been given. */
const given: string[] = []
const isSignedByOne = ({ headers, body }: Received): boolean =>
  given.some((secret) => {
    const text = `${String(headers['x-service-timestamp'])}.${body}`
    return createHmac('sha256', secret).update(text).digest('hex') === headers['x-service-signature']
  })

const createWith = (stack: Stack, key: string) =>
  stack.merchant.call('POST', '/v1/checkout-sessions', sale, { 'idempotency-key': key })

/** Values of most kinds, all under the first key. */
async function fill(stack: Stack) {
  const { add } = withEndpoints(stack.merchant)
  given.push('the-first-secret')
  const endpointId = await add({ url: receiver.url, secret: 'the-first-secret' })
  const logins = createLogins(stack)
  const person = await logins.addPerson()
  const answers: string[] = []
  for (let n = 0; n < 40; n++) answers.push((await createWith(stack, `once-${n}`)).text)
  const { account_id: accountId } = await completeAccount(stack.merchant, { company: { tax_id: 'TAX-1' } })
  await logins.challenge(await logins.addPerson({ method: 'email_otp' })) // keeps a mail
  return { apiKey: stack.merchant.apiKey, endpointId, person, answers, accountId }
}

type Filled = Awaited<ReturnType<typeof fill>>

/** Makes a call again that was answered with 503 on a busy machine, as clients do: nothing of it was stored. */
async function patiently(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await act())
    } catch (error) {
      if (tries === 5 || !String(error).includes('SERVICE_UNAVAILABLE')) throw error
    }
  }
}

/** Changes and uses encrypted values until it is stopped. Returns how often. */
function startLoad(stack: Stack, { endpointId, answers }: Filled) {
  let isOver = false
  const { happen } = withEndpoints(stack.merchant)
  const logins = createLogins(stack)
  const loop = async (act: (n: number) => Promise<unknown>) => {
    let count = 0
    for (; !isOver; count++) await patiently(() => act(count))
    return count
  }
  const rotate = (n: number) => {
    const secret = `the-secret-number-${n}`
    if (given.at(-1) !== secret) given.push(secret)
    return taken(stack.merchant.call('POST', `${endpointsPath}/${endpointId}/secret/rotate`, { secret }))
  }
  const replay = async (n: number) => {
    const { status, text } = await createWith(stack, `once-${n % 40}`)
    assert.equal(status, 201, text)
    assert.equal(text, answers[n % 40])
  }
  const logIn = async () => logins.logIn(await logins.addPerson())
  const running = Promise.all([loop(rotate), loop(replay), loop(() => happen()), loop(logIn)])
  return async () => {
    isOver = true
    return running
  }
}

test('keys are changed while the service works: nothing is lost, and the old key can be taken out', async () => {
  const filled = await withStack([k1], null, fill)
  await withStack([k2, k1], filled.apiKey, async (stack) => {
    const stop = startLoad(stack, filled)
    await until(async () => receiver.received.length > 20, 'the load is under way')
    for (let run = 0; run < 3; run++) {
      const { output } = await runReencrypt(url, [k2, k1])
      assert.doesNotMatch(output, /NOT CONFIGURED|cannot be decrypted|not encrypted/, output)
    }
    const counts = await stop()
    for (const count of counts) assert.ok(count > 5, `${counts.join(', ')}: it was under load`)
  })
  const { code, output } = await runReencrypt(url, [k2, k1])
  assert.equal(code, 0, output)
  assert.match(output, /k1 +0 {2}can be taken out/)

  await withStack([k2], filled.apiKey, async (stack) => {
    const { secret, happen } = withEndpoints(stack.merchant)
    const shown = await secret(filled.endpointId)
    assert.deepEqual([shown['secret'], shown['previous_secret']], given.slice(-2).toReversed())
    for (const [n, answer] of filled.answers.entries())
      assert.equal((await createWith(stack, `once-${n}`)).text, answer, 'the answer of before is repeated')
    assert.ok((await createLogins(stack).logIn(filled.person)).access_token)
    const body = { company: { tax_id: 'TAX-1' } }
    await taken(stack.merchant.call('PATCH', `/v1/accounts/${filled.accountId}`, body)) // compares it with the old one
    const before = receiver.received.length
    await happen()
    await until(() => receiver.received.length > before, 'the event has arrived')
    assert.equal(await otherColumns(stack), '', 'no column that reencrypt does not know holds an encrypted text')
  })
  const unsigned = receiver.received.filter((each) => !isSignedByOne(each))
  assert.deepEqual(unsigned, [], 'every delivery was signed')
})

/** The columns with texts that look encrypted and that `npm run reencrypt` does not walk through. */
async function otherColumns(stack: Stack): Promise<string> {
  const known = new Set(encryptedColumns(stack.database).map(({ table, column }) => `${table}.${column}`))
  const columns = await stack.sql<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema() and data_type in ('text', 'character varying', 'jsonb')`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    if (known.has(`${table}.${column}`)) continue
    const rows = await stack.sql(
      `select from "${table}" where ${keyIdOf(`trim('"' from "${column}"::text)`)} is not null limit 1`,
    )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found.join(', ')
}
