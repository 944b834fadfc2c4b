import type { Context } from 'koa'
import type { Static } from 'typebox'
import { isCurrency } from '../../domain/currency.ts'
import { exactNumber } from '../../domain/exact-json.ts'
import { corridorOf, isCorridor } from '../../domain/corridor.ts'
import { feeBearers } from '../../domain/refund.ts'
import { amountError } from '../../domain/money.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { Payment } from '../../schemas/checkout/payment.ts'
import type { Refund } from '../../schemas/refund/refund.ts'
import type { Refused } from '../api.ts'
import { typedText } from '../form.ts'
import { goTo, stepOf, type Site } from '../site.ts'
import type { InputErrors } from '../form-result.ts'
import { amountWords, money } from '../words.ts'
import { saidOf } from './api-words.ts'
import { isDecimal, isUnread, newQuestionKey, questionKeyIn, readAllowed } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { readTypedAmount } from './typed-amount.ts'

type ShownPayment = Static<typeof Payment>

/** Whether something of a payment may be left to refund. How much it is, the API decides. */
export const isRefundable = ({ status, refund_status: refunded }: ShownPayment): boolean =>
  (status === 'succeeded' || status === 'underpaid') && refunded !== 'full'

/** The form as it was typed; an empty amount is everything that is left. */
type Typed = {
  amount: string
  reason: string
  fee_bearer: string
  refund_address: string
  reverse_transfer: string
  refund_platform_fee: string
}

const typedIn = (form: URLSearchParams, currency = ''): Typed => {
  const text = (name: string) => typedText(form, name)
  return {
    amount: readTypedAmount(text('amount'), currency),
    reason: text('reason'),
    fee_bearer: text('fee_bearer'),
    refund_address: text('refund_address'),
    reverse_transfer: text('reverse_transfer'),
    refund_platform_fee: text('refund_platform_fee'),
  }
}

const unsure = 'It is not known whether this was refunded. Press the button again in a moment: it is refunded once.'

/** A form whose outcome is not known: its key, and the status of the answer. */
type Repeated = { key: string; status: number }
type Tried = { errors?: InputErrors; problem?: string | null; status?: number }

/**
 * `/dashboard/payments/{id}/refund`: the form, then a page that says what is refunded, and only then the refund. The
 * key of that second form makes a double press one refund.
 */
export function addRefundForm(site: Site, folder: string): void {
  const { home, sessions, now, read, submit, show } = site
  const path = `${folder.slice(home.length)}/:id/refund`
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`

  /** The payment, for somebody who may refund it. */
  const readToRefund = (ctx: Context) =>
    readAllowed<ShownPayment>(site, ctx, `/v1/payments/${idIn(ctx)}`, 'refunds:write')

  function showForm(ctx: Context, payment: ShownPayment, typed: Typed, tried: Tried = {}): void {
    const { errors = {}, problem = null, status = 200 } = tried
    const data = { ...aboutPayment(payment), isSignedIn: true, at: '/payments', path: pageOfId(ctx), typed }
    show(ctx, stepOf('dashboard/refund', 'Refund', { ...data, errors, problem }, status))
  }

  /** Asks whether the refund is meant. `repeated` is the form that was sent, where its outcome is not known. */
  async function ask(ctx: Context, payment: ShownPayment, typed: Typed, repeated: Repeated | null = null) {
    const facts = [
      ['Payment', money(payment.amount, payment.currency)],
      ['Refunded now', typed.amount ? money(typed.amount, payment.currency) : 'Everything that is left'],
      ['Who pays the fee of the refund', bearerNames[typed.fee_bearer] ?? bearerNames['']],
      ['Reason', typed.reason || 'None'],
      ...(typed.refund_address ? [['Sent to', typed.refund_address]] : []),
      ...(typed.reverse_transfer ? [['The seller’s share', 'Goes back in proportion']] : []),
      ...(typed.refund_platform_fee ? [['The platform’s fee', 'Goes back in proportion']] : []),
    ]
    const { key, status } = repeated ?? { key: newQuestionKey(await now()), status: 200 }
    const isShort = payment.status === 'underpaid' // then the money is the buyer's, and not in the balance
    const data = { isSignedIn: true, at: '/payments', path: pageOfId(ctx), formKey: key, typed, facts, isShort }
    const problem = repeated && unsure
    show(ctx, stepOf('dashboard/refund-confirm', 'Refund this payment?', { ...data, problem }, status))
  }

  read(path, async (ctx) => {
    const answer = await readToRefund(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    if (!isRefundable(answer.body)) return goTo(ctx, pageOfId(ctx))
    showForm(ctx, answer.body, typedIn(new URLSearchParams()))
  })

  submit(path, async (ctx, form) => {
    const answer = await readToRefund(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const payment = answer.body
    const typed = typedIn(form, payment.currency)
    const errors = errorsIn(typed, payment)
    if (Object.keys(errors).length > 0) return showForm(ctx, payment, typed, { errors, status: 422 })
    const key = questionKeyIn(form, await now())
    if (form.get('step') === 'back') return showForm(ctx, payment, typed)
    if (form.get('step') !== 'send' || !key) return ask(ctx, payment, typed)
    const sent = await sessions.call<Static<typeof Refund>>(
      ctx,
      'POST',
      '/api/v1/payments/refunds',
      bodyOf(typed, payment),
      { key },
    )
    if (sent.ok) return goTo(ctx, `${pageOfId(ctx)}?done=refunded`)
    if (isUnread(sent.refused)) return showUnread(site, ctx, sent.refused)
    const { status } = sent.refused
    // The limit says nothing about an earlier press: the form is given back with its key.
    if (status === 429) return site.showRefused(ctx, sent.refused)
    // The refund may have been accepted. With the same key a further press of the button is the same refund.
    if (status >= 500) return ask(ctx, payment, typed, { key, status })
    showForm(ctx, payment, typed, { ...wordRefusal(sent.refused, typed, payment), status })
  })
}

const bearerNames: Record<string, string> = {
  '': 'As your account’s settings say',
  ORG: 'You',
  CUSTOMER: 'The customer: it is deducted from the refund',
}

function aboutPayment(payment: ShownPayment) {
  const { currency, payment_method: key } = payment
  return {
    amount: money(payment.amount, currency),
    refunded: /[1-9]/.test(payment.refunded_amount) ? money(payment.refunded_amount, currency) : null,
    currency,
    isCrypto: isCorridor(key) && corridorOf(key).method === 'crypto',
    ...sharesOf(payment),
    bearers: Object.entries(bearerNames),
  }
}

/** To whom a payment has passed something on. What its sale promises moves when the payment succeeds, not before. */
const sharesOf = ({ status, transfer_amount: passedOn, platform_fee: fee }: ShownPayment) => ({
  hasTransfer: status === 'succeeded' && passedOn !== null,
  hasPlatformFee: status === 'succeeded' && fee !== null,
})

/** What can be said before the API is asked. The API checks all the rest. */
function errorsIn({ amount, fee_bearer: bearer }: Typed, { currency }: ShownPayment): InputErrors {
  return {
    ...(amount !== '' && !isOfCurrency(amount, currency) && { amount: wordsOfAmount(amount, currency) }),
    ...(bearer !== '' && !isOneOf(feeBearers, bearer) && { fee_bearer: 'Choose one of these.' }),
  }
}

/** Whether an amount is a plain number that the currency has: the question would show another one rounded. */
function isOfCurrency(amount: string, currency: string): boolean {
  const bare = amount.replace(/^0+(?=\d)/, '') // zeros in front change nothing
  return isDecimal(amount) && amountError(bare, isCurrency(currency) ? currency : null) === null
}

const wordsOfAmount = (amount: string, currency: string): string =>
  amountWords({ currency, minimum_amount: null, maximum_amount: null }, amount)

function bodyOf(typed: Typed, payment: ShownPayment) {
  const { payment_id: id, reference } = payment
  const { hasTransfer, hasPlatformFee } = sharesOf(payment)
  return {
    charge_id: id,
    reference: reference || id,
    ...(typed.amount && { amount: exactNumber(typed.amount) }),
    ...(typed.reason && { reason: typed.reason }),
    ...(typed.fee_bearer && { fee_bearer: typed.fee_bearer }),
    ...(typed.refund_address && { refund_address: typed.refund_address }),
    ...(hasTransfer && typed.reverse_transfer && { reverse_transfer: true }),
    ...(hasPlatformFee && typed.refund_platform_fee && { refund_platform_fee: true }),
  }
}

const refusals: Record<string, { errors?: InputErrors; problem?: string }> = {
  AMOUNT_BELOW_MINIMUM: { errors: { amount: 'This is less than the fee of the refund. Enter a larger amount.' } },
  REFUND_ADDRESS_REQUIRED: { errors: { refund_address: 'Enter the address to which the money goes.' } },
  CHARGE_NOT_REFUNDABLE: { problem: 'This payment cannot be refunded, or not any more. Nothing was refunded.' },
  CONFLICT: { problem: 'This form was sent before with other values. Check what has been refunded before you go on.' },
}

const fieldsIn = ({ amount }: Typed, { currency }: ShownPayment): InputErrors => ({
  amount: wordsOfAmount(amount, currency),
  reason: 'Enter a reason of at most 500 characters.',
  refund_address: 'Check the address.',
})

/** Why the API has refused the refund, for people. */
function wordRefusal(refused: Refused, typed: Typed, payment: ShownPayment): Tried {
  const { code, errors } = refused
  // How much is left, and why: no smaller amount helps where it is nothing.
  if (code === 'REFUND_EXCEEDS_REMAINING') return { errors: { amount: saidOf(refused) } }
  const known = refusals[code]
  if (known) return known
  const fieldWords = fieldsIn(typed, payment)
  const marked = errors.flatMap(({ field }) => (fieldWords[field] ? [[field, fieldWords[field]]] : []))
  if (marked.length > 0) return { errors: Object.fromEntries(marked) as InputErrors }
  const problem = 'Something went wrong. Check below the payment whether it was refunded before you try again.'
  return { problem }
}
