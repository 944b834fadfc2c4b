// npm run reencrypt [-- --check]: encrypts everything that is stored encrypted with the first of ENCRYPTION_KEYS, and
// says how many values are left under each key. docs/operating/data.md says what to do before and after.
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { createEncrypter, type Encrypter } from '../db/core/encryption.ts'
import { encryptedColumns, walkColumn } from '../db/core/reencrypt.ts'
import { checkSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { loadStorage } from '../engine/config.ts'
import { commandLine } from './infra/command-line.ts'
import { readOptions, runCommand } from './infra/run-command.ts'

const usage = `Usage: ${commandLine('reencrypt', '[--check]')}

  without     encrypts each value that is under an older key with the first key, then counts
  --check     decrypts each value and counts, and changes nothing
  --help      shows this

Reads DATABASE_URL and ENCRYPTION_KEYS. Safe to interrupt, to run again and twice at once, while APIs and workers run.
Exit code 0: all is done, or --check finds no value that cannot be read; 1: some values are left; 2: it could not be
done.`

/** How often a column is walked over whose rows were locked or changed meanwhile. */
const walksMax = 5
/** The pause between two walks, in milliseconds. */
const pauseMs = 1_000

const readOrder = ({ check = false }: { check?: boolean }, given: string[]): { isCheck: boolean } | null =>
  given.length === 0 ? { isCheck: check } : null

async function reencrypt({ isCheck }: { isCheck: boolean }): Promise<number> {
  const { databaseUrl, encryptionKeys } = loadStorage()
  const encrypter = createEncrypter(encryptionKeys)
  const database = await openDatabase(databaseUrl, 1)
  try {
    await checkSchema(database)
    if (!isCheck) await renewAll(database, encrypter)
    return report(encrypter, await countAll(database, encrypter), isCheck)
  } finally {
    await database.orm.close()
  }
}

/** Encrypts every column anew, but for the values that their key does not decrypt. */
async function renewAll(database: Database, encrypter: Encrypter): Promise<void> {
  console.log(`Encrypting with the key ${encrypter.keyIds[0]}:`)
  for (const each of encryptedColumns(database)) {
    let renewed = 0
    for (let walk = 1; ; walk++) {
      const walked = await walkColumn(database, encrypter, each, { renews: true })
      renewed += walked.renewed
      if (walked.missed === 0 || walk === walksMax) break
      await pause(pauseMs)
    }
    console.log(`  ${`${each.table}.${each.column}`.padEnd(42)} ${renewed} encrypted anew`)
  }
}

/**
 * The number of values under each key id, and the columns that have any of them; and the number of values that the key
 * of their id does not decrypt.
 */
type Counted = { counts: Map<string | null, { count: number; columns: string[] }>; damaged: number }

async function countAll(database: Database, encrypter: Encrypter): Promise<Counted> {
  const counts: Counted['counts'] = new Map()
  let damaged = 0
  for (const each of encryptedColumns(database)) {
    const walked = await walkColumn(database, encrypter, each, { renews: false })
    damaged += walked.damaged
    for (const [keyId, count] of walked.counts) {
      const known = counts.get(keyId) ?? { count: 0, columns: [] }
      known.count += count
      known.columns.push(`${each.table}.${each.column}`)
      counts.set(keyId, known)
    }
  }
  return { counts, damaged }
}

/** Prints the values under each key. Returns the exit code. */
function report({ keyIds }: Encrypter, { counts, damaged }: Counted, isCheck: boolean): number {
  const [firstId, ...olderIds] = keyIds
  const line = (keyId: string, says: string) =>
    console.log(`  ${keyId.padEnd(20)} ${String(counts.get(keyId)?.count ?? 0).padStart(10)}  ${says}`)
  console.log('Values under each key:')
  line(firstId, 'the first key')
  const left = olderIds.filter((keyId) => counts.has(keyId))
  for (const keyId of olderIds)
    line(
      keyId,
      left.includes(keyId) ? `still needed: run ${commandLine('reencrypt')}` : 'can be taken out of ENCRYPTION_KEYS',
    )
  const unknown = [...counts].filter(([keyId]) => keyId !== null && !keyIds.includes(keyId))
  for (const [keyId, { columns }] of unknown) line(String(keyId), `NOT CONFIGURED, needed by ${columns.join(', ')}`)
  const plain = counts.get(null)
  if (plain) console.log(`${plain.count} values are not encrypted, in ${plain.columns.join(', ')}`)
  if (damaged > 0) console.log(`${damaged} values cannot be decrypted with the key of their id`)
  const isUnreadable = unknown.length > 0 || plain !== undefined || damaged > 0
  return isUnreadable || (!isCheck && left.length > 0) ? 1 : 0
}

const order = readOptions({ check: { type: 'boolean' } }, readOrder)
await runCommand(order, { usage, run: reencrypt, failureCode: 2 })
