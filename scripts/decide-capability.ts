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
    const decision = { capability, status, by }
    const { hasChanged, stands } = await setCapability(em, { accountId, environment }, decision, now)
    const words = `${capability} of ${accountId} is ${stands} in ${environment}`
    if (stands !== status) return `${words}: it becomes ${status} once the account has provided what it needs.`
    return hasChanged ? `${words}.` : `${words}: nothing has changed.`
  })
} else {
  console.error(`Usage: npm run capability -- acct_… ${environments.join('|')} CAPABILITY STATUS
  CAPABILITY  ${capabilities.join(', ')}
  STATUS      ${capabilityStatuses.join(', ')}`)
  process.exitCode = 2
}
