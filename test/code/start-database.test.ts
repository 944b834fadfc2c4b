import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createEncrypter } from '../../db/core/encryption.ts'
import { seedIn } from '../../db/seed.ts'
import { refuseForeign } from '../../scripts/infra/database.ts'
import { SetupError } from '../../scripts/infra/session.ts'
import { useDatabase } from '../support/use-database.ts'

// Which database of DATABASE_URL `npm start` takes: it migrates it, and its worker takes over what waits there.
const insert = `
  insert into accounts (id, name, payments_enabled, created_at) values ('acct_1', 'Acme Ltd', false, now())`
const activate = 'update accounts set payments_enabled = true'

test('npm start refuses a database with accounts that are live and that no npm start has made', async () => {
  const { url, orm } = await useDatabase()
  const em = orm.em.fork()
  await refuseForeign(url)
  await em.execute(insert)
  await refuseForeign(url)
  await em.execute(activate)
  await assert.rejects(
    refuseForeign(url),
    (error) =>
      error instanceof SetupError &&
      /^DATABASE_URL .* 1 live account .*Nothing was changed.*without DATABASE_URL/s.test(error.message) &&
      !error.message.includes('Acme'),
  )
})

test('npm start takes an empty database, and one that an earlier start has made, whatever is live there', async () => {
  await refuseForeign((await useDatabase({ template: 'template1' })).url)
  const database = await useDatabase()
  const encrypter = createEncrypter(`k1:${randomBytes(32).toString('base64')}`)
  await seedIn(database, { keyPepper: randomBytes(32), encrypter, now: Date.now() - 60_000 })
  const em = database.orm.em.fork()
  await em.execute(insert)
  await em.execute(activate)
  await refuseForeign(database.url)
})
