import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Checkout } from '../db/checkout.ts'
import { type EntityManager, inTransaction, lock } from '../db/database.ts'
import { Payment as PaymentRow, PaymentRequest } from '../db/payment.ts'
import { SimulatedCharge, SimulatedDeposit } from '../db/simulator.ts'
import { signalProcess } from '../db/start-process.ts'
import { assertOpen } from '../domain/checkout.ts'
import { type Corridor, corridorOf, offeredCorridors, priceOf } from '../domain/corridor.ts'
import type { Currency } from '../domain/currency.ts'
import { add, type Amount, half, isLess, isZero, parseAmount, subtract } from '../domain/money.ts'
import { invalid, Refusal } from '../domain/refusal.ts'
import { Checkout as CheckoutShape } from '../schemas/checkout.ts'
import { idParameter } from '../schemas/common.ts'
import { CustomerDetails } from '../schemas/customer.ts'
import { Payment, presentPayment } from '../schemas/payment.ts'
import { findCheckout, showCheckout } from './checkout.ts'
import { ask, request, toDetails } from './checkout-pay.ts'
import { aboutCheckout } from './checkout-process.ts'
import { type Caller, operation } from './operation.ts'
import type { Services } from './services.ts'

/** The sandbox's documented cards, by what they do. */
const cards = {
  success: '4242424242424242',
  failed: '4000000000000002',
  card_declined: '4000000000000002',
  insufficient_funds: '4000000000009995',
  expired_card: '4000000000000069',
}
const outcomes = ['success', 'failed', 'card_declined', 'insufficient_funds', 'expired_card', 'underpaid'] as const

const PayInSandbox = Type.Object(
  {
    outcome: Type.Optional(Type.Enum([...outcomes], { default: 'success' })),
    amount: Type.Optional(Type.String({ description: 'What a bank transfer brings; less than asked is underpaid.' })),
    payment_method: Type.Optional(Type.String({ maxLength: 32 })),
    customer_details: Type.Optional(CustomerDetails),
  },
  { $id: 'PayInSandbox' },
)

/** Refuses whoever is not in the sandbox. */
export function assertSandbox({ environment }: Caller): void {
  if (environment !== 'sandbox') throw new Refusal('SIMULATION_NOT_ALLOWED', 'only sandbox keys may simulate')
}

export const simulatePay = operation({
  method: 'post',
  path: '/v1/test-helpers/checkout-sessions/{checkout_id}/pay',
  summary: 'Pay a session as a buyer would, with the outcome you want',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  mode: 'process',
  params: Type.Object({ checkout_id: idParameter('chk') }),
  body: PayInSandbox,
  returns: [200, CheckoutShape],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED', 'PAYMENT_METHOD_NOT_ALLOWED'],

  async handle({ params, body, caller, em, now, callId, isRepeat, services }) {
    assertSandbox(caller)
    const row = await findCheckout(em, caller, params.checkout_id)
    const plan = planOf(row, body)
    const isAsked = isRepeat && (await em.count(PaymentRequest, { id: callId })) > 0
    if (!isAsked) await request(em, row, { id: callId, ...(await chosen(services, row, plan, body, now)) }, now)
    await ask(services, row, 'pay', [callId, plan.corridor !== null], callId)
    if (plan.brings) await payIn(services, callId, { amount: plan.brings, session_id: sessionIdOf(callId) }, now)
    const fork = em.fork()
    return showCheckout(fork, await fork.findOneOrFail(Checkout, { id: row.id }))
  },
})

type PayBody = Static<typeof PayInSandbox>

/** By what the outcome is brought about: a corridor and, where the buyer sends the money, how much of it. */
type Plan = { corridor: Corridor | null; brings: Amount | null }

/** Decided before anything happens, so that a call that cannot work leaves nothing behind. */
function planOf(row: Checkout, body: PayBody): Plan {
  if (isZero(row.amount)) return { corridor: null, brings: null }
  const { outcome = 'success', amount } = body
  const corridor = pickCorridor(row, body)
  const { push, currency } = corridorOf(corridor)
  if (!push) {
    if (outcome !== 'underpaid' && amount === undefined) return { corridor, brings: null }
    throw invalid('amount', 'only a bank transfer can bring another amount', 'value_error')
  }
  if (outcome !== 'success' && outcome !== 'underpaid') {
    throw invalid('outcome', 'a bank transfer succeeds or is underpaid', 'value_error')
  }
  const asked = priceOf(row.amount, corridor, row.feePreference).customerPays
  const brings = outcome === 'underpaid' ? half(asked, currency) : asked
  if (amount !== undefined) return { corridor, brings: readAmount(amount, currency) }
  if (isZero(brings)) throw invalid('outcome', 'is not possible for so small an amount', 'value_error')
  return { corridor, brings }
}

function pickCorridor(row: Checkout, { payment_method: named, outcome, amount }: PayBody): Corridor {
  const offered = offeredCorridors(row.currency as Currency, row.methodOptions)
  const needsPush = outcome === 'underpaid' || amount !== undefined
  const wanted = (key: Corridor) => (named ? key === named : corridorOf(key).push === needsPush)
  const corridor = offered.find(wanted) ?? (named ? undefined : offered[0])
  if (!corridor) throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', 'this session cannot be paid that way')
  return corridor
}

/** The amount that a caller sent, refused unless it is more than zero. */
export function readAmount(text: string, currency: Currency): Amount {
  const amount = parseAmount(text, currency)
  if (isZero(amount)) throw invalid('amount', 'must be more than zero', 'value_error.range')
  return amount
}

async function chosen({ vault }: Services, row: Checkout, { corridor }: Plan, body: PayBody, now: number) {
  assertOpen(row)
  const takesCard = corridor !== null && corridorOf(corridor).method === 'card'
  const exp_year = new Date(now).getUTCFullYear() + 3
  const number = cards[body.outcome === 'underpaid' ? 'success' : (body.outcome ?? 'success')]
  const railToken = takesCard ? await vault.keepCard({ number, exp_month: 12, exp_year, cvc: '123' }) : null
  return { corridor, railToken, customerDetails: body.customer_details ? toDetails(body.customer_details) : null }
}

const Deposit = Type.Object(
  {
    amount: Type.Optional(Type.String({ description: 'What is still missing, when left out.' })),
    sender_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    session_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,64}$' })),
  },
  { $id: 'SimulatedDeposit' },
)

export const simulateDeposit = operation({
  method: 'post',
  path: '/v1/test-helpers/payments/{payment_id}/deposit',
  summary: 'Send a bank transfer to the account of a payment',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  mode: 'process',
  params: Type.Object({ payment_id: idParameter('pay') }),
  body: Deposit,
  returns: [200, Payment],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body, caller, em, now, callId, services }) {
    assertSandbox(caller)
    const { accountId, environment } = caller
    const payment = await em.findOne(PaymentRow, { id: params.payment_id, accountId, environment })
    if (!payment) throw new Refusal('NOT_FOUND', 'no such payment')
    const currency = payment.currency as Currency
    const amount = body.amount === undefined ? null : readAmount(body.amount, currency)
    const session_id = body.session_id ?? sessionIdOf(callId)
    return presentPayment(await payIn(services, payment.id, { ...body, amount, session_id }, now))
  },
})

/** The bank's id of a transfer: thirty digits, for a repeated call the same ones. */
export const sessionIdOf = (callId: string): string =>
  BigInt(`0x${createHash('sha256').update(callId).digest('hex')}`)
    .toString()
    .slice(0, 30)

/** `amount` null is what is still missing. */
type Transfer = { amount: Amount | null; sender_name?: string; session_id: string }

/** Puts a transfer into the simulated bank's book, once, and waits until the payment's process has heard of it. */
async function payIn(services: Services, paymentId: string, told: Transfer, now: number): Promise<PaymentRow> {
  const { database } = services
  await inTransaction(database, async (em) => {
    const payment = await lock(em, PaymentRow, paymentId) // two transfers at once each see the other
    const known = await em.findOne(SimulatedDeposit, { sessionId: told.session_id })
    if (known && known.paymentId !== paymentId)
      throw new Refusal('CONFLICT', 'this transfer was sent to another account')
    if (known) return // the bank sends the same transfer once
    const missing = subtract(payment.amount, await sentTo(em, paymentId))
    await assertTaken(em, payment, missing, now)
    em.create(SimulatedDeposit, {
      ...{ sessionId: told.session_id, paymentId },
      amount: told.amount ?? missing,
      senderName: told.sender_name ?? 'Ada Buyer',
      senderBank: 'Sandbox Bank',
      senderAccountNumber: '0123456789',
      createdAt: new Date(now),
    })
    const session = await em.findOneOrFail(Checkout, { id: payment.checkoutId ?? '' })
    signalProcess(em, 'checkout', session.id, aboutCheckout(session), { name: 'railAnswered', args: [payment.id] })
  })
  return heard(database.orm.em, paymentId)
}

async function sentTo(em: EntityManager, paymentId: string): Promise<Amount> {
  const deposits = await em.find(SimulatedDeposit, { paymentId })
  return deposits.reduce((sum, { amount }) => add(sum, amount), '0')
}

async function assertTaken(em: EntityManager, { id }: PaymentRow, missing: Amount, now: number): Promise<void> {
  const charge = await em.findOne(SimulatedCharge, { paymentId: id })
  const isOpen = charge?.closesAt && charge.closesAt.getTime() > now && isLess('0', missing)
  if (!isOpen) throw new Refusal('CONFLICT', 'the account of this payment takes no more money')
}

/** The payment once its process has written down every transfer; after some seconds, as it is then. */
async function heard(reader: EntityManager, id: string): Promise<PaymentRow> {
  for (let tries = 0; ; tries++) {
    const em = reader.fork()
    const payment = await em.findOneOrFail(PaymentRow, { id })
    if (!isLess(payment.amountReceived, await sentTo(em, id)) || tries >= 100) return payment
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
