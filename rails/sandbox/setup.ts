import type { Database } from '../../db/core/database.ts'
import { SimulatedCard, SimulatedCode, SimulatedSetup } from './book.ts'
import type { CardSetups, SetupAnswer } from '../rail.ts'
import { afterCharging, insertCharge } from './card.ts'
import { saveCard, statusWhenAbsent } from './saved-card.ts'
import { type CardBehaviour, succeedsAtOnce } from './test-values.ts'

/** Saving cards, simulated: a card does what it does when it is charged, and is asked for its code here too. */
export function createSimulatedSetups({ orm }: Database): CardSetups<'sandbox'> {
  async function lookUp(setupId: string): Promise<SetupAnswer> {
    const em = orm.em.fork()
    const setup = await em.findOne(SimulatedSetup, { setupId })
    if (!setup) return { status: 'not_found' }
    if (setup.status === 'requires_action') return { status: setup.status, nextAction: { type: 'otp' } }
    if (setup.status === 'failed') return { status: setup.status, failureCode: setup.failureCode ?? 'card_declined' }
    // A card that was only typed is deleted after a month; then there is none to save.
    const card = await em.findOne(SimulatedCard, { token: setup.cardToken })
    if (!card) return { status: 'failed', failureCode: 'card_declined' }
    return { status: 'succeeded', ...(await saveCard(em, card, setupId)) }
  }

  return {
    async setUp({ setupId, token }) {
      const em = orm.em.fork()
      const card = await em.findOne(SimulatedCard, { token })
      await em.execute(
        `insert into simulated_setups (setup_id, card_token, status, failure_code, executions) values (?, ?, ?, ?, ?)
         on conflict (setup_id) do nothing`,
        [setupId, token, ...firstStatus(card?.behaviour ?? 'card_declined')],
      )
      return lookUp(setupId)
    },
    async confirm(setupId, codeToken) {
      const em = orm.em.fork()
      const passes = (await em.findOne(SimulatedCode, { token: codeToken }))?.passes ?? false
      await em.execute(
        `update simulated_setups set status = ?, failure_code = ?, executions = executions + ?
         where setup_id = ? and status = 'requires_action'`,
        passes ? ['succeeded', null, 1, setupId] : ['failed', 'authentication_failed', 0, setupId],
      )
      return lookUp(setupId)
    },
    lookUp,
    async chargeSaved(order, at) {
      const em = orm.em.fork()
      const card = await em.findOne(SimulatedCard, { token: order.token })
      await insertCharge(em, { ...order, savesCard: false }, statusWhenAbsent(card?.behaviour ?? 'card_declined'))
      return afterCharging(em, order, card?.behaviour, at)
    },
  }
}

/** Columns `status`, `failure_code` and `executions` of a new setup. */
function firstStatus(behaviour: CardBehaviour): unknown[] {
  if (succeedsAtOnce(behaviour) || behaviour === 'answers_late') return ['succeeded', null, 1]
  if (behaviour === 'asks_for_3ds') return ['requires_action', null, 0]
  return ['failed', behaviour, 0]
}
