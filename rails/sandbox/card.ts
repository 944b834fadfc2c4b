import type { Database } from '../../db/core/database.ts'
import { SimulatedCard, SimulatedCharge, SimulatedCode } from './book.ts'
import type { ChargeOrder, Rail, RailAnswer } from '../rail.ts'
import type { CardBehaviour } from './test-values.ts'
import { createSimulatedRefunds } from './refund.ts'

/** Cards, simulated: charges live in the simulator's own book and are keyed by our payment id. */
export function createSimulatedCards(database: Database): Rail<'sandbox'> {
  const { orm } = database
  const answer = async (charge: SimulatedCharge): Promise<RailAnswer> => {
    if (charge.status === 'processing' || charge.status === 'canceled') return { status: charge.status }
    if (charge.status === 'requires_action') return { status: 'requires_action', nextAction: { type: 'otp' } }
    if (charge.status === 'failed') {
      return { status: 'failed', failureCode: charge.failureCode ?? 'card_declined' }
    }
    const card = await orm.em.fork().findOneOrFail(SimulatedCard, { token: charge.cardToken ?? '' })
    const details = {
      brand: card.brand,
      last4: card.lastFour,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      country: card.country,
      three_d_secure: card.behaviour === 'asks_for_3ds',
    }
    return { status: 'succeeded', received: charge.amount, deposits: [], details }
  }

  const find = (paymentId: string) => orm.em.fork().findOne(SimulatedCharge, { paymentId })
  return {
    ...createSimulatedRefunds(database),
    async charge(order: ChargeOrder) {
      const em = orm.em.fork()
      const card = await em.findOne(SimulatedCard, { token: order.token ?? '' })
      const behaviour = card?.behaviour ?? 'card_declined'
      await em.execute(
        `insert into simulated_charges (payment_id, status, amount, currency, card_token, failure_code, executions)
         values (?, ?, ?, ?, ?, ?, ?) on conflict (payment_id) do nothing`,
        [order.paymentId, ...firstStatus(behaviour, order)],
      )
      return answer(await em.findOneOrFail(SimulatedCharge, { paymentId: order.paymentId }))
    },
    async confirm(paymentId, codeToken) {
      const em = orm.em.fork()
      const passes = (await em.findOne(SimulatedCode, { token: codeToken }))?.passes ?? false
      await em.execute(
        `update simulated_charges set status = ?, failure_code = ?, executions = executions + ?
         where payment_id = ? and status = 'requires_action'`,
        passes ? ['succeeded', null, 1, paymentId] : ['failed', 'authentication_failed', 0, paymentId],
      )
      return answer(await em.findOneOrFail(SimulatedCharge, { paymentId }))
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
      return answer(await em.findOneOrFail(SimulatedCharge, { paymentId }))
    },
    async lookUp(paymentId) {
      const charge = await find(paymentId)
      return charge ? answer(charge) : { status: 'not_found' }
    },
  }
}

/** Columns of a new charge from `status` on, in the order of the insert. */
function firstStatus(behaviour: CardBehaviour, { amount, currency, token }: ChargeOrder): unknown[] {
  if (behaviour === 'succeeds') return ['succeeded', amount, currency, token, null, 1]
  if (behaviour === 'asks_for_3ds') return ['requires_action', amount, currency, token, null, 0]
  if (behaviour === 'answers_late') return ['processing', amount, currency, token, null, 0]
  return ['failed', amount, currency, token, behaviour, 0]
}
