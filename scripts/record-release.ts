// npm run record-release -- <name> [--code <folder>]: stores a database with unfinished work in test/releases, as
// today's code leaves it. Tests prove that later versions can continue that work. `--code` is a checkout of older code.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../db/open-database.ts'
import { createMerchant } from '../test/support/merchant.ts'
import { dump, releaseNames, writeRelease } from '../test/support/release.ts'
import { makePromises, makeWork } from '../test/support/release-work.ts'
import { until } from '../test/support/until.ts'
import { logTail, startChild } from './infra/child.ts'
import { ROOT } from './infra/paths.ts'
import { freePort } from './infra/ports.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { prepareService } from './infra/search-attributes.ts'
import { runSession, SetupError, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'

await runSession(async (session) => {
  const { name, code } = readArguments()
  const service = await prepare(session, code)
  const merchant = createMerchant(service.baseUrl, service.apiKey, { older: code !== ROOT })
  const api = await service.run('api/main.ts', 'API is listening')
  const worker = await service.run('engine/worker.ts', 'worker is running')
  const begun = await makeWork(merchant)
  await worker.stop()
  const work = { ...begun, ...(await makePromises(merchant, begun)) }
  await api.stop()
  const { keyPepper, encryptionKeys, apiKey, sql } = service
  writeRelease({ name, secrets: { keyPepper, encryptionKeys, apiKey }, work, ...(await dump(sql, code)) })
  console.log(`Recorded test/releases/${name}.json.gz.`)
  return 0
})

function readArguments() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { code: { type: 'string' } } })
  const [name = ''] = positionals
  if (!/^\d{4}-\d\d-\d\d[a-z]?$/.test(name))
    throw new SetupError('the name of a release is its day, such as 2026-11-22')
  if (releaseNames().includes(name))
    throw new SetupError(`the release ${name} exists already, and recordings are never replaced`)
  return { name, code: resolve(values.code ?? ROOT) }
}

/** A Postgres and a Temporal service for the code in that folder, and its database with the demo organization. */
async function prepare(session: Session, code: string) {
  const folder = temporaryFolder(session)
  const postgres = await startTestPostgres(folder)
  session.atEnd(postgres.child.stop)
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const temporal = await startTemporal({ ...files, ui: false, report: console.log })
  session.atEnd(temporal.child.stop)
  const access = { address: temporal.address, tls: false } as const
  await prepareService(access, 'default', console.log, ['Status']) // its name in older code
  const url = postgres.url('template1')
  const [keyPepper, encryptionKeys] = [randomBytes(32).toString('base64'), `k1:${randomBytes(32).toString('base64')}`]
  const port = String(await freePort())
  const env = {
    ...process.env,
    DATABASE_URL: url,
    KEY_PEPPER: keyPepper,
    ENCRYPTION_KEYS: encryptionKeys,
    PORT: port,
    TEMPORAL_ADDRESS: temporal.address,
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    DEPLOYMENT: 'sandbox',
    TRUSTED_PROXY_HOPS: '1',
  }
  const apiKey = await seed(code, env)
  const database = await openDatabase(url, 1)
  session.atEnd(() => database.orm.close())
  const sql = <T extends object>(text: string, params: unknown[] = []) =>
    database.orm.em.fork().execute<T[]>(text, params)
  await sql(`update api_keys set rate_tier = 'unlimited'`)
  return {
    keyPepper,
    encryptionKeys,
    apiKey,
    sql,
    baseUrl: `http://127.0.0.1:${port}`,
    /** Starts a process of that code, and waits until it logs that it is ready. */
    async run(entry: string, says: string) {
      const logFile = join(folder, `${entry.replaceAll('/', '-')}.log`)
      const child = startChild({
        name: entry,
        command: [process.execPath, entry],
        cwd: code,
        env,
        logFile,
      })
      session.atEnd(child.stop)
      const isReady = () => !child.isRunning() || logTail(logFile).includes(says)
      await until(isReady, `"${says}" is logged`, { withinMs: 60_000 })
      if (!child.isRunning()) throw new SetupError(`${entry} has ended:\n${logTail(logFile)}`)
      return child
    },
  }
}

/**
 * Migrates and seeds the database with that code, and returns the API key. The script is text, so its types are not
 * checked. It uses today's names of functions: for older code with other names, change them here.
 */
async function seed(code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const script = `
    import { migrate } from './db/migrate.ts'
    import { seed } from './db/seed.ts'
    import { createEncrypter } from './db/core/encryption.ts'
    const { DATABASE_URL, KEY_PEPPER, ENCRYPTION_KEYS } = process.env
    await migrate(DATABASE_URL)
    const [keyPepper, encrypter] = [Buffer.from(KEY_PEPPER, 'base64'), createEncrypter(ENCRYPTION_KEYS)]
    const options = { keyPepper, encrypter, now: Date.now() }
    console.log((await seed(DATABASE_URL, options)).apiKey)`
  const options = { cwd: code, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options)
  if (status !== 0) throw new SetupError(`the database could not be made: ${stderr}`)
  return stdout.trim()
}
