import { readdirSync } from 'node:fs'
import type { ProcessName } from '../../domain/processes.ts'
import { processId } from '../../domain/processes.ts'
import type { Currency } from '../../domain/currency.ts'
import { housekeeping, supervisor } from '../../engine/own-processes.ts'
import { card, cards, mobileSale, sale, setup, transferSale } from './merchant.ts'
import { approve, change, leftOpen, destinationPath, register } from './destination.ts'
import type { Recorded } from './kept-histories.ts'
import type { Life, Run } from './life.ts'
import type { Receiver } from './receiver.ts'
import { addDefault, credit, idOf, setSchedule, stopAll } from './payout-schedule.ts'
import { beginAnew } from './begin-anew.ts'
import { confirmDeposits, endRefund } from './rail-books.ts'
import { sendUnheard } from './sale-events.ts'
import { settled } from './settled.ts'
import { type Stack } from './stack.ts'
import { until } from './until.ts'
import { addImage } from './upload.ts'
import { addUser } from './user.ts'
import { depositInto, openAccount } from './virtual-account.ts'

const minute = 60_000
const hour = 60 * minute

/** The lives in the files of this folder such as `payout-lives.ts`. */
async function livesOfFiles(): Promise<Record<string, Life>> {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('-lives.ts'))
  const found = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<{ lives: Record<string, Life> }>),
  )
  return Object.assign({}, ...found.map((file) => file.lives))
}

const deliver = (statuses: number[], then?: (stack: Stack) => Promise<unknown>): Life => ({
  process: 'webhook-delivery',
  async play(stack, receiver) {
    receiver.answers([...statuses])
    await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
    await stack.dispatched()
    const [row] = await stack.sql<{ id: string }>(
      `select id from deliveries where trigger = 'test' order by created_at desc, id desc limit 1`,
    )
    await then?.(stack)
    return row?.id ?? ''
  },
})

const sell = (body: Record<string, unknown>, act: (stack: Stack, session: Session) => Promise<unknown>): Life => ({
  process: 'checkout',
  async play(stack) {
    const session = await stack.merchant.createCheckout(body)
    await stack.dispatched()
    await act(stack, session)
    return session.checkout_id
  },
})
/** Lets a delivery fail, so that the endpoint's process starts; returns the endpoint's id. */
const failing = (then: (stack: Stack, receiver: Receiver) => Promise<unknown>): Life => ({
  process: 'webhook-endpoint',
  async play(stack, receiver) {
    receiver.answers(Array(100).fill(500))
    await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
    await stack.dispatched()
    const begun = async () =>
      (await stack.sql('select from webhook_endpoints where failing_since is not null')).length > 0
    await until(begun, 'a run of failures has begun')
    await stack.dispatched()
    await then(stack, receiver)
    const [row] = await stack.sql<{ id: string }>('select id from webhook_endpoints')
    return row?.id ?? ''
  },
})

/** Starts a recovery of everything that the endpoint has missed so far, and returns its id. */
async function recover(stack: Stack): Promise<string> {
  const [row] = await stack.sql<{ id: string }>('select id from webhook_endpoints')
  const path = `/v1/webhooks/endpoints/${row?.id}`
  await stack.merchant.call('PATCH', path, { enabled: true })
  const since = new Date((await stack.clock.now()) - 24 * hour).toISOString()
  const { body } = await stack.merchant.call('POST', `${path}/recover`, { since })
  await stack.dispatched()
  return String(body['recovery_id'])
}

type Session = Awaited<ReturnType<Stack['merchant']['createCheckout']>>

/** A day of housekeeping, with an upload to delete, until it continues in a new run, which is stopped. */
async function keepHouse(stack: Stack): Promise<Run> {
  await addImage(stack.merchant)
  await stack.services.engine.dispatch({ ...housekeeping(stack), signal: null })
  const run = await firstRunOf(stack, 'housekeeping', stack.taskQueue, hour)
  await stack.client.workflow.getHandle(processId('housekeeping', stack.taskQueue)).terminate()
  return run
}

/** Terminates a sale's process, as a loss of the engine's data would, once it waits: a running task stops the clock. */
async function end(stack: Stack, checkoutId: string): Promise<void> {
  await settled(stack.client, 'checkout', checkoutId)
  await stack.client.workflow.getHandle(processId('checkout', checkoutId)).terminate()
}

/** Some scans of the supervisor, the first of which finds a session whose process is missing. */
async function supervise(stack: Stack): Promise<Run> {
  const { checkout_id } = await stack.merchant.createCheckout()
  await stack.dispatched()
  await end(stack, checkout_id)
  await stack.services.engine.dispatch({ ...supervisor(stack), signal: null })
  const handle = stack.client.workflow.getHandle(processId('supervisor', stack.taskQueue))
  for (let scans = 0; scans < 3; scans++) {
    await settled(stack.client, 'supervisor', stack.taskQueue)
    await stack.skip(2 * minute)
  }
  await settled(stack.client, 'supervisor', stack.taskQueue)
  const { runId } = await handle.describe()
  await handle.terminate()
  await stack.merchant.cancel(checkout_id)
  return { id: stack.taskQueue, runId }
}

/** The first run of a process that never ends, once a new run has begun and waits; the clock moves in steps. */
async function firstRunOf(stack: Stack, process: ProcessName, id: string, stepMs: number): Promise<Run> {
  const handle = stack.client.workflow.getHandle(processId(process, id))
  const { runId } = await handle.describe()
  for (let steps = 0; steps < 48 && (await handle.describe()).runId === runId; steps++) {
    await settled(stack.client, process, id)
    await stack.skip(stepMs)
  }
  await settled(stack.client, process, id) // a task whose process is gone stops the clock
  return { id, runId }
}

/** A month of daily runs of a schedule; the first two find money. */
async function payOutDaily(stack: Stack): Promise<Run> {
  const who = payeeOf(stack)
  const now = await stack.clock.now()
  await addDefault(stack, who, 'NGN')
  await credit(stack, who, 'NGN', '1000.00', now)
  await credit(stack, who, 'NGN', '2000.00', now + 30 * hour)
  await setSchedule(who, 'NGN', { interval: 'daily' })
  await stack.dispatched()
  const run = await firstRunOf(stack, 'payout-schedule', idOf(who, 'NGN'), 24 * hour)
  await stopAll(stack)
  await stack.dispatched()
  return run
}

const payeeOf = ({ organizationId: accountId, merchant }: Stack) => ({ accountId, merchant })

/** A schedule that ends, because its merchant wants it or because its first run finds no destination. */
const schedule = (currency: Currency, then: (stack: Stack) => Promise<unknown>): Life => ({
  process: 'payout-schedule',
  async play(stack) {
    const who = payeeOf(stack)
    await setSchedule(who, currency, { interval: 'weekly', weekly_payout_days: ['monday'] })
    await stack.dispatched()
    await settled(stack.client, 'payout-schedule', idOf(who, currency))
    await then(stack)
    return idOf(who, currency)
  },
})

const giveBack = (body: Record<string, unknown>, then?: (stack: Stack, id: string) => Promise<unknown>): Life => ({
  process: 'refund',
  async play(stack) {
    const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard(), body)
    await stack.dispatched()
    await then?.(stack, refund_id)
    return refund_id
  },
})

/** Registers a destination that the sandbox leaves to staff, lets it wait, and then acts on it. */
const review = (days: number, act: (stack: Stack, destination: { id: string }) => Promise<unknown>): Life => ({
  process: 'payout-destination',
  async play(stack) {
    const destination = await register(stack.merchant, 'NGN', leftOpen)
    for (let day = 0; day <= days; day++) {
      await stack.dispatched()
      await settled(stack.client, 'payout-destination', destination.id)
      if (day < days) await stack.skip(24 * hour + minute)
    }
    await act(stack, destination)
    return destination.id
  },
})

async function approved(stack: Stack, destination: { id: string }): Promise<void> {
  const reviewer = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })
  await approve(stack.merchant, reviewer, destination)
}

/** The lives that are recorded: each way in which a process can run. */
export const lives: Record<string, Life> = {
  'checkout-paid-by-card': sell(sale, (stack, session) => stack.merchant.payByCard(session)),
  'checkout-paid-with-3ds': sell(sale, async (stack, session) => {
    await stack.merchant.payByCard(session, cards.threeDs)
    await stack.merchant.confirm(session, { code: '123456' })
  }),
  'checkout-declined-then-paid': sell(sale, async (stack, session) => {
    await stack.merchant.payByCard(session, cards.declined)
    await stack.merchant.payByCard(session)
  }),
  'checkout-expired': sell(sale, async () => undefined),
  'checkout-cancelled': sell(sale, (stack, session) => stack.merchant.cancel(session.checkout_id)),
  'checkout-free': sell({ ...sale, amount: '0.00' }, (stack, session) => stack.merchant.pay(session, {})),
  'checkout-underpaid-then-topped-up': sell(transferSale, async (stack, session) => {
    const { payment_id } = await stack.merchant.payByTransfer(session)
    await stack.merchant.deposit(payment_id, { amount: '1000.00' })
    await stack.merchant.deposit(payment_id)
  }),
  'checkout-paid-late': sell(transferSale, async (stack, session) => {
    const { payment_id } = await stack.merchant.payByTransfer(session)
    await stack.skip(30 * hour)
    await stack.merchant.deposit(payment_id)
  }),
  'checkout-begun-anew': sell(transferSale, async (stack, session) => {
    const { payment_id } = await stack.merchant.payByTransfer(session)
    await end(stack, session.checkout_id)
    await sendUnheard(stack, payment_id)
    await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
  }),
  'checkout-replaced-before-it-was-paid': sell(mobileSale, async (stack, session) => {
    await stack.merchant.payByPhone(session, { phone_number: '+254700000005' })
    await settled(stack.client, 'checkout', session.checkout_id)
    await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
    await settled(stack.client, 'checkout', session.checkout_id)
    await stack.merchant.confirm(session)
  }),
  'checkout-short-then-accepted': sell(transferSale, async (stack, session) => {
    const { payment_id } = await stack.merchant.payByTransfer(session)
    await stack.merchant.deposit(payment_id, { amount: '1000.00' })
    await stack.skip(30 * hour)
    await settled(stack.client, 'checkout', session.checkout_id)
    await stack.merchant.call('POST', `/v1/payments/${payment_id}/accept`)
  }),
  'housekeeping-of-a-day': { process: 'housekeeping', play: keepHouse },
  'supervisor-of-some-looks': { process: 'supervisor', play: supervise },
  'checkout-paid-by-mobile-money': sell(mobileSale, (stack, session) => stack.merchant.payByPhone(session)),
  'checkout-mobile-money-timeout': sell(mobileSale, (stack, session) =>
    stack.merchant.payByPhone(session, { phone_number: '+254700000005' }),
  ),
  'checkout-paid-by-crypto': sell(sale, async (stack, session) => {
    const { payment_id } = await stack.merchant.payByCrypto(session)
    await stack.merchant.deposit(payment_id)
  }),
  'checkout-paid-in-another-currency': sell(sale, (stack, session) => stack.merchant.payByPhone(session)),
  'checkout-saved-a-card-with-3ds': sell(setup, async (stack, session) => {
    await stack.merchant.payByCard(session, cards.declined)
    await stack.merchant.payByCard(session, cards.threeDs)
    await stack.merchant.confirm(session, { code: '123456' })
  }),
  'refund-succeeded': giveBack({}),
  'refund-failed': giveBack({ simulated_outcome: 'failed' }),
  'refund-polled': giveBack({ reference: 'sandbox_no_answer' }, async (stack, id) => {
    await stack.skip(2 * hour)
    await endRefund(stack, id, 'succeeded')
  }),
  ...(await livesOfFiles()),
  'deposit-settled': {
    process: 'deposit',
    async play({ merchant }) {
      const account = await openAccount(merchant, 'ada@example.com')
      const { body } = await depositInto(merchant, account, { amount: '5000.00' })
      return String(body['payment_id'])
    },
  },
  'deposit-confirmed-late': {
    process: 'deposit',
    async play(stack) {
      const { merchant, sql, skip } = stack
      const account = await openAccount(merchant, 'late@example.com')
      await sql('alter table simulated_deposits alter column is_final set default false')
      const { body } = await depositInto(merchant, account, { amount: '5000.00' })
      await stack.dispatched()
      await skip(10 * minute)
      await sql('alter table simulated_deposits alter column is_final set default true')
      await confirmDeposits(stack)
      return String(body['payment_id'])
    },
  },
  'payout-schedule-of-a-month': { process: 'payout-schedule', play: payOutDaily },
  'payout-schedule-disabled': schedule('KES', (stack) => stack.skip(8 * 24 * hour)),
  'payout-schedule-made-manual': schedule('GHS', async (stack) => {
    await setSchedule(payeeOf(stack), 'GHS', { interval: 'manual' })
  }),
  'payout-destination-by-sandbox': {
    process: 'payout-destination',
    async play({ merchant, dispatched }) {
      const { id } = await register(merchant)
      await dispatched()
      return id
    },
  },
  'payout-destination-approved-at-once': review(0, approved),
  'payout-destination-escalated': review(4, approved),
  'payout-destination-restated': review(1, async (stack, destination) => {
    await change(stack.merchant, destination, { account_number: '9876543210' })
    await stack.dispatched()
  }),
  'payout-destination-deactivated': review(0, async (stack, destination) => {
    await stack.merchant.call('DELETE', destinationPath(destination))
    await stack.dispatched()
  }),
  'webhook-delivery-failed': deliver(Array(5).fill(500)),
  'webhook-delivery-recovered': deliver([500, 500, 500]),
  'webhook-delivery-skipped': deliver([500], (stack) => stack.merchant.setWebhook(null)),
  'webhook-endpoint-healthy': failing(async (stack, receiver) => {
    await stack.skip(30 * hour)
    receiver.answers([])
    await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  }),
  'webhook-endpoint-disabled': failing(async () => undefined),
  'webhook-recovery-completed': {
    process: 'webhook-recovery',
    async play(stack) {
      const session = await stack.merchant.createCheckout()
      await stack.merchant.payByCard(session)
      return recover(stack)
    },
  },
}

/** Plays a life to its end and returns its history; by default the one that is scripted under this name. */
export async function record(
  stack: Stack,
  receiver: Receiver,
  name: string,
  life: Life | undefined = lives[name],
): Promise<Recorded> {
  if (!life) throw new Error(`no such life: ${name}`)
  const played = await life.play(stack, receiver)
  const { id, runId } = typeof played === 'string' ? { id: played, runId: undefined } : played
  if (runId === undefined) await stack.finished(life.process, id)
  const workflowId = processId(life.process, id)
  const history = await stack.client.workflow.getHandle(workflowId, runId).fetchHistory()
  return { name, workflowId, history }
}
