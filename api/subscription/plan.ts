import Type, { type Static } from 'typebox'
import { workOutChange } from '../../commands/subscription/work-out-change.ts'
import { Product } from '../../db/catalogue/product.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import type { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { quoteOf, shownFee } from '../../domain/balance/quote.ts'
import { lineItemOf, quantityMax, validateOfferedPrice } from '../../domain/checkout/line-item.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { type Amount, amountError, format, isZero, subtract } from '../../domain/money.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import { type Changed, dueNow, type Proration, prorations } from '../../domain/subscription/plan-change.ts'
import { type Plan, planOf } from '../../domain/subscription/subscription.ts'
import { recurrenceOf } from '../../schemas/catalogue/product.ts'
import { offeredOf } from '../../schemas/checkout/line-item.ts'
import { CurrencyCode, idParameter, iso, Money, nullable, SignedMoney, Timestamp } from '../../schemas/common.ts'
import { InvoiceLine } from '../../schemas/subscription/invoice.ts'
import { Subscription } from '../../schemas/subscription/subscription.ts'
import { operation } from '../http/operation.ts'
import { assertValid } from '../http/validate.ts'
import { applyAsked, askFor, hasAsked } from './ask.ts'
import { findSubscription, onSubscription, showSubscription } from './subscription.ts'

const ChangePlan = Type.Object(
  {
    product_id: Type.Optional({ ...idParameter('prod'), description: 'Default: the product as before.' }),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: quantityMax, description: 'Default: as before.' })),
    amount: Type.Optional(Type.String({ examples: ['25.00'], description: 'For price_type custom.' })),
    proration: Type.Optional(Type.Enum([...prorations], { description: 'Default prorate.' })),
  },
  { $id: 'ChangePlan' },
)

export const PlanPreview = Type.Object(
  {
    lines: Type.Array(InvoiceLine),
    amount_due: Money,
    credit: Money,
    credit_change: SignedMoney,
    returned_amount: Money,
    currency: CurrencyCode,
    amount: Money,
    effective_at: Timestamp,
    next_charge_at: Timestamp,
    invoice_lines: nullable(Type.Array(InvoiceLine)),
    charge: nullable(Type.Object({ amount: Money, fee: Money, currency: CurrencyCode })),
  },
  { $id: 'PlanPreview' },
)

type Wanted = Static<typeof ChangePlan>
/** A plan that is asked for: as it is previewed, and as the subscription's process is asked for it. */
type WantedPlan = { plan: Plan; proration: Proration; request: Extract<ChangeRequest, { kind: 'changePlan' }> }

/** The plan that is asked for: one product of the account, in the currency of the subscription. */
export async function readPlan(em: EntityManager, row: SubscriptionRow, wanted: Wanted): Promise<WantedPlan> {
  const [first, ...others] = row.lineItems
  if (!first) throw new Error(`${row.id} has no line items`)
  const { product_id: wantedId, quantity, amount } = wanted
  if (wantedId === undefined && quantity === undefined && amount === undefined)
    throw invalid('product_id', 'is required, or quantity, or the amount of a custom price', 'value_error.missing')
  if (others.length > 0 && wantedId === undefined)
    throw invalid('product_id', 'is required: the subscription has several products', 'value_error.missing')
  const { accountId, environment } = row
  const id = wantedId ?? first.product_id
  const product = await em.findOne(Product, { id, accountId, environment })
  if (!product) throw new Refusal('NOT_FOUND', 'no such product')
  const recurrence = recurrenceOf(product)
  if (!recurrence) throw invalid('product_id', 'is sold once: name a recurring product', 'value_error')
  if (product.currency !== row.currency)
    throw invalid('product_id', `is in ${product.currency}, and the subscription in ${row.currency}`, 'value_error')
  const sold = row.lineItems.find(({ product_id }) => product_id === id)
  if (!sold && !product.active) throw invalid('product_id', 'is archived', 'value_error')
  const offered = offeredOf(product)
  const picked = { product_id: id, quantity: quantity ?? sold?.quantity ?? 1, ...(amount !== undefined && { amount }) }
  // The price of a product that the subscription has stays as it was sold: only its quantity changes.
  const isAsSold = sold !== undefined && amount === undefined
  if (!isAsSold) assertValid(validateOfferedPrice(offered, picked, 'amount'))
  const item = lineItemOf(isAsSold ? { ...offered, unit_amount: sold.unit_amount } : offered, picked)
  const sent = (['quantity', 'amount'] as const).find((field) => wanted[field] !== undefined)
  const tooMuch = amountError(item.line_total, row.currency, sent ?? 'product_id')
  assertValid(tooMuch ? [tooMuch] : [])
  const { proration = 'prorate' } = wanted
  const { interval, interval_count } = recurrence
  const request = { kind: 'changePlan' as const, line_items: [item], interval, interval_count, proration }
  return { plan: planOf([item], row.currency, recurrence), proration, request }
}

export const changeSubscriptionPlan = operation({
  ...onSubscription,
  method: 'post',
  path: '/v1/subscriptions/{subscription_id}/change-plan',
  summary: 'Change the product or the quantity',
  scope: 'subscriptions:write',
  mode: 'process',
  body: ChangePlan,
  returns: [200, Subscription],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, callId, isRepeat, now, services }) {
    const row = await findSubscription(em, caller, params.subscription_id)
    if (await hasAsked(em, callId, isRepeat)) await applyAsked(services, row, 'changePlan', callId)
    else {
      const { request } = await readPlan(em, row, body)
      await askFor(services, row, request, { id: callId, by: 'merchant', at: now })
    }
    return showSubscription(em, row.id)
  },
})

export const previewSubscriptionChange = operation({
  ...onSubscription,
  method: 'post',
  path: '/v1/subscriptions/{subscription_id}/preview-change',
  summary: 'See what a change of plan would book, without changing anything',
  scope: 'subscriptions:write',
  mode: 'read',
  body: ChangePlan,
  returns: [200, PlanPreview],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    const row = await findSubscription(em, caller, params.subscription_id)
    return previewPlan(em, row, await readPlan(em, row, body), now)
  },
})

/** What change-plan would book at this moment, by the same checks and the same calculation. */
export async function previewPlan(em: EntityManager, row: SubscriptionRow, wanted: WantedPlan, now: number) {
  const { before, changed } = await workOutChange(em, row, wanted, await timeOf(em, row, now))
  const preview = presentPreview(before, wanted.plan, changed)
  return { ...preview, charge: await chargeOf(em, row, preview.amount_due) }
}

/**
 * What the subscription's card is charged for an amount, with the fee where the customer bears it. Null where it is
 * charged nothing, and where it is in another currency: the rate is only known when it is charged.
 */
async function chargeOf(em: EntityManager, row: SubscriptionRow, amount: Amount) {
  const { collection, paymentMethodId: id, currency } = row
  if (isZero(amount) || collection === 'invoice' || id === null) return null
  const { corridor, detachedAt } = await em.findOneOrFail(SavedPaymentMethod, { id })
  if (detachedAt || corridorOf(corridor).currency !== currency) return null
  const quote = quoteOf({ amount, currency, feePreference: row.feePreference }, corridor, null)
  return { amount: quote.customerPays, fee: shownFee(quote, row), currency }
}

function presentPreview({ credit: before }: { credit: Amount }, plan: Plan, changed: Changed) {
  const { currency } = plan
  const credit = format(changed.credit, currency)
  const gained = subtract(credit, before)
  return {
    lines: changed.lines,
    amount_due: format(dueNow(changed), currency),
    credit,
    credit_change: format(gained, currency),
    returned_amount: format(changed.returned, currency),
    currency,
    amount: format(plan.amount, currency),
    effective_at: iso(new Date(changed.effectiveAt)),
    next_charge_at: iso(new Date(changed.period.end)),
    invoice_lines: changed.invoice?.lines ?? null,
  }
}
