import Type, { type Static } from 'typebox'
import { Account } from '../db/account.ts'
import { Checkout, type BuyerDetails } from '../db/checkout.ts'
import type { EntityManager } from '../db/database.ts'
import { Payment, PaymentRequest } from '../db/payment.ts'
import { assertOpen } from '../domain/checkout.ts'
import { type Corridor, corridorOf, isCorridor, offeredCorridors } from '../domain/corridor.ts'
import type { Currency } from '../domain/currency.ts'
import { isZero } from '../domain/money.ts'
import { type FieldFault, Refusal } from '../domain/refusal.ts'
import { presentAttempt, PublicCheckout, presentPublic, Attempt } from '../schemas/attempt.ts'
import { Checkout as CheckoutShape } from '../schemas/checkout.ts'
import { idParameter, nullable } from '../schemas/common.ts'
import { CustomerDetails } from '../schemas/customer.ts'
import { findCheckout, showCheckout } from './checkout.ts'
import { askCheckout } from './checkout-process.ts'
import { isSlow } from '../engine/away.ts'
import { Card, cardFaults, toCardNumbers } from './card.ts'
import { type Caller, operation } from './operation.ts'
import type { Services } from './services.ts'
import { assertNoFaults, refusal } from './validate.ts'

const CheckoutId = Type.Object({ checkout_id: idParameter('chk') })

/** The session that the client secret opens; the path must name the same one. */
async function openedBy(em: EntityManager, caller: Caller, id: string): Promise<Checkout> {
  if (caller.checkoutId !== id) throw new Refusal('NOT_FOUND', 'no such checkout session')
  return em.findOneOrFail(Checkout, { id })
}

async function newestAttempt(em: EntityManager, row: Checkout): Promise<Static<typeof Attempt>> {
  const payment = row.paymentId ? await em.findOne(Payment, { id: row.paymentId }) : null
  return presentAttempt(row, payment)
}

export const getPublicCheckout = operation({
  method: 'get',
  path: '/v1/checkout-sessions/{checkout_id}/public',
  summary: 'Read what a buyer may see of a session',
  tag: 'Paying',
  auth: ['clientSecret'],
  scope: null,
  params: CheckoutId,
  returns: [200, PublicCheckout],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    const row = await openedBy(em, caller, params.checkout_id)
    const account = await em.findOneOrFail(Account, { id: row.accountId })
    return presentPublic(row, account.name, await newestAttempt(em, row))
  },
})

const PayCheckout = Type.Object(
  {
    payment_method: Type.Optional(
      Type.String({ maxLength: 32, examples: ['USD_CARD'], description: 'A corridor; none for a free session.' }),
    ),
    currency: Type.Optional(Type.String({ maxLength: 10 })),
    card: Type.Optional(Card),
    customer_details: Type.Optional(CustomerDetails),
    confirm: Type.Optional(Type.Boolean({ description: 'Go to the rail at once, without a further call to confirm.' })),
  },
  { $id: 'PayCheckout' },
)

export const payCheckout = operation({
  method: 'post',
  path: '/v1/checkout-sessions/{checkout_id}/pay',
  summary: 'Choose how to pay',
  tag: 'Paying',
  auth: ['clientSecret'],
  scope: null,
  mode: 'process',
  params: CheckoutId,
  body: PayCheckout,
  returns: [200, Attempt],
  refuses: ['NOT_FOUND', 'CONFLICT', 'PAYMENT_METHOD_NOT_ALLOWED'],

  async handle({ params, body, caller, em, now, callId, isRepeat, services }) {
    const row = await openedBy(em, caller, params.checkout_id)
    const isAsked = isRepeat && (await em.count(PaymentRequest, { id: callId })) > 0
    if (!isAsked) await request(em, row, { id: callId, ...(await chosen(services, row, body, now)) }, now)
    await ask(services, row, 'pay', [callId, isPaidAtOnce(row, body)], callId)
    return newestAttempt(em.fork(), await reread(em, row))
  },
})

type PayBody = Static<typeof PayCheckout>

/** A buyer who sends the money needs no further word from us, nor does one who has confirmed beforehand. */
const isPaidAtOnce = (row: Checkout, { payment_method: key = '', confirm = false }: PayBody): boolean =>
  !isZero(row.amount) && (confirm || (isCorridor(key) && corridorOf(key).push))

/** What the buyer has chosen, once nothing speaks against it; a card is in the rail's vault then. */
async function chosen({ vault }: Services, row: Checkout, body: PayBody, now: number) {
  assertOpen(row)
  const corridor = isZero(row.amount) ? null : chosenCorridor(row, body)
  const takesCard = corridor !== null && corridorOf(corridor).method === 'card'
  assertNoFaults([...(takesCard ? faultsOfCard(body, now) : []), ...faultsOfDetails(row, body)])
  const railToken = takesCard && body.card ? await vault.keepCard(toCardNumbers(body.card)) : null
  return { corridor, railToken, customerDetails: body.customer_details ? toDetails(body.customer_details) : null }
}

/** The corridor that the buyer names, if the session allows it and its currency. */
function chosenCorridor(row: Checkout, { payment_method: key, currency }: PayBody): Corridor {
  if (!key) throw refusal([missing('payment_method')])
  const offered = isCorridor(key) && offeredCorridors(row.currency as Currency, row.methodOptions).includes(key)
  const allowed = offered && (!currency || currency === corridorOf(key).currency)
  if (!allowed) throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', 'this session cannot be paid this way')
  return key
}

const missing = (field: string): FieldFault => ({ field, message: 'is required', type: 'value_error.missing' })

const faultsOfCard = ({ card }: PayBody, now: number) => (card ? cardFaults(card, now) : [missing('card')])

/** Somebody has to say who pays: the merchant with the session, or the buyer now. */
const faultsOfDetails = (row: Checkout, { customer_details: told }: PayBody) =>
  told || row.customerDetails ? [] : [missing('customer_details')]

/** The buyer's word about themselves, as it is kept. */
export const toDetails = ({ email, name, phone_number }: Static<typeof CustomerDetails>): BuyerDetails => ({
  email: email.toLowerCase(),
  name: name ?? null,
  phone_number: phone_number ?? null,
})

type Request = Pick<PaymentRequest, 'id' | 'corridor' | 'railToken' | 'customerDetails'>

/** Writes down what the buyer asked for; the process is told the id alone. */
export const request = (em: EntityManager, row: Checkout, what: Request, now: number) =>
  em.fork().insert(PaymentRequest, { ...what, checkoutId: row.id, createdAt: new Date(now) })

/** Asks the process. One that is still at it when our patience ends is no error: the session shows how far it is. */
export async function ask(services: Services, row: Checkout, update: string, args: unknown[], updateId: string) {
  try {
    await askCheckout(services, row, update, args, updateId)
  } catch (error) {
    if (!isSlow(error)) throw error
    const { requestId, paymentId, status } = await reread(services.database.orm.em.fork(), row)
    if (requestId === args[0] || paymentId === args[0]) return
    throw status === 'open' ? error : new Refusal('CONFLICT', `the checkout session is ${status}`)
  }
}

const reread = (em: EntityManager, row: Checkout) => em.fork().findOneOrFail(Checkout, { id: row.id })

/** Confirming what has succeeded is harmless; otherwise there has to be something that waits for it. */
function assertConfirmable({ status, paymentStatus }: Checkout): void {
  const nothingToConfirm = paymentStatus === 'requires_payment_method' || paymentStatus === 'failed'
  if (paymentStatus === 'succeeded' || (status === 'open' && !nothingToConfirm)) return
  throw new Refusal('CONFLICT', 'there is no payment to confirm')
}

const ConfirmCheckout = Type.Object(
  { code: Type.Optional(nullable(Type.String({ minLength: 4, maxLength: 32 }))) },
  { $id: 'ConfirmCheckout' },
)

export const confirmCheckout = operation({
  method: 'post',
  path: '/v1/checkout-sessions/{checkout_id}/confirm',
  summary: 'Go on with the payment, with a one-time code where one is asked for',
  tag: 'Paying',
  auth: ['clientSecret'],
  scope: null,
  mode: 'process',
  params: CheckoutId,
  body: ConfirmCheckout,
  returns: [200, Attempt],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, callId, isRepeat, services }) {
    let row = await openedBy(em, caller, params.checkout_id)
    if (!isRepeat) assertConfirmable(row)
    if (row.paymentStatus === 'requires_confirmation' && row.requestId) {
      await ask(services, row, 'confirm', [row.requestId, null], callId)
      row = await reread(em, row)
    }
    const attempt = await newestAttempt(em.fork(), row)
    if (!body.code || attempt.next_action?.type !== 'otp' || !row.paymentId) return attempt
    await ask(services, row, 'confirm', [row.paymentId, await services.vault.keepCode(body.code)], `${callId}/code`)
    return newestAttempt(em.fork(), await reread(em, row))
  },
})

export const cancelCheckout = operation({
  method: 'post',
  path: '/v1/checkout-sessions/{checkout_id}/cancel',
  summary: 'Cancel an open session',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:write',
  mode: 'process',
  params: CheckoutId,
  returns: [200, CheckoutShape],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, callId, isRepeat, services }) {
    const row = await findCheckout(em, caller, params.checkout_id)
    if (!isRepeat) assertOpen(row)
    await askCheckout(services, row, 'cancel', [], callId)
    const fork = em.fork()
    return showCheckout(fork, await fork.findOneOrFail(Checkout, { id: row.id }))
  },
})
