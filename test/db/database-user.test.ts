import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { checkSchema, migrate, SchemaMismatch } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createDatabase } from '../support/database.ts'
import { docBlocks } from '../support/doc-blocks.ts'
import { sale } from '../support/merchant.ts'
import { assertInvariants } from '../support/use-stack.ts'
import { startStack } from '../support/stack.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'

// The migrations as one database user, the service as another one: the statements of docs/guides/production.md.
const { url, drop } = await createDatabase('template1')
const database = new URL(url).pathname.slice(1)
const mark = randomBytes(4).toString('hex')
const [owner, app] = [`steadypay_migrate_${mark}`, `steadypay_app_${mark}`]

/** The guide’s statements, with the names of this test. */
const grants = docBlocks
  .filter(({ page, language }) => page === 'docs/guides/production.md' && language === 'sql')
  .map(({ text }) => text)
  .join('\n')
  .replaceAll('database steadypay ', `database ${database} `)
  .replaceAll('steadypay_app', app)

function urlOf(user: string): string {
  const own = new URL(url)
  own.username = user
  own.password = mark
  return own.href
}

async function run(as: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: as })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(sql).finally(() => client.end())
  return rows
}

await run(
  url,
  `create role ${owner} login password '${mark}'; create role ${app} login password '${mark}';
   alter database ${database} owner to ${owner}; revoke connect on database ${database} from public`,
)
atEnd(async () => {
  await drop()
  const admin = process.env['TEST_DATABASE_ADMIN_URL'] ?? ''
  await run(admin, `drop role ${app}; drop role ${owner}`)
})

async function checkAs(user: string): Promise<void> {
  const opened = await openDatabase(urlOf(user), 1)
  await checkSchema(opened).finally(() => opened.orm.close())
}

const saysWhatIsMissing = (error: unknown) =>
  error instanceof SchemaMismatch &&
  error.message.includes(`its user ${app} may not read it`) &&
  error.message.includes('docs/guides/production.md, "Another database user for the migrations"')

test('a user who may not read the tables is told so, and not that the migrations are missing', async () => {
  await run(urlOf(owner), `grant connect on database ${database} to ${app}`)
  await assert.rejects(checkAs(app), /has not applied the migration 0001-first-sale/)
  await migrate(urlOf(owner))
  await assert.rejects(checkAs(app), saysWhatIsMissing)
  await run(urlOf(owner), 'revoke usage on schema public from public')
  await assert.rejects(checkAs(app), saysWhatIsMissing)
  await run(urlOf(owner), grants)
  await run(urlOf(owner), `revoke select on payouts from ${app}`)
  await assert.rejects(checkAs(app), /has the table payouts, but/)
})

test('with the rights of the guide the service works, and the next migration’s tables and sequences too', async () => {
  await run(urlOf(owner), grants)
  await run(urlOf(owner), 'create table of_the_next_release (id bigserial, name text)')
  assert.deepEqual(await run(urlOf(app), `insert into of_the_next_release (name) values ('a') returning id`), [
    { id: '1' },
  ])
  await run(urlOf(owner), 'drop table of_the_next_release')
  await checkAs(app)

  const secrets = { keyPepper: randomBytes(32), encryptionKeys: `k1:${randomBytes(32).toString('base64')}` }
  const stack = await startStack({ from: { url: urlOf(app), drop: async () => undefined, apiKey: null, ...secrets } })
  try {
    const { merchant, dispatched } = stack
    const charge = await merchant.chargeByCard(sale)
    const { refund_id: refund } = await merchant.refund(charge)
    await dispatched()
    await until(async () => (await merchant.getRefund(refund))['status'] === 'succeeded', 'the refund is made')
    await assertInvariants(stack)
  } finally {
    await stack.stop()
  }
  for (const change of ['drop table payouts', 'alter table ledger_entries disable trigger all', 'create table x ()'])
    await assert.rejects(run(urlOf(app), change), /must be owner|permission denied/, change)
})
