import { setTimeout as pause } from 'node:timers/promises'
import { buyer, card, cards, type Merchant, type Reply } from '../support/merchant.ts'
import { create, newTally } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import { isFull, type Scenario } from './scenario.ts'
import { percentile } from './pace.ts'

/**
 * How soon after the process's death a key must be free. The lease is shorter, but a call takes time too, and more in a
 * short run, beside which the machine has other work.
 */
const freeWithinMs = (size: number) => (isFull(killedApi, size) ? 8_000 : 30_000)
/** Longer than a key's lease. */
const frozenMs = 8_000

/** `size` is how often an API process dies, or freezes, while a buyer's payment waits in it. */
export const killedApi: Scenario = {
  promise:
    'when an API process dies or freezes during a payment, a repeated call succeeds seconds later, with one effect',
  size: 20,
  async run(size) {
    const deployment = await deploy()
    try {
      const violations: string[] = []
      const waits: number[] = []
      const living = await deployment.startApi()
      for (let n = 0; n < size; n++) {
        const { waitedMs, errors } = await payAcross(deployment, living.merchant, n, n % 4 === 1 ? 'frozen' : 'killed')
        waits.push(waitedMs)
        violations.push(...errors)
      }
      const slow = waits.filter((ms) => ms > freeWithinMs(size))
      violations.push(...slow.map((ms) => `a key was held for ${Math.round(ms)} ms after its process was gone`))
      const charges = await deployment.sql('select from simulated_charges')
      if (charges.length !== size) violations.push(`${charges.length} charges of ${size} payments`)
      violations.push(...(await waitUntilIdle(deployment, 60_000)).violations, ...(await findDuplicates(deployment)))
      return { figures: { deaths: size, heldMs: percentile(waits, 0.5), slowestMs: percentile(waits, 1) }, violations }
    } finally {
      await deployment.stop()
    }
  },
}

/** A payment that waits for a worker in an API process that then dies or freezes; returns how long the key was held. */
async function payAcross(deployment: Deployment, living: Merchant, n: number, how: 'killed' | 'frozen') {
  const errors: string[] = []
  const dying = await deployment.startApi()
  const session = await create(living, newTally())
  const body = { customer_details: buyer, payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
  const headers = {
    'idempotency-key': `pay-${n}`,
    authorization: `Bearer ${session.client_secret}`,
    'x-forwarded-for': `10.2.0.${n}`,
  }
  const pay = (merchant: Merchant) =>
    merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/pay`, body, headers)
  const first = pay(dying.merchant).catch(() => null)
  await pause(500 + (n % 3) * 1_000)
  const early = await pay(living)
  if (!isInUse(early)) errors.push(`beside a running call the key was free: ${early.status} ${early.text}`)
  if (how === 'killed') await dying.kill()
  else dying.freeze()
  const goneAt = performance.now()
  const worker = await deployment.startWorker() // only now a worker can make the payment
  const reply = await untilAnswered(() => pay(living))
  const waitedMs = performance.now() - goneAt
  if (reply.status !== 200) errors.push(`the repetition: ${reply.status} ${reply.text}`)
  if (how === 'frozen') {
    await pause(Math.max(0, frozenMs - waitedMs))
    dying.wake()
    const late = await first
    const isProper = late?.status === 503 || late?.text === reply.text
    if (!isProper) errors.push(`a process that woke up answered ${late?.status} ${late?.text}`)
  }
  const again = await untilAnswered(() => pay(living))
  if (again.text !== reply.text) errors.push('another repetition got another answer')
  await Promise.all([dying.kill(), worker.kill()])
  return { waitedMs, errors }
}

const isInUse = ({ status, text }: Reply) => status === 409 && text.includes('idempotency_key_in_use')

async function untilAnswered(call: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await call()
    if (!isInUse(reply) && reply.status !== 503) return reply
    await pause(300)
  }
}
