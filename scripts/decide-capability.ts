// npm run capability -- acct_… live payouts restricted: decides what an account of DATABASE_URL may do.
import { setCapability } from '../commands/platform/activate-account.ts'
import { environments } from '../domain/access/scope.ts'
import { isOneOf } from '../domain/narrow.ts'
import { capabilities, capabilityStatuses } from '../domain/platform/capability.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand } from './infra/run-command.ts'

const usage = `Usage: ${commandLine('capability', `acct_… ${environments.join('|')} CAPABILITY STATUS`)}
  CAPABILITY  ${capabilities.join(', ')}
  STATUS      ${capabilityStatuses.join(', ')}`

type Order = NonNullable<ReturnType<typeof read>>

function read([accountId = '', environment, capability, status, ...more]: string[]) {
  if (!accountId.startsWith('acct_') || more.length > 0) return null
  if (!isOneOf(environments, environment) || !isOneOf(capabilities, capability)) return null
  return isOneOf(capabilityStatuses, status) ? { accountId, environment, capability, status } : null
}

const decide = ({ accountId, environment, capability, status }: Order): Promise<number> =>
  changeByOperator(async (em, by, now) => {
    const decision = { capability, status, by }
    const { hasChanged, stands } = await setCapability(em, { accountId, environment }, decision, now)
    const words = `${capability} of ${accountId} is ${stands} in ${environment}`
    if (stands !== status) return `${words}: it becomes ${status} once the account has provided what it needs.`
    return hasChanged ? `${words}.` : `${words}: nothing has changed.`
  }, accountId)

await runCommand(readArguments(read), { usage, run: decide, failureCode: 1 })
