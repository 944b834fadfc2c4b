import type { Database, EntityManager } from '../../db/core/database.ts'
import { SimulatedCode, SimulatedPhone, SimulatedPrompt } from './book.ts'
import type { NextAction } from '../../domain/checkout/payment.ts'
import type { ChargeOrder, Rail, RailAnswer } from '../rail.ts'
import { createSimulatedDisputes } from './dispute.ts'
import { createSimulatedRefunds } from './refund.ts'
import { voucherProvider } from './test-values.ts'
import { minuteMs } from '../../domain/duration.ts'

/** How long a question stays on a phone, in milliseconds. */
const promptMs = 5 * minuteMs
/** How long the simulated buyers think, in milliseconds. */
const usualThinkingMs = 1_000

/** Mobile money, simulated: a question on the buyer's phone, which they answer in a second, or never. */
export function createSimulatedMobileMoney(database: Database, thinkingMs = usualThinkingMs): Rail<'sandbox'> {
  const { orm } = database
  async function lookUp(paymentId: string, at: number): Promise<RailAnswer> {
    const em = orm.em.fork()
    await em.execute(
      `update simulated_prompts set status = case outcome when 'succeeded' then 'succeeded' else 'failed' end,
         executions = executions + case outcome when 'succeeded' then 1 else 0 end
       where payment_id = ? and status in ('requires_pin', 'prompted') and answers_at <= ?`,
      [paymentId, new Date(at)],
    )
    const prompt = await em.findOne(SimulatedPrompt, { paymentId })
    if (!prompt) return { status: 'not_found' }
    if (prompt.status === 'canceled') return { status: 'canceled' }
    return answerOf(prompt, await em.findOne(SimulatedPhone, { token: prompt.phoneToken }))
  }

  return {
    ...createSimulatedRefunds(database),
    ...createSimulatedDisputes(database),
    async charge(order, at) {
      const em = orm.em.fork()
      const outcome = await outcomeOf(em, order.token ?? '')
      await em.execute(
        `insert into simulated_prompts (payment_id, amount, currency, provider, phone_token,
           status, outcome, answers_at, closes_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (payment_id) do nothing`,
        [
          order.paymentId,
          order.amount,
          order.currency,
          order.provider,
          order.token,
          ...firstStatus(order, outcome, at, thinkingMs),
        ],
      )
      return lookUp(order.paymentId, at)
    },
    async confirm(paymentId, codeToken, at) {
      const em = orm.em.fork()
      const passes = (await em.findOne(SimulatedCode, { token: codeToken }))?.passes ?? false
      const prompt = await em.findOneOrFail(SimulatedPrompt, { paymentId })
      const outcome = await outcomeOf(em, prompt.phoneToken)
      await em.execute(
        `update simulated_prompts set status = ?, outcome = ?, answers_at = ?
         where payment_id = ? and status = 'requires_pin' and answers_at > ?`,
        [...(passes ? prompted(outcome, at + thinkingMs, prompt.closesAt) : refused(at)), paymentId, new Date(at)],
      )
      return lookUp(paymentId, at)
    },
    /** Withdraws the question from the phone, unless its owner has answered it. */
    async cancelCharge(paymentId, at) {
      const { status } = await lookUp(paymentId, at)
      if (status === 'requires_action' || status === 'not_found') {
        const now = new Date(at)
        await orm.em.fork().execute(
          `insert into simulated_prompts (payment_id, amount, currency, provider, phone_token,
             status, outcome, answers_at, closes_at)
           values (?, 0, '', '', '', 'canceled', 'customer_timeout', ?, ?)
           on conflict (payment_id) do update set status = 'canceled'
           where simulated_prompts.status in ('requires_pin', 'prompted')`,
          [paymentId, now, now],
        )
      }
      return lookUp(paymentId, at)
    },
    lookUp,
  }
}

/** How the owner of a phone answers. Phones are deleted after a month, and then nobody answers. */
const outcomeOf = async (em: EntityManager, token: string): Promise<string> =>
  (await em.findOne(SimulatedPhone, { token }))?.outcome ?? 'customer_timeout'

/** Columns of a new prompt from `status` on, in the order of the insert. */
function firstStatus({ provider }: ChargeOrder, outcome: string, at: number, thinkingMs: number): unknown[] {
  const closesAt = new Date(at + promptMs)
  if (provider === voucherProvider) return ['requires_pin', 'customer_timeout', closesAt, closesAt]
  return [...prompted(outcome, at + thinkingMs, closesAt), closesAt]
}

/** `status`, `outcome` and `answers_at` of a question that is on the phone. */
const prompted = (outcome: string, thoughtAt: number, closesAt: Date): unknown[] => [
  'prompted',
  outcome,
  outcome === 'customer_timeout' ? closesAt : new Date(Math.min(thoughtAt, closesAt.getTime())),
]

/** The same columns after a wrong code. */
const refused = (at: number): unknown[] => ['failed', 'authentication_failed', new Date(at)]

/** `phone` is null once it has been deleted; the prompt may still be paid or closed. */
function answerOf(prompt: SimulatedPrompt, phone: SimulatedPhone | null): RailAnswer {
  const { status, provider, outcome } = prompt
  if (status === 'failed') {
    if (outcome === 'succeeded') throw new Error(`the prompt of ${prompt.paymentId} has failed without a reason`)
    return { status, failureCode: outcome }
  }
  if (status === 'succeeded') {
    const details = { provider, ...(phone && { phone_number: phone.maskedNumber }) }
    return { status, received: prompt.amount, deposits: [], details }
  }
  const expires_at = prompt.closesAt.toISOString()
  const nextAction: NextAction =
    status === 'requires_pin'
      ? { type: 'pin', provider, expires_at }
      : { type: 'phone_prompt', provider, phone_number: phone?.maskedNumber ?? '', expires_at }
  return { status: 'requires_action', nextAction, newsDueAt: prompt.answersAt.getTime() }
}
