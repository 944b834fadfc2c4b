import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../db/core/database.ts'
import { encryptedColumns } from '../../db/core/reencrypt.ts'
import { decrypted, encrypted, newKey, runReencrypt, startReencrypt } from '../support/reencrypt.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'

// `npm run reencrypt` on a database without the service; reencrypt-under-load.test.ts has the service beside it.
const database = await useDatabase()
const [k1, k2] = [newKey('k1'), newKey('k2')]

const sql = <T extends object>(text: string, params: unknown[] = []) =>
  database.orm.em.fork().execute<T[]>(text, params)
type Mail = { id: string; sealed: string }
const mails = () => sql<Mail>('select id, sealed from kept_mails order by id')
/** Keeps mails with these texts, encrypted with the first of the keys. */
const keep = (keys: string[], ids: string[]) =>
  sql(
    `insert into kept_mails (id, account_id, sealed, created_at)
     select key, 'acct_1', value, now() from json_each_text(?)`,
    [JSON.stringify(Object.fromEntries(ids.map((id) => [id, encrypted(keys, `text of ${id}`)])))],
  )
const names = (mark: string, count: number) => Array.from({ length: count }, (_, index) => `${mark}${index}`)
/** How many mails are under each key, each still with its own text. */
async function held(keys: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { id, sealed } of await mails()) {
    assert.equal(decrypted(keys, sealed), `text of ${id}`)
    const keyId = sealed.split('.')[0] ?? ''
    counts[keyId] = (counts[keyId] ?? 0) + 1
  }
  return counts
}

beforeEach(() => sql('truncate kept_mails, webhook_endpoints, users, paystack_secrets'))

test('every column that holds encrypted texts is known', () => {
  const found = encryptedColumns(database).map(({ table, key, column }) => `${table}.${column} by ${key}`)
  assert.deepEqual(found, [
    'account_persons.encrypted_date_of_birth by id',
    'account_persons.encrypted_id_number by id',
    'account_profiles.encrypted_tax_id by id',
    'idempotency_records.sealed_answer by id',
    'kept_mails.sealed by id',
    'payment_requests.sealed_return_url by id',
    'paystack_cards.encrypted_email by token',
    'paystack_secrets.encrypted by token',
    'pending_authenticators.sealed_secret by user_id',
    'signing_keys.sealed_private_jwk by id',
    'team_invitations.encrypted_totp_secret by id',
    'users.sealed_totp_secret by id',
    'webhook_endpoints.previous_sealed_secret by id',
    'webhook_endpoints.sealed_secret by id',
  ])
})

test('every value under an older key is encrypted with the first one, and the older one can be taken out', async () => {
  await keep([k1], names('old', 1_300))
  await keep([k2], names('new', 700))
  await sql(
    `insert into webhook_endpoints (id, account_id, environment, url, events, sealed_secret, previous_sealed_secret,
       previous_secret_until, created_at, updated_at)
     values ('we_1', 'acct_1', 'live', 'https://example.com', '{*}', ?, ?, now() + interval '1 day', now(), now()),
       ('we_2', 'acct_1', 'live', 'https://example.com', '{*}', null, null, null, now(), now())`,
    [encrypted([k1], 'secret'), encrypted([k1], 'previous')],
  )
  await sql('insert into paystack_secrets (token, encrypted) values (?, ?)', ['tok_1', encrypted([k1], '123456')])
  const before = await runReencrypt(database.url, [k2, k1], ['--check'])
  assert.equal(before.code, 0, before.output)
  assert.match(before.output, /k2 +700 {2}the first key\n +k1 +1303 {2}still needed: run npm run reencrypt/)
  assert.deepEqual(await held([k1, k2]), { k1: 1_300, k2: 700 }, 'a check changes nothing')

  const { code, output } = await runReencrypt(database.url, [k2, k1])
  assert.equal(code, 0, output)
  assert.match(output, /kept_mails\.sealed +1300 encrypted anew/)
  assert.match(output, /k2 +2003 {2}the first key\n +k1 +0 {2}can be taken out of ENCRYPTION_KEYS/)
  assert.deepEqual(await held([k2]), { k2: 2_000 })
  const [row] = await sql<Record<string, string>>(`select * from webhook_endpoints where id = 'we_1'`)
  assert.equal(decrypted([k2], row?.['sealed_secret'] ?? ''), 'secret')
  assert.equal(decrypted([k2], row?.['previous_sealed_secret'] ?? ''), 'previous')
  const again = await runReencrypt(database.url, [k2])
  assert.deepEqual([again.code, /kept_mails\.sealed +0 encrypted anew/.test(again.output)], [0, true], again.output)
  for (const key of [k1, k2]) assert.ok(!`${before.output}${output}${again.output}`.includes(key.slice(3)), 'a key')
  assert.doesNotMatch(before.output + output, /text of|previous\b(?!_)|123456/, 'nothing of what is encrypted')
})

test('killed in the middle it has lost nothing, and a second run does the rest', async () => {
  await keep([k1], names('mail', 40_000))
  const { child, ended } = startReencrypt(database.url, [k2, k1])
  const isUnderWay = async () => (await sql(`select from kept_mails where sealed like 'k2.%' limit 1`)).length > 0
  await until(isUnderWay, 'it has begun')
  child.kill('SIGKILL')
  assert.equal((await ended).signal, 'SIGKILL')
  const { k1: left = 0, k2: done = 0 } = await held([k1, k2])
  assert.ok(done > 0 && left > 0 && done + left === 40_000, `${done} and ${left}`)
  const { code, output } = await runReencrypt(database.url, [k2, k1])
  assert.equal(code, 0, output)
  assert.deepEqual(await held([k2]), { k2: 40_000 })
})

test('two at once and both come to the same end', async () => {
  await keep([k1], names('mail', 20_000))
  const both = await Promise.all([1, 2].map(() => runReencrypt(database.url, [k2, k1])))
  for (const { code, output } of both) assert.equal(code, 0, output)
  const counts = both.map(({ output }) => Number(/kept_mails\.sealed +(\d+)/.exec(output)?.[1]))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    20_000,
    'no value was written twice',
  )
  assert.deepEqual(await held([k2]), { k2: 20_000 })
})

test('a row that somebody holds is waited for by nobody, and what they write is not overwritten', async () => {
  await keep([k1], ['mail1', 'mail2'])
  const newer = encrypted([k1], 'written meanwhile')
  await inTransaction(database, async (em) => {
    await em.execute(`update kept_mails set sealed = ? where id = 'mail1'`, [newer])
    const { code, output } = await runReencrypt(database.url, [k2, k1])
    assert.equal(code, 1, output)
    assert.match(output, /k2 +1 .*\n +k1 +1 {2}still needed/)
  })
  assert.equal((await mails())[0]?.sealed, newer)
  const { code, output } = await runReencrypt(database.url, [k2, k1])
  assert.equal(code, 0, output)
  const texts = (await mails()).map(({ sealed }) => decrypted([k2], sealed))
  assert.deepEqual(texts, ['written meanwhile', 'text of mail2'])
})

test('what comes in with the older key while it runs is found', async () => {
  await keep([k1], names('mail', 3_000))
  const running = startReencrypt(database.url, [k2, k1])
  for (let step = 0; step < 5; step++) {
    await keep([k1], names(`late${step}-`, 20))
    await sleep(100)
  }
  await running.ended
  await runReencrypt(database.url, [k2, k1])
  assert.deepEqual(await held([k2]), { k2: 3_100 })
})

test('a value under a key that is not configured is told with its column, and stays as it is', async () => {
  await keep([newKey('k9')], ['mail1'])
  await keep([k1], ['mail2'])
  const was = await mails()
  const check = await runReencrypt(database.url, [k1], ['--check'])
  assert.equal(check.code, 1, check.output)
  assert.match(check.output, /k9 +1 {2}NOT CONFIGURED, needed by kept_mails\.sealed/)
  const { code, output } = await runReencrypt(database.url, [k1])
  assert.equal(code, 1, output)
  assert.match(output, /k9 +1 {2}NOT CONFIGURED/)
  assert.deepEqual(await mails(), was)
})

test('a value that its key does not decrypt, and one that is not encrypted, are told and stay', async () => {
  await keep([newKey('k1')], ['mail1']) // another key of the same id
  await sql(`insert into kept_mails (id, account_id, sealed, created_at) values ('mail2', 'acct_1', 'in clear', now())`)
  const was = await mails()
  const { code, output } = await runReencrypt(database.url, [k2, k1])
  assert.equal(code, 1, output)
  assert.match(output, /1 values are not encrypted, in kept_mails\.sealed\n1 values cannot be decrypted with the key/)
  assert.doesNotMatch(output, /in clear/)
  assert.deepEqual(await mails(), was)
})

test('a check finds what cannot be read, also under the id of the first key', async () => {
  await keep([newKey('k1')], names('mail', 600)) // another key of the same id
  await keep([k1], ['readable'])
  const { code, output } = await runReencrypt(database.url, [k1], ['--check'])
  assert.equal(code, 1, output)
  assert.match(output, /k1 +601 {2}the first key\n600 values cannot be decrypted with the key of their id/)
  await sql(`delete from kept_mails where id <> 'readable'`)
  assert.equal((await runReencrypt(database.url, [k1], ['--check'])).code, 0)
})

test('wrong arguments and wrong keys are refused without a word of a key', async () => {
  const wrong = await runReencrypt(database.url, [k1], ['--all'])
  assert.deepEqual([wrong.code, wrong.output.startsWith('Usage: npm run reencrypt -- ')], [2, true])
  const short = await runReencrypt(database.url, ['k1:c2hvcnQ='])
  assert.equal(short.code, 2)
  assert.match(short.output, /ENCRYPTION_KEYS must be id:base64 of 32 bytes/)
  assert.doesNotMatch(short.output, /c2hvcnQ/)
})
