import type { Database, EntityManager } from '../../db/core/database.ts'
import { failureCodes } from '../../domain/checkout/payment.ts'
import { SimulatedCard, SimulatedCharge, SimulatedCode } from './book.ts'
import type { ChargeOrder, Rail, RailAnswer } from '../rail.ts'
import { createSimulatedDisputes, raiseInSandbox, withDisputes } from './dispute.ts'
import { type CardBehaviour, disputedAfterMs, isDisputing, succeedsAtOnce, warningMs } from './test-values.ts'
import { createSimulatedRefunds } from './refund.ts'
import { type ChargeStatus, saveCard, statusWhenPresent } from './saved-card.ts'

/** Cards, simulated: charges live in the simulator's own book and are keyed by our payment id. */
export function createSimulatedCards(database: Database): Rail<'sandbox'> {
  const { orm } = database
  return {
    ...createSimulatedRefunds(database),
    ...createSimulatedDisputes(database),
    async charge(order: ChargeOrder, at: number) {
      const em = orm.em.fork()
      const card = await em.findOne(SimulatedCard, { token: order.token ?? '' })
      await insertCharge(em, order, await statusOf(em, card?.behaviour ?? 'card_declined', order.securityCode))
      return afterCharging(em, order, card?.behaviour, at)
    },
    async confirm(paymentId, codeToken) {
      const em = orm.em.fork()
      const passes = (await em.findOne(SimulatedCode, { token: codeToken }))?.passes ?? false
      await em.execute(
        `update simulated_charges set status = ?, failure_code = ?, executions = executions + ?, verified = ?
         where payment_id = ? and status = 'requires_action'`,
        passes ? ['succeeded', null, 1, true, paymentId] : ['failed', 'authentication_failed', 0, false, paymentId],
      )
      return answerOf(em, paymentId)
    },
    /** A charge that the issuer still works on cannot be stopped; one that waits for its owner's code can. */
    async cancelCharge(paymentId) {
      const em = orm.em.fork()
      await em.execute(
        `insert into simulated_charges (payment_id, status, amount, currency) values (?, 'canceled', 0, '')
         on conflict (payment_id) do update set status = 'canceled'
         where simulated_charges.status = 'requires_action'`,
        [paymentId],
      )
      return answerOf(em, paymentId)
    },
    async lookUp(paymentId, at) {
      const em = orm.em.fork()
      if (!(await em.findOne(SimulatedCharge, { paymentId }))) return { status: 'not_found' }
      return withDisputes(em, paymentId, await answerOf(em, paymentId), at)
    },
  }
}

/** Enters a charge into the book; one with this id stays as it is. */
export async function insertCharge(
  em: EntityManager,
  order: Pick<ChargeOrder, 'paymentId' | 'amount' | 'currency' | 'token' | 'savesCard'>,
  [status, failureCode]: ChargeStatus,
): Promise<void> {
  const { paymentId, amount, currency, token, savesCard } = order
  const executions = status === 'succeeded' ? 1 : 0
  const [entered] = await em.execute<Record<string, unknown>[]>(
    `insert into simulated_charges
       (payment_id, status, amount, currency, card_token, failure_code, saves_card, executions)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (payment_id) do nothing returning *`,
    [paymentId, status, amount, currency, token, failureCode, savesCard, executions],
  )
  if (entered) em.map(SimulatedCharge, entered) // so that the answer takes no query
}

/**
 * The answer to the order of a charge, which is disputed a moment later if its card says so. Only then is the book of
 * disputes read.
 */
export async function afterCharging(
  em: EntityManager,
  { paymentId, amount }: Pick<ChargeOrder, 'paymentId' | 'amount'>,
  behaviour: CardBehaviour | undefined,
  at: number,
): Promise<RailAnswer> {
  const answer = await answerOf(em, paymentId)
  if (!behaviour || !isDisputing(behaviour)) return answer
  const raisedAt = at + disputedAfterMs
  const warnsUntil = behaviour === 'warned' ? raisedAt + warningMs : null
  await raiseInSandbox(em, { paymentId, key: 'card' }, { amount, reason: 'fraudulent', warnsUntil }, raisedAt)
  return withDisputes(em, paymentId, answer, at)
}

/** How the charge of a payment stands, as the book has it. */
export async function answerOf(em: EntityManager, paymentId: string): Promise<RailAnswer> {
  const charge = await em.findOneOrFail(SimulatedCharge, { paymentId })
  const { status, failureCode, amount, cardToken } = charge
  if (status === 'processing' || status === 'canceled') return { status }
  if (status === 'requires_action') return { status, nextAction: { type: 'otp' } }
  if (status === 'failed') return { status, failureCode: failureCode ?? 'card_declined' }
  // A card that was only typed is deleted after a month. Its charge may still be disputed.
  const card = await em.findOne(SimulatedCard, { token: cardToken ?? '' })
  if (!card) return { status, received: amount, deposits: [], details: null }
  const details = {
    brand: card.brand,
    last4: card.lastFour,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    country: card.country,
    three_d_secure: charge.verified || card.behaviour === 'asks_for_3ds',
  }
  const saved = charge.savesCard ? { saved: await saveCard(em, card, paymentId) } : {}
  return { status, received: amount, deposits: [], details, ...saved }
}

/** How a charge begins. `securityCode`: the vault's token for that of a saved card; null for a card just typed. */
async function statusOf(em: EntityManager, behaviour: CardBehaviour, securityCode: string | null) {
  if (securityCode === null) return firstStatus(behaviour)
  const code = await em.findOne(SimulatedCode, { token: securityCode })
  return statusWhenPresent(behaviour, code?.passes ?? false)
}

function firstStatus(behaviour: CardBehaviour): ChargeStatus {
  if (succeedsAtOnce(behaviour)) return ['succeeded', null]
  if (behaviour === 'asks_for_3ds') return ['requires_action', null]
  if (behaviour === 'answers_late') return ['processing', null]
  return ['failed', failureCodes.find((code) => code === behaviour) ?? 'card_declined']
}
