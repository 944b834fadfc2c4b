// npm run reconcile -- --provider stripe --day 2026-11-20: compares the provider's list of a day (UTC) with our rows
// and our ledger, and prints every difference. Only reads. Exit code 0: no difference; 1: differences; 2: not done.
import { timeLimits } from '../db/core/time-limits.ts'
import { checkSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { dayMs, isDay } from '../domain/duration.ts'
import { isOneOf } from '../domain/narrow.ts'
import { systemClock } from '../engine/clock.ts'
import { ConfigError, loadDatabaseUrl, loadProviders } from '../engine/config.ts'
import { openStatement } from '../rails/open-statement.ts'
import { type ProviderName, providerNames } from '../domain/rail-provider.ts'
import type { Span } from '../rails/statement.ts'
import { unansweredIn, whyUnanswered } from '../rails/unanswered.ts'
import { commandLine } from './infra/command-line.ts'
import { readOptions, runCommand } from './infra/run-command.ts'
import { whyFailed } from './infra/why-failed.ts'
import { compareDay } from './reconcile/compare-day.ts'
import { asJson, printed } from './reconcile/print.ts'

const usage = `Usage: ${commandLine('reconcile', '--provider stripe|paystack --day 2026-11-20 [--json]')}

  --provider  whose list is compared
  --day       the day in UTC, which has to be over, or today so far
  --json      prints JSON
  --help      shows this

Reads DATABASE_URL and the variables about the provider. Exit code 0: no difference; 1: differences; 2: it could not be
done.`

type Order = { provider: ProviderName; day: string; span: Span; isJson: boolean }

/** The command line; null if it is wrong. */
function readOrder(now: number): Order | 'help' | null {
  const text = { type: 'string' } as const
  return readOptions({ provider: text, day: text, json: { type: 'boolean' } }, (values, given) => {
    const { provider, day = '' } = values
    const from = isDay(day) ? Date.parse(day) : NaN
    if (given.length > 0 || !(from <= now) || !isOneOf(providerNames, provider)) return null
    return { provider, day, span: { from, to: from + dayMs }, isJson: values.json ?? false }
  })
}

async function reconcile({ provider, day, span, isJson }: Order): Promise<number> {
  const { providers } = loadProviders()
  const database = await openDatabase(loadDatabaseUrl(), 2, timeLimits, { isReadOnly: true })
  const opened = openStatement(provider, providers, database)
  try {
    if (opened === null) throw new ConfigError([`${provider} is not configured`])
    await checkSchema(database)
    const comparison = await compareDay(database, opened.statement, span)
    console.log(isJson ? JSON.stringify(asJson(provider, day, comparison), null, 2) : printed(comparison).join('\n'))
    return comparison.differences.length === 0 ? 0 : 1
  } finally {
    await opened?.close()
    await database.orm.close()
  }
}

/** Why it could not be done, without anything that a provider or the database has said freely. */
function reasonOf(error: unknown): string {
  const unanswered = unansweredIn(error)
  const { code, name, message } = error as Error & { code?: unknown }
  if (unanswered?.status != null) return `The provider ${whyUnanswered(unanswered, 0)}.`
  if (unanswered !== null) return `${message}.`
  const why = whyFailed(error)
  if (typeof why === 'string') return why
  return `It could not be done (${typeof code === 'string' ? code : name}).`
}

await runCommand(readOrder(await systemClock.now()), { usage, run: reconcile, failureCode: 2, reasonOf })
