import type Stripe from 'stripe'
import type { SetupAnswer, SetupOrder } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import type { Customers } from './customer.ts'
import { failureCodeOf } from './failure-code.ts'
import { assertOurs, cardDetailsOf, idOf, metadataKey } from './intent.ts'
import type { BookedOrder, Needs } from './orders.ts'
import { sendUnlessDown } from './send-unless-down.ts'
import { readToken, savedToken } from './token.ts'
import { ask, isTrouble } from './trouble.ts'

const expand = ['payment_method']

/** Saving cards without a charge: a setup is one SetupIntent, whose idempotency key is the setup's id. */
export function createSetups(needs: Needs, customers: Customers) {
  const { api, orders, livemode } = needs
  const retrieve = (id: string) => ask('retrieving a setup', () => api.setupIntents.retrieve(id, { expand }))

  /** The setup in Stripe's list, which is never late; null: Stripe has none. Each setup has a customer of its own. */
  async function find({ orderId, customerId }: BookedOrder): Promise<Stripe.SetupIntent | null> {
    if (customerId === null) return null // it is stored before anything else is sent
    const query = { customer: customerId, limit: 10 }
    const { data } = await ask('listing setups', () => api.setupIntents.list(query))
    const found = data.find(({ metadata }) => metadata?.[metadataKey] === orderId)
    return found ? retrieve(found.id) : null
  }

  async function conclude(orderId: string, intent: Stripe.SetupIntent): Promise<SetupAnswer> {
    assertOurs(intent, orderId, livemode)
    await orders.adopt(orderId, intent.id)
    const { status, next_action: action, last_setup_error: reason } = intent
    if (status === 'succeeded') return { status: 'succeeded', ...savedOf(intent) }
    if (status === 'processing') return { status: 'processing' }
    const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : null
    if (status === 'requires_action' && url) return { status: 'requires_action', nextAction: { type: 'redirect', url } }
    const failed = {
      status: 'failed' as const,
      failureCode: reason ? failureCodeOf(reason) : ('authentication_failed' as const),
    }
    if (status === 'canceled') return failed
    if (!stoppable.includes(status))
      throw new Error(`Stripe reports ${orderId} in a state that this rail does not know`)
    // It could still succeed with another card, without us.
    try {
      await ask('cancelling a setup', () => api.setupIntents.cancel(intent.id))
    } catch (error) {
      if (!isTrouble(error, 'wrong_state')) throw error
      const now = await retrieve(intent.id)
      if (now.status === 'succeeded') return { status: 'succeeded', ...savedOf(now) }
      if (now.status !== 'canceled') throw error
    }
    return failed
  }

  async function lookUp(orderId: string): Promise<SetupAnswer> {
    const row = await orders.find(orderId)
    if (!row) return { status: 'not_found' }
    if (row.answered === 'refused') return { status: 'failed', failureCode: 'rail_unavailable' }
    const intent = row.stripeId ? await retrieve(row.stripeId) : await find(row)
    return intent ? conclude(orderId, intent) : { status: 'not_found' }
  }

  async function send(row: BookedOrder, { token, returnUrl, email }: SetupOrder): Promise<SetupAnswer> {
    const { orderId } = row
    const { paymentMethod, customer } = readToken(token)
    if (customer !== null) throw new Error(`the card of the setup ${orderId} is saved already`)
    const params = {
      customer: await customers.of(row, email),
      payment_method: paymentMethod,
      allowed_payment_method_types: ['card' as const],
      confirm: true,
      usage: 'off_session' as const,
      metadata: { [metadataKey]: orderId },
      expand,
      ...(returnUrl !== null && { return_url: returnUrl }),
    }
    const sending = await orders.markSent(orderId)
    if (!sending) return lookUp(orderId)
    let intent: Stripe.SetupIntent
    try {
      intent = await ask('saving a card', () => api.setupIntents.create(params, { idempotencyKey: orderId }))
    } catch (error) {
      if (isTrouble(error, 'declined') && error.objectId) return conclude(orderId, await retrieve(error.objectId))
      if (isTrouble(error, 'not_sent')) await orders.takeBack(orderId, sending)
      if (!isTrouble(error, 'refused', 'used_key')) throw error
      const found = await find(await orders.read(orderId))
      if (found) return conclude(orderId, found)
      if (error.kind === 'used_key') throw error
      await orders.note(orderId, 'refused')
      throw refusalOf(error.code)
    }
    return conclude(orderId, intent)
  }

  return {
    async setUp(order: SetupOrder<'live'>): Promise<SetupAnswer> {
      const { setupId: orderId } = order
      const row = await orders.open({ orderId, kind: 'setup' })
      if (row.answered === 'refused') throw refusalOf('refused before')
      if (row.stripeId) return conclude(orderId, await retrieve(row.stripeId))
      return sendUnlessDown(needs, orderId, refusalOf('no answer'), async () => {
        const found = await find(row)
        return found ? conclude(orderId, found) : send(row, order)
      })
    },
    /** Stripe goes on by itself after the buyer has been at their bank, so there is nothing to confirm. */
    confirm: (setupId: string) => lookUp(setupId),
    lookUp,
  }
}

function savedOf({ id, customer, payment_method: method }: Stripe.SetupIntent) {
  const owner = idOf(customer)
  if (!owner || !method || typeof method === 'string' || !method.card)
    throw new Error(`Stripe's answer about the setup ${id} has no card`)
  return { token: savedToken(owner, method.id), card: cardDetailsOf(method.card) }
}

const stoppable = ['requires_action', 'requires_payment_method', 'requires_confirmation']

const refusalOf = (code: string) => new RailRefusal(`Stripe does not save the card (${code})`)
