// npm run capability -- acct_… live payouts restricted: decides what an account of DATABASE_URL may do.
import { setCapability } from '../commands/platform/activate-account.ts'
import { environments } from '../domain/access/scope.ts'
import { isOneOf } from '../domain/narrow.ts'
import { capabilities, capabilityStatuses } from '../domain/platform/capability.ts'
import { changeByOperator } from './infra/change-by-operator.ts'

const [accountId = '', environment, capability, status] = process.argv.slice(2)
const isRead = isOneOf(environments, environment) && isOneOf(capabilities, capability)

if (accountId.startsWith('acct_') && isRead && isOneOf(capabilityStatuses, status)) {
  await changeByOperator(async (em, by, now) => {
    const hasChanged = await setCapability(em, { accountId, environment }, { capability, status, by }, now)
    const stands = `${capability} of ${accountId} is ${status} in ${environment}`
    return hasChanged ? `${stands}.` : `${stands}: nothing has changed.`
  })
} else {
  console.error(`Usage: npm run capability -- acct_… ${environments.join('|')} CAPABILITY STATUS
  CAPABILITY  ${capabilities.join(', ')}
  STATUS      ${capabilityStatuses.join(', ')}`)
  process.exitCode = 2
}
