import proto from '@temporalio/proto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ProcessName } from '../../db/start-process.ts'
import { processId } from '../../db/start-process.ts'
import { housekeepingId, startHousekeeping } from '../../engine/housekeeping.ts'
import { approve, change, leftOpen, pathOf, register } from './destination.ts'
import { cards, mobileSale, sale, transferSale } from './merchant.ts'
import type { Receiver } from './receiver.ts'
import { settled } from './settled.ts'
import { type Stack, until } from './stack.ts'
import { addImage } from './upload.ts'
import { addUser } from './user.ts'
import { depositInto, openAccount } from './virtual-account.ts'

const folder = new URL('../histories/', import.meta.url)
const minute = 60_000
const hour = 60 * minute

const { History } = proto.temporal.api.history.v1
export type History = proto.temporal.api.history.v1.IHistory
export type Recorded = { name: string; workflowId: string; history: History }

/**
 * Plays one life of a process and answers whose it was. Of a process that never ends a life is one of its runs, whose
 * end `play` has waited for.
 */
type Life = { process: ProcessName; play: (stack: Stack, receiver: Receiver) => Promise<string | Run> }
type Run = { id: string; runId: string }

const deliver = (statuses: number[], then?: (stack: Stack) => Promise<unknown>): Life => ({
  process: 'webhook-delivery',
  async play(stack, receiver) {
    receiver.answers([...statuses])
    await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
    await stack.told()
    const [row] = await stack.sql<{ id: string }>('select id from deliveries order by created_at desc, id desc limit 1')
    await then?.(stack)
    return row?.id ?? ''
  },
})

const sell = (body: Record<string, unknown>, act: (stack: Stack, session: Session) => Promise<unknown>): Life => ({
  process: 'checkout',
  async play(stack) {
    const session = await stack.merchant.createCheckout(body)
    await stack.told()
    await act(stack, session)
    return session.checkout_id
  },
})
/** Fails once, so that the endpoint's process begins; answers the endpoint. */
const failing = (then: (stack: Stack, receiver: Receiver) => Promise<unknown>): Life => ({
  process: 'webhook-endpoint',
  async play(stack, receiver) {
    receiver.answers(Array(100).fill(500))
    await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
    await stack.told()
    const begun = async () =>
      (await stack.sql('select from webhook_endpoints where failing_since is not null')).length > 0
    await until(begun, 'a run of failures has begun')
    await stack.told()
    await then(stack, receiver)
    const [row] = await stack.sql<{ id: string }>('select id from webhook_endpoints')
    return row?.id ?? ''
  },
})

/** Orders a recovery of what the endpoint has missed so far; answers it. */
async function recover(stack: Stack): Promise<string> {
  const [row] = await stack.sql<{ id: string }>('select id from webhook_endpoints')
  const path = `/v1/webhooks/endpoints/${row?.id}`
  await stack.merchant.call('PATCH', path, { enabled: true })
  const since = new Date((await stack.clock.now()) - 24 * hour).toISOString()
  const { body } = await stack.merchant.call('POST', `${path}/recover`, { since })
  await stack.told()
  return String(body['recovery_id'])
}

type Session = Awaited<ReturnType<Stack['merchant']['createCheckout']>>

/** A day of housekeeping, with an upload to delete, until a new run goes on; that one is stopped. */
async function keepHouse(stack: Stack): Promise<Run> {
  await addImage(stack.merchant)
  await startHousekeeping(stack.services.engine)
  const handle = stack.client.workflow.getHandle(processId('housekeeping', housekeepingId))
  const { runId } = await handle.describe()
  for (let hours = 0; hours < 48 && (await handle.describe()).runId === runId; hours++) {
    await settled(stack.client, 'housekeeping', housekeepingId)
    await stack.skip(hour)
  }
  await settled(stack.client, 'housekeeping', housekeepingId) // time stands still for a task whose process is gone
  await handle.terminate()
  return { id: housekeepingId, runId }
}

const giveBack = (body: Record<string, unknown>, then?: (stack: Stack, id: string) => Promise<unknown>): Life => ({
  process: 'refund',
  async play(stack) {
    const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard(), body)
    await stack.told()
    await then?.(stack, refund_id)
    return refund_id
  },
})

/** Registers a destination that the sandbox leaves to the staff, lets it wait and then does something about it. */
const review = (days: number, act: (stack: Stack, destination: { id: string }) => Promise<unknown>): Life => ({
  process: 'payout-destination',
  async play(stack) {
    const destination = await register(stack.merchant, 'NGN', leftOpen)
    for (let day = 0; day <= days; day++) {
      await stack.told()
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

/** The lives that are recorded, one of each kind that a process can lead. */
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
  'housekeeping-of-a-day': { process: 'housekeeping', play: keepHouse },
  'checkout-paid-by-mobile-money': sell(mobileSale, (stack, session) => stack.merchant.payByPhone(session)),
  'checkout-mobile-money-timeout': sell(mobileSale, (stack, session) =>
    stack.merchant.payByPhone(session, { phone_number: '+254700000005' }),
  ),
  'checkout-paid-by-crypto': sell(sale, async (stack, session) => {
    const { payment_id } = await stack.merchant.payByCrypto(session)
    await stack.merchant.deposit(payment_id)
  }),
  'refund-succeeded': giveBack({}),
  'refund-failed': giveBack({ simulated_outcome: 'failed' }),
  'refund-polled': giveBack({ reference: 'sandbox_no_answer' }, async (stack, id) => {
    await stack.skip(2 * hour)
    await stack.sql(`update simulated_refunds set status = 'succeeded', executions = 1 where refund_id = ?`, [id])
  }),
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
    async play({ merchant, sql, skip }) {
      const account = await openAccount(merchant, 'late@example.com')
      await sql('alter table simulated_deposits alter column is_final set default false')
      const { body } = await depositInto(merchant, account, { amount: '5000.00' })
      await skip(10 * minute)
      await sql('alter table simulated_deposits alter column is_final set default true')
      await sql('update simulated_deposits set is_final = true')
      return String(body['payment_id'])
    },
  },
  'payout-destination-by-sandbox': {
    process: 'payout-destination',
    async play({ merchant, told }) {
      const { id } = await register(merchant)
      await told()
      return id
    },
  },
  'payout-destination-approved-at-once': review(0, approved),
  'payout-destination-escalated': review(4, approved),
  'payout-destination-restated': review(1, async (stack, destination) => {
    await change(stack.merchant, destination, { account_number: '9876543210' })
    await stack.told()
  }),
  'payout-destination-deactivated': review(0, async (stack, destination) => {
    await stack.merchant.call('DELETE', pathOf(destination))
    await stack.told()
  }),
  'webhook-delivery-succeeded': deliver([]),
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

/** Plays a life to its end and answers its history. */
export async function record(stack: Stack, receiver: Receiver, name: string): Promise<Recorded> {
  const life = lives[name]
  if (!life) throw new Error(`no such life: ${name}`)
  const played = await life.play(stack, receiver)
  const { id, runId } = typeof played === 'string' ? { id: played, runId: undefined } : played
  if (runId === undefined) await stack.finished(life.process, id)
  const workflowId = processId(life.process, id)
  const history = await stack.client.workflow.getHandle(workflowId, runId).fetchHistory()
  return { name, workflowId, history }
}

/** Keeps a history beside the others: named by what happened and the day, and never changed again. */
export function keep({ name, workflowId, history }: Recorded, day: string): void {
  mkdirSync(folder, { recursive: true })
  const encoded = Buffer.from(History.encode(history).finish()).toString('base64')
  const text = JSON.stringify({ workflowId, history: encoded })
  writeFileSync(new URL(`${name}.${day}.json`, folder), `${text}\n`)
}

/** Every history that was ever kept. */
export const kept = (): Recorded[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { workflowId, history } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
      return { name: file, workflowId, history: History.decode(Buffer.from(history, 'base64')) }
    })
