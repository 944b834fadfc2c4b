// npm run seed: makes a demo organization with an owner, a reviewer and a sandbox key in the empty database of
// DATABASE_URL, and prints their secrets, which nothing shows again. For development: `npm start` does it by itself.
import type { Database } from '../db/core/database.ts'
import { createEncrypter } from '../db/core/encryption.ts'
import { checkSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { type DemoUser, seedIn } from '../db/seed.ts'
import { Refusal } from '../domain/refusal.ts'
import { systemClock } from '../engine/clock.ts'
import { type Config, loadConfig } from '../engine/config.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand } from './infra/run-command.ts'
import { credentials, personOf } from './infra/welcome.ts'

const usage = `Usage: ${commandLine('seed')}
  Makes a demo organization in the empty database of DATABASE_URL. Reads the same configuration as the API.`

async function seed(): Promise<number> {
  const config = loadConfig()
  if (config.deployment === 'live') throw new Refusal('FORBIDDEN', notForLive)
  const database = await openDatabase(config.databaseUrl, 1)
  try {
    await checkSchema(database)
    return await fill(database, config)
  } finally {
    await database.orm.close()
  }
}

const notForLive = `DEPLOYMENT is live, and demo people are for development. Use: ${commandLine('bootstrap')}`

async function fill(database: Database, { keyPepper, encryptionKeys }: Config): Promise<number> {
  const now = await systemClock.now()
  const made = await seedIn(database, { keyPepper, encrypter: createEncrypter(encryptionKeys), now })
  if (!made.people) {
    throw new Refusal('CONFLICT', `There is an organization already: ${made.organizationId}. Nothing has changed.`)
  }
  console.log(`The organization is ${made.organizationId}. These secrets are not shown again:

  Sandbox key      ${made.apiKey}
  Owner            ${secretsOf(made.people.owner)}
  Reviewer         ${secretsOf(made.people.reviewer)}`)
  return 0
}

const secretsOf = (user: DemoUser): string =>
  `${credentials(personOf(user))}
                   backup codes ${user.backupCodes.join(' ')}`

const read = (given: string[]): object | null => (given.length === 0 ? {} : null)

await runCommand(readArguments(read), { usage, run: seed, failureCode: 1 })
