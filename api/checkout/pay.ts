import Type, { type Static } from 'typebox'
import { refusingInvoice } from '../../commands/subscription/invoiced-session.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { type MethodDetails, PaymentRequest } from '../../db/checkout/payment.ts'
import { readPayableCorridors } from '../../db/checkout/settings.ts'
import { readOfferedCards, readSavedBy } from '../../db/checkout/payment-method.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Product } from '../../db/catalogue/product.ts'
import { assertInTime, assertMayTry, assertOpen, attemptsMax, tooManyAttempts } from '../../domain/checkout/checkout.ts'
import { asksForCode } from '../../domain/checkout/payment.ts'
import type { Quote } from '../../domain/balance/quote.ts'
import type { CardPlaces } from '../../domain/checkout/card-entry.ts'
import { type Corridor, corridorOf, isCorridor } from '../../domain/corridor.ts'
import { providerOfCorridor } from '../../domain/rail-provider.ts'
import { conflict, type ErrorCode, Refusal } from '../../domain/refusal.ts'
import { Attempt, presentAttempt, presentPublic, PublicCheckout } from '../../schemas/checkout/attempt.ts'
import { Checkout as CheckoutShape } from '../../schemas/checkout/checkout.ts'
import { idParameter, nullable } from '../../schemas/common.ts'
import { findCheckout, showCheckout } from './checkout.ts'
import { checkoutPageUrl } from './create.ts'
import { updateCheckout } from './process.ts'
import { isSlow } from '../../engine/unavailable.ts'
import { type Caller, operation } from '../http/operation.ts'
import type { AnyCall } from '../http/run-operation.ts'
import { readChoice, type Choice, validatePayment, PayCheckout } from './payment-choice.ts'
import { quotesOf } from './quotes.ts'
import { servedFor } from './sale-payable.ts'
import { shownOf } from './shown-attempt.ts'
import type { Services } from '../http/services.ts'
import type { UpdateArgs, UpdateOf } from '../../domain/processes.ts'

const CheckoutId = Type.Object({ checkout_id: idParameter('chk') })

/** The session of the client secret. The path must name the same session. */
async function openedBy(em: EntityManager, caller: Caller, id: string): Promise<Checkout> {
  if (caller.checkoutId !== id) throw new Refusal('NOT_FOUND', 'no such checkout session')
  return readSession(em, id)
}

/** The session as it is now, which is not for changing. */
async function readSession(em: EntityManager, id: string): Promise<Checkout> {
  const row = await readRow(em, Checkout, { id })
  if (!row) throw new Refusal('NOT_FOUND', 'no such checkout session')
  return row
}

/** The payment method as the receipt will show it; null until the buyer has to confirm the payment. */
async function chosenMethod(em: EntityManager, { paymentStatus, requestId }: Checkout): Promise<MethodDetails | null> {
  if (paymentStatus !== 'requires_confirmation' || !requestId) return null
  return (await em.findOne(PaymentRequest, { id: requestId }))?.methodDetails ?? null
}

async function newestAttempt(em: EntityManager, session: Checkout, now: number): Promise<Static<typeof Attempt>> {
  const { row, attempt } = await shownOf(em, session, now)
  return presentAttempt(row, attempt)
}

/** The current products of a sale, read for their images only. Everything else was copied into the sale. */
const productsOf = async (em: EntityManager, { accountId, environment, selection, lineItems }: Checkout) => {
  const ids = (selection ?? lineItems ?? []).map(({ product_id }) => product_id)
  return ids.length > 0 ? em.find(Product, { id: { $in: ids }, accountId, environment }) : []
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

  async handle({ params, caller, em, now, services }) {
    const row = await openedBy(em, caller, params.checkout_id)
    const merchant = await readSettings(em, row)
    const payable = await readPayableCorridors(em, row, servedFor(services, row))
    const [quotes, products] = [await quotesOf(services.rates, row, payable), await productsOf(em, row)]
    const places = services.rails.in(row.environment)
    const at = await timeOf(em, row, now)
    const savedCards = await readOfferedCards(em, row, payableBySaved(quotes, places), at)
    const hasSavedCard = (await readSavedBy(em, row)) !== null
    const { publicUrl } = services.config
    const around = { merchant, quotes, products, savedCards, hasSavedCard, places, at, publicUrl }
    const isRefused = (await refusingInvoice(em, row)) !== null
    const { row: shown, attempt, awaitsMoney } = await shownOf(em, row, now, isRefused)
    return presentPublic(shown, attempt, { ...around, isRefused, awaitsMoney, chosen: await chosenMethod(em, row) })
  },
})

/** The corridors in which a saved card pays: a provider's own page takes no security code of one. */
const payableBySaved = (quotes: Quote[], { cardEntryOf }: CardPlaces): Corridor[] =>
  quotes.map(({ corridor }) => corridor).filter((corridor) => cardEntryOf(corridor) !== 'page')

/** The codes where the method may not be used now: it was not offered, or the account has lost what it needs. */
const lostSince: readonly ErrorCode[] = [
  'PAYMENT_METHOD_NOT_ALLOWED',
  'ACCOUNT_NOT_ACTIVATED',
  'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
]

export const payCheckout = operation({
  method: 'post',
  path: '/v1/checkout-sessions/{checkout_id}/pay',
  summary: 'Choose how to pay',
  tag: 'Paying',
  auth: ['clientSecret'],
  scope: null,
  mode: 'process',
  makes: 'pay',
  needs: 'waits',
  params: CheckoutId,
  body: PayCheckout,
  validate: validatePayment,
  returns: [200, Attempt],
  refuses: ['NOT_FOUND', 'CONFLICT', ...lostSince, 'BAD_GATEWAY'],

  async handle({ params, body, caller, em, now, callId, isRepeat, services, waitsOn }) {
    const row = await openedBy(em, caller, params.checkout_id)
    waitsOn(providerFor(row, body.payment_method ?? null))
    const stored = isRepeat ? await em.findOne(PaymentRequest, { id: callId }) : null
    const choice = stored ?? (await storeChoice({ em, services, caller, now, callId }, row, body))
    await updateProcess(services, row, 'pay', [callId, ...tellOf(row, choice, body)], callId)
    return newestAttempt(em.fork(), await readSession(em, row.id), now)
  },
})

/**
 * What the process is told of a choice: whether to charge at once, by which provider in live, and whether the rail is
 * likely to answer at once, as the sandbox is.
 */
const tellOf = (row: Checkout, choice: Choice, body: Static<typeof PayCheckout>) =>
  [isPaidAtOnce(choice, body), providerFor(row, choice.corridor), row.environment === 'sandbox'] as const

/** The provider of a live sale that is paid by a corridor; null in the sandbox. */
const providerFor = ({ environment }: Checkout, corridor: string | null) =>
  corridor !== null && isCorridor(corridor) ? providerOfCorridor(environment, corridor) : null

type Paying = Pick<AnyCall, 'em' | 'services' | 'caller' | 'now' | 'callId'>

/** Checks what the buyer has chosen, and stores it for the process. */
async function storeChoice(paying: Paying, row: Checkout, body: Static<typeof PayCheckout>): Promise<Choice> {
  const { em, services, caller, now, callId: id } = paying
  const at = await timeOf(em, row, now)
  assertInTime(row, at)
  await assertMayPay(em, row, at)
  const choice = await readChoice(services, row, body, now)
  await storeRequest(services, row, { id, ...choice, encryptedReturnUrl: returnUrlOf(caller, services) })
  return choice
}

/**
 * Refuses, before the card is checked, an attempt too soon after declines and more requests than any buyer needs; `at`
 * is the session's own time.
 */
async function assertMayPay(em: EntityManager, row: Checkout, at: number): Promise<void> {
  if (row.status !== 'open' || row.attempts === 0) return
  assertMayTry(row, at)
  const requests = await em.count(PaymentRequest, { checkoutId: row.id })
  if (requests >= requestsMax)
    throw conflict(tooManyAttempts, 'the checkout session has had too many payment requests: create a new one')
}

/** The most requests that a session stores. Requests refused because another one was under way count too. */
const requestsMax = 2 * attemptsMax

/** No call to confirm follows when the buyer sends the money (a transfer, coins), or has set `confirm`. */
const isPaidAtOnce = ({ corridor }: Choice, { confirm = false }: Static<typeof PayCheckout>): boolean =>
  corridor !== null && (confirm || corridorOf(corridor).push)

/** The page that the buyer's bank sends them back to. It is stored encrypted, as it contains the client secret. */
const returnUrlOf = ({ clientSecret }: Caller, services: Services): string | null =>
  clientSecret && services.encrypter.encrypt(checkoutPageUrl(clientSecret, services))

type Request = Choice & Pick<PaymentRequest, 'id' | 'encryptedReturnUrl'>

/**
 * Stores the buyer's request. The process gets only its id. It has the real time also on a test clock: by it the
 * process knows the newest request, and a clock may stand still, be behind, or be deleted.
 */
export async function storeRequest({ database, clock }: Services, row: Checkout, what: Request): Promise<void> {
  const createdAt = new Date(await clock.now())
  await database.orm.em.fork().insert(PaymentRequest, { ...what, checkoutId: row.id, createdAt })
}

/** Sends an update to the process. If it takes too long, this is no error: the session shows its current state. */
export async function updateProcess<U extends UpdateOf<'checkout'>>(
  services: Services,
  row: Checkout,
  update: U,
  args: UpdateArgs<'checkout', U>,
  updateId: string,
) {
  try {
    await updateCheckout(services, row, update, args, updateId)
  } catch (error) {
    if (!isSlow(error)) throw error
    const { requestId, paymentId, status } = await readSession(services.database.orm.em, row.id)
    if (requestId === args[0] || paymentId === args[0]) return
    throw status === 'open' ? error : new Refusal('CONFLICT', `the checkout session is ${status}`)
  }
}

/**
 * Confirming a payment that has succeeded does nothing. Otherwise a payment has to be waiting for confirmation. One
 * that has not begun when the session's time is over does not begin.
 */
function assertConfirmable(row: Checkout, at: number): void {
  const { status, paymentStatus } = row
  if (paymentStatus === 'requires_confirmation') assertInTime(row, at)
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
  summary: 'Confirm the payment, with a one-time code where one is required',
  tag: 'Paying',
  auth: ['clientSecret'],
  scope: null,
  mode: 'process',
  needs: 'waits',
  params: CheckoutId,
  body: ConfirmCheckout,
  returns: [200, Attempt],
  refuses: ['NOT_FOUND', 'CONFLICT', ...lostSince],

  async handle({ params, body, caller, em, now, callId, isRepeat, services, waitsOn }) {
    const opened = await openedBy(em, caller, params.checkout_id)
    waitsOn(providerFor(opened, opened.corridor))
    if (!isRepeat) assertConfirmable(opened, await timeOf(em, opened, now))
    const row = await confirmChoice({ em, services, callId }, opened)
    const { row: shown, attempt: tried } = await shownOf(em.fork(), row, now)
    const attempt = presentAttempt(shown, tried)
    const subject = row.setup ? row.requestId : row.paymentId
    if (!body.code || !asksForCode(attempt.next_action) || !subject || !tried) return attempt
    const vault = services.rails.in(row.environment).vaultOf(tried.corridor)
    await updateProcess(services, row, 'confirm', [subject, await vault.keepCode(body.code)], `${callId}/code`)
    return newestAttempt(em.fork(), await readSession(em, row.id), now)
  },
})

/** Has the choice charged that waits for that, if there is one. Returns the session as it is then. */
async function confirmChoice({ em, services, callId }: Pick<Paying, 'em' | 'services' | 'callId'>, row: Checkout) {
  if (row.paymentStatus !== 'requires_confirmation' || !row.requestId) return row
  await updateProcess(services, row, 'confirm', [row.requestId, null], callId)
  return readSession(em, row.id)
}

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
    await updateCheckout(services, row, 'cancel', [], callId)
    const fork = em.fork()
    return showCheckout(fork, await fork.findOneOrFail(Checkout, { id: row.id }))
  },
})
