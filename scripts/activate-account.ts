// npm run activate -- acct_… [capability …]: lets an account go live, in the database of DATABASE_URL. Safe to run
// again.
import { activateAccount } from '../commands/platform/activate-account.ts'
import { isOneOf } from '../domain/narrow.ts'
import { capabilities, type Capability } from '../domain/platform/capability.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand } from './infra/run-command.ts'

const usage = `Usage: ${commandLine('activate', 'acct_… [CAPABILITY …]')}
  CAPABILITY  ${capabilities.join(', ')}; all of them if none is named`

type Order = { accountId: string; granted: readonly Capability[] }

function read([accountId = '', ...named]: string[]): Order | null {
  const granted = capabilities.filter((each) => named.length === 0 || named.includes(each))
  return accountId.startsWith('acct_') && named.every((name) => isOneOf(capabilities, name))
    ? { accountId, granted }
    : null
}

const giveBack = commandLine('capability', 'acct_… live CAPABILITY active')

const activate = ({ accountId, granted }: Order): Promise<number> =>
  changeByOperator(async (em, by, now) => {
    const { hasChanged, stopped } = await activateAccount(em, { accountId, granted, by }, now)
    const words = hasChanged ? `${accountId} is live.` : `${accountId} was live already: nothing has changed.`
    if (stopped.length === 0) return words
    return `${words} Still taken away: ${stopped.join(', ')}. To give one back: \`${giveBack}\`.`
  }, accountId)

await runCommand(readArguments(read), { usage, run: activate, failureCode: 1 })
