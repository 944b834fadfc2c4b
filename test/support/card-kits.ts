import assert from 'node:assert/strict'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { SimulatedCard, SimulatedCharge } from '../../rails/sandbox/book.ts'
import type { CardBehaviour } from '../../rails/sandbox/test-values.ts'
import { chargeData } from '../doubles/paystack/callbacks.ts'
import { failingSandbox } from './failing-sandbox.ts'
import { addLiveMerchant } from './live.ts'
import type { useLiveStack } from './live-providers.ts'
import { cards, type Merchant, sale, transferSale } from './merchant.ts'
import { createNews } from './provider-news.ts'
import { endCharge } from './rail-books.ts'
import type { Session } from './sale-kits.ts'
import { settled } from './settled.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>

/** What a card does once it was saved. `asks`: its bank wants to see its owner. */
type Later = 'pays' | 'declines' | 'asks' | 'takes its time'

/** A rail that saves cards, with their owners and banks behind it. */
export type CardKit = {
  name: string
  merchant: Merchant
  /** A sale in the currency of the rail's cards, and its corridor. */
  body: Record<'amount' | 'currency' | 'description' | 'success_url', string>
  corridor: 'USD_CARD' | 'NGN_CARD'
  /** Pays a session with a new card, and returns the payment's id. */
  pay(session: Session): Promise<string>
  /** From now on a saved card does this. */
  becomes(savedId: string, later: Later): Promise<void>
  /** The network decides about a charge that takes its time. Nobody tells the service of it. */
  end(paymentId: string, end: 'succeeded' | 'failed'): Promise<void>
  /** The rail tells the service that there is news about a payment. */
  tell(paymentId: string): Promise<void>
  /** How often money was taken for a payment. */
  taken(paymentId: string): Promise<number>
  /** The next charge of a card is carried out, and its answer is lost. */
  loseAnswer(of: 'sale' | 'renewal'): void
  /** While it is away the rail answers nothing. */
  setAway(isAway: boolean): void
}

/** Such a rail whose saved cards a buyer may pay with. */
export type OfferingKit = CardKit & {
  /** A buyer begins to save a card whose bank asks for them. */
  beginToSave(session: Session): Promise<void>
  /** They come back from their bank, and the card is saved. */
  finishSaving(session: Session): Promise<void>
  /** What proves in a payment with a saved card that its owner is there. */
  proof(): { cvc: string } | { cvc_token: string }
  /** Until it takes orders again, none for a payment reaches the rail. */
  refuseOrders(areRefused: boolean): void
  /** What no history of a process may contain. */
  secrets: RegExp
}

/** The three rails of one service. Paystack saves cards, and takes no proof that a buyer owns one. */
export async function createCardKits(live: Live) {
  const { merchant: sandboxMerchant } = await live.api.addMerchant()
  const { merchant } = await addLiveMerchant(live.stack, live.api)
  const offering = [createSandbox(live, sandboxMerchant), createStripe(live, merchant)]
  const paystack = createPaystack(live, merchant)
  return { offering, paystack, all: [...offering, paystack] }
}

/** The rail's token of a saved card. */
async function tokenOf({ stack }: Live, savedId: string): Promise<string> {
  const [row] = await stack.sql<{ token: string }>(
    'select rail_token as token from saved_payment_methods where id = ?',
    [savedId],
  )
  return row?.token ?? assert.fail(`no card is saved as ${savedId}`)
}

function createSandbox(live: Live, merchant: Merchant): OfferingKit {
  const { stack } = live
  const faults = failingSandbox(stack)
  const em = () => stack.database.orm.em.fork()
  const behaviours: Record<Later, CardBehaviour> = {
    pays: 'succeeds',
    declines: 'declines_later',
    asks: 'asks_for_3ds_later',
    'takes its time': 'answers_late_later',
  }
  return {
    name: 'the sandbox',
    merchant,
    body: sale,
    corridor: 'USD_CARD',
    pay: async (session) => String((await merchant.payByCard(session))['payment_id']),
    async becomes(savedId, later) {
      const token = await tokenOf(live, savedId)
      assert.equal(await em().nativeUpdate(SimulatedCard, { token }, { behaviour: behaviours[later] }), 1)
    },
    end: (paymentId, end) => endCharge(stack, paymentId, end),
    async tell(paymentId) {
      await stack.sql(
        `insert into outbox (process, resource_id, signal, about)
         select case when checkout_id is null then 'subscription' else 'checkout' end,
           coalesce(checkout_id, subscription_id),
           jsonb_build_object('name', 'railAnswered', 'args', jsonb_build_array(id::text)),
           jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
             'waitingOn', 'rail', 'summary', 'news') from payments where id = ?`,
        [paymentId],
      )
      await stack.dispatched()
    },
    taken: async (paymentId) => (await em().findOne(SimulatedCharge, { paymentId }))?.executions ?? 0,
    loseAnswer: (of) => faults.loseAnswer(of === 'sale' ? 'charge' : 'chargeSaved'),
    setAway: faults.setAway,
    async beginToSave(session) {
      assert.equal((await merchant.payByCard(session, cards.threeDs))['payment_status'], 'requires_action')
    },
    finishSaving: async (session) => void (await merchant.confirm(session, { code: '123456' })),
    proof: () => ({ cvc: '987' }),
    refuseOrders: faults.setAway,
    secrets: /tok_|cvc_|otc_|"4242"|"987"|pm_/,
  }
}

function createStripe(live: Live, merchant: Merchant): OfferingKit {
  const { stack, stripe } = live
  const { fromStripe } = createNews(live)
  const intentOf = (paymentId: string) => String(stripe.madeFor('payment_intent', paymentId)[0]?.id)
  const behaviours = {
    pays: {},
    declines: { declines: 'insufficient_funds' },
    asks: { asks: 'always' },
    'takes its time': { processes: true },
  } as const
  const pay = (session: Session, token: string) =>
    merchant.pay(session, { payment_method: 'USD_CARD', card: { token }, confirm: true })
  return {
    name: 'Stripe',
    merchant,
    body: sale,
    corridor: 'USD_CARD',
    async pay(session) {
      const { body, text } = await pay(session, stripe.addCard())
      assert.equal(body['payment_status'], 'succeeded', text)
      return String(body['payment_id'])
    },
    async becomes(savedId, later) {
      const [, paymentMethod = ''] = (await tokenOf(live, savedId)).split(':')
      stripe.books.behaviours.set(paymentMethod, behaviours[later])
    },
    end: async (paymentId, end) => stripe.payments.finishProcessing(intentOf(paymentId), end === 'succeeded'),
    tell: (paymentId) => fromStripe(intentOf(paymentId)),
    taken: async (paymentId) =>
      stripe.madeFor('payment_intent', paymentId).filter(({ status }) => status === 'succeeded').length,
    loseAnswer: () => stripe.fail('POST /v1/payment_intents', 'lost'),
    setAway: stripe.setAway,
    async beginToSave(session) {
      const { body, text } = await pay(session, stripe.addCard({ asks: true }))
      assert.equal(body['payment_status'], 'requires_action', text)
      await settled(stack.client, 'checkout', session.checkout_id)
    },
    async finishSaving() {
      const id = String(stripe.books.all('setup_intent').at(-1)?.id)
      stripe.setups.finishAtBank(id, true)
      await fromStripe(id)
    },
    proof: () => ({ cvc_token: stripe.saved.addSecurityCode() }),
    refuseOrders(areRefused) {
      if (areRefused) stripe.fail('POST /v1/payment_intents', ...Array<'cut'>(100).fill('cut'))
      else stripe.worksAgain()
    },
    secrets: /pm_|cus_|cvctok_|hooks\.stripe\.com|"4242"/,
  }
}

let pages = 0

function createPaystack(live: Live, merchant: Merchant): CardKit {
  const { stack, paystack } = live
  const { fromPaystack } = createNews(live)
  const behaviours = { pays: 'pays', declines: 'is empty', asks: 'asks', 'takes its time': 'takes its time' } as const
  const known = (paymentId: string) => paystack.book.transactions.get(chargeReference(paymentId))
  const kit: CardKit = {
    name: 'Paystack',
    merchant,
    body: transferSale,
    corridor: 'NGN_CARD',
    async pay(session) {
      const { body, text } = await merchant.pay(session, { payment_method: 'NGN_CARD', confirm: true })
      const id = String(body['payment_id'] ?? assert.fail(text))
      await settled(stack.client, 'checkout', session.checkout_id)
      paystack.enterCard(chargeReference(id), `AUTH_page${++pages}`, 'pays')
      await kit.tell(id)
      return id
    },
    async becomes(savedId, later) {
      const saved = paystack.book.cards.get(await tokenOf(live, savedId)) ?? assert.fail('Paystack has the card')
      saved.behaviour = behaviours[later]
    },
    async end(paymentId, end) {
      if (end === 'succeeded') paystack.agree(chargeReference(paymentId))
      else paystack.fail(chargeReference(paymentId), 'failed', 'Declined')
    },
    tell: (paymentId) => fromPaystack('charge.success', chargeData(paystack.read(chargeReference(paymentId)))),
    taken: async (paymentId) => known(paymentId)?.executions ?? 0,
    loseAnswer: () => paystack.fails('POST /transaction/charge_authorization', 'lost'),
    setAway: paystack.setAway,
  }
  return kit
}
