import assert from 'node:assert/strict'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { SimulatedCharge } from '../../rails/sandbox/book.ts'
import type { useLiveStack } from './live-providers.ts'
import { card, cards, sale } from './merchant.ts'
import { delayCard, endCharge } from './rail-books.ts'
import { createSaleKits, type SaleKit, type Session } from './sale-kits.ts'
import { settled } from './settled.ts'
import { until } from './until.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>
type Held = { session: Session; id: string }
/** So that no session expires while a rail is away. */
const forADay = { expires_in_minutes: 1_440 }

/** A rail that keeps what it is ordered to do undecided, until the test says how it ends. */
export type HeldKit = Pick<
  SaleKit,
  'name' | 'merchant' | 'tell' | 'setAway' | 'refundBody' | 'refundsFor' | 'endRefund' | 'tellOfRefund'
> & {
  /** A sale whose order the rail has taken, and does not decide. */
  hold(more?: object): Promise<Held>
  /** A sale whose order has not reached its rail, which answers nothing from now on. */
  orderInVain(): Promise<Held>
  /** The rail decides. Nobody tells the service of it. */
  end(paymentId: string, end: 'succeeded' | 'failed'): Promise<void>
  /** The buyer of a session pays with something else, which succeeds. */
  payElsewise(session: Session): Promise<void>
  /** How often money was taken for a payment. */
  taken(paymentId: string): Promise<number>
  /** How a payment stands in the rail's own book; null: it is not there. */
  standsAt(paymentId: string): Promise<string | null>
  /** An order that has not reached the rail by now never will, as the rail counts time. */
  forgetLateOrders(): Promise<void>
}

/** The three rails of one service. */
export async function createHeldKits(live: Live): Promise<HeldKit[]> {
  const [sandbox, stripe, paystack] = await createSaleKits(live)
  return [createSandbox(live, sandbox), createStripe(live, stripe), createPaystack(live, paystack)]
}

/** Begins to pay without waiting for an answer; returns the attempt's id once there is one. */
async function begin({ stack }: Live, { merchant }: SaleKit, session: Session, choice: object): Promise<string> {
  void merchant.pay(session, { ...choice, confirm: true }).catch(() => undefined)
  const newest = async () =>
    (
      await stack.sql<{ id: string | null }>('select payment_id as id from checkouts where id = ?', [
        session.checkout_id,
      ])
    )[0]?.id ?? null
  await until(async () => (await newest()) !== null, 'the attempt has begun')
  return String(await newest())
}

function createSandbox(live: Live, kit: SaleKit): HeldKit {
  const { stack } = live
  const { merchant } = kit
  const charged = (paymentId: string) => stack.database.orm.em.fork().findOne(SimulatedCharge, { paymentId })
  return {
    ...kit,
    async hold(more) {
      const session = await merchant.createCheckout({ ...sale, ...more })
      await merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
      await delayCard(stack, session.checkout_id)
      const { body, text } = await merchant.confirm(session)
      assert.equal(body['payment_status'], 'processing', text)
      await settled(stack.client, 'checkout', session.checkout_id)
      return { session, id: String(body['payment_id']) }
    },
    async orderInVain() {
      const session = await merchant.createCheckout({ ...sale, ...forADay })
      kit.setAway(true)
      const id = await begin(live, kit, session, { payment_method: 'USD_CARD', card: card(cards.success) })
      return { session, id }
    },
    end: (paymentId, end) => endCharge(stack, paymentId, end),
    payElsewise: async (session) => void (await merchant.payByCard(session)),
    taken: async (paymentId) => (await charged(paymentId))?.executions ?? 0,
    standsAt: async (paymentId) => (await charged(paymentId))?.status ?? null,
    forgetLateOrders: async () => undefined,
  }
}

function createStripe(live: Live, kit: SaleKit): HeldKit {
  const { stack, stripe } = live
  const { merchant } = kit
  const ordering = 'POST /v1/payment_intents'
  const pay = (token: string) => ({ payment_method: 'USD_CARD', card: { token }, confirm: true })
  return {
    ...kit,
    async hold(more) {
      const session = await merchant.createCheckout({ ...sale, ...more })
      const { body, text } = await merchant.pay(session, pay(stripe.addCard({ processes: true })))
      assert.equal(body['payment_status'], 'processing', text)
      await settled(stack.client, 'checkout', session.checkout_id)
      return { session, id: String(body['payment_id']) }
    },
    async orderInVain() {
      const session = await merchant.createCheckout({ ...sale, ...forADay })
      const orders = () => stripe.requests.filter(({ method, path }) => `${method} ${path}` === ordering).length
      const before = orders()
      stripe.fail(ordering, 'cut')
      const id = await begin(live, kit, session, pay(stripe.addCard()))
      await until(() => orders() > before, 'the order is sent')
      kit.setAway(true)
      return { session, id }
    },
    async end(paymentId, end) {
      const intent = String(stripe.madeFor('payment_intent', paymentId)[0]?.id)
      stripe.payments.finishProcessing(intent, end === 'succeeded')
    },
    payElsewise: async (session) => void (await merchant.pay(session, pay(stripe.addCard()))),
    standsAt: async (paymentId) => String(stripe.madeFor('payment_intent', paymentId)[0]?.['status'] ?? '') || null,
    forgetLateOrders: async () => undefined,
  }
}

function createPaystack(live: Live, kit: SaleKit): HeldKit {
  const { stack } = live
  const { merchant } = kit
  /** The question on a phone is open for 180 seconds, and what comes of it may be known later. */
  const promptMs = 180_000
  const known = (paymentId: string) => live.paystack.book.transactions.get(chargeReference(paymentId))
  return {
    ...kit,
    async hold(more) {
      const session = await merchant.createCheckout({ ...kit.body, ...more })
      const id = await kit.begin(session)
      await stack.skip(promptMs + 30_000)
      await settled(stack.client, 'checkout', session.checkout_id)
      assert.equal((await merchant.getPayment(id))['status'], 'processing')
      return { session, id }
    },
    async orderInVain() {
      const session = await merchant.createCheckout({ ...kit.body, ...forADay })
      kit.setAway(true)
      const wallet = { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' }
      return { session, id: await begin(live, kit, session, wallet) }
    },
    end: (paymentId, end) => kit.decide(paymentId, end === 'succeeded'),
    async payElsewise(session) {
      const id = await kit.begin(session)
      await kit.decide(id, true)
      await kit.tell(session, id)
    },
    taken: async (paymentId) => known(paymentId)?.executions ?? 0,
    standsAt: async (paymentId) => known(paymentId)?.status ?? null,
    async forgetLateOrders() {
      await stack.sql(`update paystack_orders set sent_at = sent_at - interval '1 hour' where answered is null`)
    },
  }
}
