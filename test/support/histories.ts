import proto from '@temporalio/proto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ProcessName } from '../../db/start-process.ts'
import { processId } from '../../db/start-process.ts'
import { cards, sale, transferSale } from './merchant.ts'
import type { Receiver } from './receiver.ts'
import type { Stack } from './stack.ts'
import { depositInto, openAccount } from './virtual-account.ts'

const folder = new URL('../histories/', import.meta.url)
const minute = 60_000
const hour = 60 * minute

const { History } = proto.temporal.api.history.v1
export type History = proto.temporal.api.history.v1.IHistory
export type Recorded = { name: string; workflowId: string; history: History }

/** Plays one life of a process and answers whose it was. */
type Life = { process: ProcessName; play: (stack: Stack, receiver: Receiver) => Promise<string> }

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
type Session = Awaited<ReturnType<Stack['merchant']['createCheckout']>>

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
  'webhook-delivery-succeeded': deliver([]),
  'webhook-delivery-failed': deliver(Array(5).fill(500)),
  'webhook-delivery-recovered': deliver([500, 500, 500]),
  'webhook-delivery-skipped': deliver([500], (stack) => stack.merchant.setWebhook(null)),
}

/** Plays a life to its end and answers its history. */
export async function record(stack: Stack, receiver: Receiver, name: string): Promise<Recorded> {
  const life = lives[name]
  if (!life) throw new Error(`no such life: ${name}`)
  const workflowId = processId(life.process, await life.play(stack, receiver))
  await stack.finished(life.process, workflowId.slice(workflowId.indexOf('/') + 1))
  const history = await stack.client.workflow.getHandle(workflowId).fetchHistory()
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
