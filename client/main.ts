// What `npx steadypay` runs: the commands, their options and where errors go. Exit code 0 when it worked, 1 when it
// could not be done, 2 when the command line itself is wrong.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { paymentStatuses } from '../domain/checkout/payment.ts'
import { methods } from '../domain/corridor.ts'
import type { EventType } from '../domain/webhook/event.ts'
import { agendaResources, waitingOns } from '../domain/sight/agenda.ts'
import { type AgendaOptions, showAgenda } from './agenda.ts'
import { connect } from './api.ts'
import { advanceClock, type AdvanceOptions } from './clocks.ts'
import { type CheckoutOptions, createCheckout } from './checkout.ts'
import { findConnection } from './connection.ts'
import { addCompletion } from './completion-command.ts'
import { addLogin } from './login-commands.ts'
import { listed, readEventType, readEventTypes } from './event-type.ts'
import { listEvents, resendEvent, showEvent } from './events.ts'
import { readForwardUrl } from './forward.ts'
import { listen, type ListenOptions } from './listen.ts'
import { addLogs } from './logs.ts'
import { createOutput, printError } from './output.ts'
import { listPayments, type PaymentFilters, showPayment } from './payments.ts'
import { addRails } from './rails.ts'
import { readLimit } from './read-limit.ts'
import { refundPayment, type RefundOptions } from './refund.ts'
import { runScenario } from './scenario.ts'
import { readTracedId, showTimeline } from './timeline.ts'
import { trigger } from './trigger.ts'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }

const program = new Command('steadypay')
  .description('Try a Steadypay integration from the command line')
  .version(manifest.version, '--version', 'print the version')
  .option('--json', 'print JSON, errors included')
  .option('--base-url <url>', 'service URL (default: STEADYPAY_BASE_URL, then that of the login, then .local/dev.json)')
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: () => {} }) // printError prints it
  .exitOverride()

const tools = () => {
  const { json = false, baseUrl } = program.opts<{ json?: boolean; baseUrl?: string }>()
  return [connect(findConnection({ baseUrl })), createOutput(json)] as const
}

program
  .command('listen')
  .description('forward new events to a local URL, signed like real deliveries')
  .requiredOption('--forward-to <url>', 'URL to post them to, such as localhost:4000/webhooks', readForwardUrl)
  .option('--events <types>', 'only these event types, comma-separated', readEventTypes)
  .option('--account <account_id>', 'events of this connected account (default: your own)', readAccountId)
  .addOption(new Option('--secret <secret>', 'signing secret (default: a new one)').argParser(readSecret))
  .action((options: ListenOptions) => listen(...tools(), options, untilStopped()))

program
  .command('trigger')
  .description('trigger an event through public API calls')
  .argument('<type>', 'event type', readEventType)
  .addHelpText('after', `\nThe event types:\n${listed}`)
  .action((type: EventType) => trigger(...tools(), type))

const events = program.command('events').description('list, show and resend events')
events
  .command('list')
  .description('list the newest events')
  .option('--type <type>', 'only this event type', readEventType)
  .option('--limit <number>', 'maximum number of events', readLimit(100), 20)
  .action((options: { type?: EventType; limit: number }) => listEvents(...tools(), options))
events
  .command('show')
  .description('show an event with its deliveries and attempts')
  .argument('<event_id>')
  .action((id: string) => showEvent(...tools(), id))
events
  .command('resend')
  .description('resend an event')
  .argument('<event_id>')
  .option('--endpoint <endpoint_id>', 'only to this endpoint')
  .action((id: string, { endpoint }: { endpoint?: string }) => resendEvent(...tools(), id, endpoint))

program
  .command('timeline')
  .description('show what has happened to a resource and what it waits for')
  .argument('<id>', 'its id, such as chk_… or pay_…', readTracedId)
  .action((id: string) => showTimeline(...tools(), id))

program
  .command('agenda')
  .description('list what your resources wait for, the next moment first')
  .addOption(new Option('--resource <resource>', 'only this kind of resource').choices(agendaResources))
  .addOption(new Option('--waiting-on <whom>', 'only what waits for this').choices(waitingOns))
  .option('--before <moment>', 'only what comes before this moment, such as 2026-01-31T00:00:00Z')
  .option('--limit <number>', 'maximum number of lines', readLimit(1000), 50)
  .action((options: AgendaOptions) => showAgenda(...tools(), options))

program
  .command('clocks')
  .description('manage test clocks')
  .command('advance')
  .description('advance a test clock, and list what has happened')
  .argument('<clock_id>')
  .addOption(new Option('--by <duration>', 'such as P1D or PT72H').conflicts('to'))
  .option('--to <moment>', 'such as 2030-01-31T00:00:00Z')
  .action((id: string, options: AdvanceOptions) => advanceClock(...tools(), id, options))

program
  .command('scenario')
  .description('run scenarios in the sandbox')
  .command('run')
  .description('run the scenario of a file on a test clock of its own')
  .argument('<file>', 'such as docs/scenarios/card-sale.json')
  .action((file: string) => runScenario(...tools(), file))

program
  .command('checkout')
  .description('manage checkout sessions')
  .command('create')
  .description('create a checkout session')
  .requiredOption('--amount <amount>', 'such as 25.00')
  .requiredOption('--currency <currency>', 'such as USD')
  .option('--description <text>', 'what you are selling', 'A sale from the command line')
  .option('--success-url <url>', 'where the buyer returns after paying', 'https://example.com/thanks?c={CHECKOUT_ID}')
  .option('--reference <text>', 'your own reference')
  .addOption(new Option('--method <methods...>', 'only these payment methods').choices(methods))
  .action((options: CheckoutOptions) => createCheckout(...tools(), options))

const payments = program.command('payments').description('list and show payments')
payments
  .command('list')
  .description('list the newest payments')
  .addOption(new Option('--status <status>', 'only payments in this status').choices(paymentStatuses))
  .option('--method <method>', 'only payments by this method, such as USD_CARD')
  .option('--customer <customer_id>', 'only payments of this customer')
  .option('--checkout <checkout_id>', 'only payments of this session')
  .option('--reference <text>', 'only payments with your reference')
  .option('--after <moment>', 'only payments created after this moment, such as 2026-01-31T00:00:00Z')
  .option('--before <moment>', 'only payments created before this moment')
  .option('--limit <number>', 'maximum number of payments', readLimit(1000), 20)
  .action((filters: PaymentFilters) => listPayments(...tools(), filters))
payments
  .command('get')
  .description('show a payment')
  .argument('<payment_id>')
  .action((id: string) => showPayment(...tools(), id))

program
  .command('refund')
  .description('refund a payment, in full or in part')
  .argument('<payment_id>')
  .addOption(
    new Option('--amount <amount>', 'in its settlement currency (default: all that is left)').argParser(readAmount),
  )
  .option('--reason <text>', 'why')
  .option('--reference <text>', 'your own reference (default: a new one)')
  .option('--key <key>', 'with the same key, a repeated call makes no second refund for 24 hours (default: a new one)')
  .action((id: string, options: RefundOptions) => refundPayment(...tools(), id, options))

addLogs(program, tools, untilStopped)
addLogin(program)
addRails(program)
addCompletion(program)

function readAmount(text: string): string {
  if (/^\d{1,20}(\.\d{1,18})?$/.test(text)) return text
  throw new InvalidArgumentError('Enter an amount such as 25.00.')
}

function readAccountId(text: string): string {
  if (/^acct_\w{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('Enter the id of a connected account, such as acct_….')
}

function readSecret(text: string): string {
  if (text.length >= 8 && text.length <= 64) return text
  throw new InvalidArgumentError('Enter a secret of 8 to 64 characters.')
}

/** Aborts on Ctrl-C, SIGTERM and SIGHUP. npx and the terminal may both deliver the same signal: the first counts. */
function untilStopped(): AbortSignal {
  const stopped = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopped.abort())
  return stopped.signal
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0) // the reader has closed the pipe, as `| head` does
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = printError(error, process.argv.includes('--json'))
}
