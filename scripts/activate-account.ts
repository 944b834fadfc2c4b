// npm run activate -- acct_… [capability …]: lets an account go live, in the database of DATABASE_URL. Safe to run
// again.
import { activateAccount } from '../commands/platform/activate-account.ts'
import { isOneOf } from '../domain/narrow.ts'
import { capabilities } from '../domain/platform/capability.ts'
import { changeByOperator } from './infra/change-by-operator.ts'

const [accountId = '', ...named] = process.argv.slice(2)
const unknown = named.filter((name) => !isOneOf(capabilities, name))

if (!accountId.startsWith('acct_')) fail('Which account? Usage: npm run activate -- acct_… [capability …]')
else if (unknown.length > 0)
  fail(`These are no capabilities: ${unknown.join(', ')}. They are: ${capabilities.join(', ')}.`)
else {
  const granted = named.length > 0 ? capabilities.filter((each) => named.includes(each)) : capabilities
  await changeByOperator(async (em, by, now) =>
    (await activateAccount(em, { accountId, granted, by }, now))
      ? `${accountId} is live.`
      : `${accountId} was live already: nothing has changed.`,
  )
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 2
}
