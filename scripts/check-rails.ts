// npx steadypay rails check: asks the configured payment providers what they allow, without moving money. It reads the
// configuration of the server, of which it needs only what is about the providers and PUBLIC_URL.
import { styleText } from 'node:util'
import { ConfigError, loadProviders } from '../engine/config.ts'
import { checkProviders, type ProviderReport } from '../rails/check-providers.ts'
import type { Finding } from '../rails/provider-check.ts'
import { isInImage } from './infra/command-line.ts'
import { readOptions, runCommand } from './infra/run-command.ts'
import { whyFailed } from './infra/why-failed.ts'

const names = { stripe: 'Stripe', paystack: 'Paystack' }
const signs = {
  ok: styleText('green', '✔'),
  warning: styleText('yellow', '!'),
  failed: styleText('red', '✖'),
}

const lineOf = ({ level, about, says }: Finding): string => `  ${signs[level]} ${about}: ${says}`

function linesOf({ provider, configured, mode, address, serves, paysOut, findings }: ProviderReport): string[] {
  if (!configured) return [`${names[provider]}: not configured`]
  return [
    `${names[provider]}: ${mode} mode, at ${address}`,
    ...findings.map(lineOf),
    `  takes money by ${serves.join(', ')}; pays out in ${paysOut.join(', ') || 'no currency'}`,
  ]
}

/** Whether everything is in order: a provider is configured, and nothing has failed. */
function isFine(reports: ProviderReport[]): boolean {
  const findings = reports.flatMap((report) => report.findings)
  return reports.some(({ configured }) => configured) && findings.every(({ level }) => level !== 'failed')
}

const started = isInImage ? ['check-rails'] : ['npx steadypay rails check', 'node scripts/check-rails.ts']

const usage = `Usage: ${started.map((command) => `${command} [--json]`).join('\n       ')}

  --json  prints JSON
  --help  shows this

Reads the variables about the providers, DEPLOYMENT and PUBLIC_URL. Exit code 0: all is in order; 1: it is not.`

async function check({ isJson }: { isJson: boolean }): Promise<number> {
  const { providers, publicUrl } = loadProviders()
  const reports = await checkProviders(providers, publicUrl)
  if (isJson) {
    const shown = reports.map(({ paysOut, ...report }) => ({ ...report, pays_out: paysOut }))
    console.log(JSON.stringify({ ok: isFine(reports), providers: shown }, null, 2))
  } else {
    console.log(reports.flatMap(linesOf).join('\n'))
    if (reports.every(({ configured }) => !configured))
      console.log('No provider is configured, so every live sale and payout is refused.')
  }
  return isFine(reports) ? 0 : 1
}

const order = readOptions({ json: { type: 'boolean' } }, ({ json = false }, given) =>
  given.length === 0 ? { isJson: json } : null,
)
const isJson = typeof order === 'object' && order !== null && order.isJson
const reasonOf = (error: unknown): unknown =>
  isJson && error instanceof ConfigError
    ? JSON.stringify({ detail: error.message, error_code: 'CONFIG' })
    : whyFailed(error)
await runCommand(order, { usage, run: check, failureCode: 1, reasonOf })
