// npm run activate -- acct_… [capability …]: lets an account go live, in the database of DATABASE_URL. Safe to run
// again.
import { activateAccount } from '../commands/platform/activate-account.ts'
import { inTransaction } from '../db/core/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { isOneOf } from '../domain/narrow.ts'
import { capabilities } from '../domain/platform/capability.ts'
import { Refusal } from '../domain/refusal.ts'
import { systemClock } from '../engine/clock.ts'
import { ConfigError, loadDatabaseUrl } from '../engine/config.ts'

const [accountId = '', ...named] = process.argv.slice(2)
const unknown = named.filter((name) => !isOneOf(capabilities, name))
const wrong = accountId.startsWith('acct_')
  ? unknown.length > 0 && `These are no capabilities: ${unknown.join(', ')}. They are: ${capabilities.join(', ')}.`
  : 'Which account? Usage: npm run activate -- acct_… [capability …]'

if (wrong) {
  console.error(wrong)
  process.exitCode = 2
} else {
  await activate().catch((error: unknown) => {
    const saysAll = error instanceof Refusal || error instanceof ConfigError
    console.error(saysAll ? error.message : error)
    process.exitCode = 1
  })
}

async function activate(): Promise<void> {
  const database = await openDatabase(loadDatabaseUrl(), 1)
  try {
    const now = await systemClock.now()
    const granted = named.length > 0 ? capabilities.filter((each) => named.includes(each)) : capabilities
    const by = { userId: null, address: 'command line' }
    const hasChanged = await inTransaction(database, (em) => activateAccount(em, { accountId, granted, by }, now))
    console.log(hasChanged ? `${accountId} is live.` : `${accountId} was live already: nothing has changed.`)
  } finally {
    await database.orm.close()
  }
}
