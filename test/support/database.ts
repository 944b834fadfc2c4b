import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A new database for this test file, copied from the migrated template; `drop` removes it again. */
export async function createDatabase(
  template = 'steadypay_template',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const adminUrl = process.env['TEST_DATABASE_ADMIN_URL']
  if (!adminUrl) throw new Error('TEST_DATABASE_ADMIN_URL is missing: run the tests with npm test')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = async (sql: string) => {
    const client = new Client({ connectionString: adminUrl })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await admin(`create database "${name}" template "${template}"`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => admin(`drop database "${name}" with (force)`) }
}
