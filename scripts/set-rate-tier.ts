// npm run rate-tier -- acct_… live platform: decides how many calls a minute the key of an account of DATABASE_URL may
// make, and each key that replaces it.
import { setRateTier } from '../commands/access/set-rate-tier.ts'
import { environments, rateTiers } from '../domain/access/scope.ts'
import { isOneOf } from '../domain/narrow.ts'
import { changeByOperator } from './infra/change-by-operator.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand } from './infra/run-command.ts'

const tiers = Object.keys(rateTiers) as (keyof typeof rateTiers)[]

const usage = `Usage: ${commandLine('rate-tier', `acct_… ${environments.join('|')} TIER`)}
  TIER  ${tiers.map((tier) => `${tier} (${rateTiers[tier] ?? 'no limit'})`).join(', ')}: calls a minute of a key`

type Order = NonNullable<ReturnType<typeof read>>

function read([accountId = '', environment, rateTier, ...more]: string[]) {
  if (!accountId.startsWith('acct_') || more.length > 0) return null
  return isOneOf(environments, environment) && isOneOf(tiers, rateTier) ? { accountId, environment, rateTier } : null
}

const decide = ({ accountId, environment, rateTier }: Order): Promise<number> =>
  changeByOperator(async (em, by, now) => {
    const hasChanged = await setRateTier(em, { accountId, environment }, { rateTier, by }, now)
    const words = `The key of ${accountId} in ${environment} has the rate tier ${rateTier}`
    return hasChanged ? `${words}.` : `${words}: nothing has changed.`
  }, accountId)

await runCommand(readArguments(read), { usage, run: decide, failureCode: 1 })
