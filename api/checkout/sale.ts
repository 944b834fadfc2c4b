import Type, { type Static } from 'typebox'
import { assertConnected } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { assertCapable } from '../../db/platform/capability.ts'
import { ProductGroup } from '../../db/catalogue/product-group.ts'
import { Product } from '../../db/catalogue/product.ts'
import { readFeePreference } from '../../db/checkout/settings.ts'
import { corridorsFor, type FeePreference, methods, type Offering } from '../../domain/corridor.ts'
import { mayBeTooHigh } from '../../domain/balance/quote.ts'
import { type Currency, isCurrency, knownCurrency } from '../../domain/currency.ts'
import {
  areFree,
  validateOfferedPrice,
  cheapestOf,
  lineItemOf,
  totalOf,
  type PickedProduct,
} from '../../domain/checkout/line-item.ts'
import { isSplit, leastSettled } from '../../domain/checkout/split.ts'
import type { Recurrence } from '../../domain/catalogue/product.ts'
import { type Amount, amountError, format, isLess, isZero, parseAmount } from '../../domain/money.ts'
import { type ErrorCode, type FieldError, invalid, Refusal } from '../../domain/refusal.ts'
import { idParameter, nullable, sentCurrency } from '../../schemas/common.ts'
import { offeredOf, ProductCart } from '../../schemas/checkout/line-item.ts'
import { assertConverts, billingCurrencyIn, payableOptions } from './sale-payable.ts'
import { recurrenceOfSale, repeatsAnotherWay, SubscriptionData, validateRecurring } from './sale-recurring.ts'
import type { Services } from '../http/services.ts'
import { assertValid, validationRefusal } from '../http/validate.ts'
import { fieldsOf } from '../../domain/narrow.ts'

const MethodRestriction = Type.Object({
  currencies: Type.Optional(Type.Array(sentCurrency(), { maxItems: 50 })),
})

/** `payment_method_options`: only the methods in it are offered. */
export const MethodRestrictions = Type.Optional(
  nullable(Type.Object(Object.fromEntries(methods.map((method) => [method, Type.Optional(MethodRestriction)])))),
)

/** The codes with which a sale may be refused. */
export const saleRefusals: readonly ErrorCode[] = [
  'CURRENCY_NOT_SUPPORTED',
  'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD',
  'ACCOUNT_NOT_ACTIVATED',
  'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
  'CHECKOUT_HAS_NO_PAYMENT_METHOD',
  'CAPABILITY_NOT_ACTIVE',
  'NOT_FOUND',
]

/** The fields of a new session for the sale, its payment methods and its split. */
export const Sale = {
  product_cart: Type.Optional(ProductCart),
  product_group_id: Type.Optional(idParameter('pg')),
  amount: Type.Optional(Type.String({ description: 'The price, at the currency’s precision.', examples: ['25.00'] })),
  currency: Type.Optional(sentCurrency()),
  description: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  setup: Type.Optional(
    Type.Boolean({ description: 'Saves a card and charges nothing: no amount, products or split.' }),
  ),
  billing_currency: Type.Optional(
    nullable(
      sentCurrency({ examples: ['KES'], description: 'What the buyer is to pay in, unless they choose another.' }),
    ),
  ),
  payment_method_options: MethodRestrictions,
  subscription_data: SubscriptionData,
  platform_fee: Type.Optional(nullable(Type.String({ examples: ['1.00'] }))),
  transfer_data: Type.Optional(
    nullable(
      Type.Object({
        destination: idParameter('acct'),
        amount: Type.String({ description: 'The destination’s share of the sale.', examples: ['20.00'] }),
      }),
    ),
  ),
}

const SaleBody = Type.Object(Sale)
export type SaleBody = Static<typeof SaleBody>

const ofProducts = ['product_cart', 'product_group_id'] as const

/** Exactly one form of sale is sent, complete. An amount needs its currency. A sale has at most one kind of split. */
export function validateSale(body: Record<string, unknown>): FieldError[] {
  const isSent = (name: string) => body[name] !== undefined && body[name] !== null
  const notWith = (field: string, other: string): FieldError[] =>
    isSent(field) ? [{ field, message: `is not sent together with ${other}`, type: 'value_error' }] : []
  const split = isSent('transfer_data') ? notWith('platform_fee', 'transfer_data') : []
  if (body.setup === true) {
    return [...ofProducts, 'amount', 'platform_fee', 'transfer_data'].flatMap((field) => notWith(field, 'setup'))
  }
  const [form, ...others] = ofProducts.filter(isSent)
  if (form) {
    const together = [...others, 'amount', 'currency'].flatMap((field) => notWith(field, form))
    return [...together, ...split, ...validateSplit(body, { currency: null, worth: null })]
  }
  const { amount, currency } = body
  const missing = ['amount', 'currency', 'description'].filter((field) => body[field] === undefined)
  const known = typeof currency === 'string' && isCurrency(currency) ? currency : null
  const unreadable = typeof amount === 'string' ? amountError(amount, known) : null
  const worth = typeof amount === 'string' && !unreadable ? amount : null
  return [
    ...missing.map((field) => ({ field, message: 'is required', type: 'value_error.missing' })),
    ...(unreadable ? [unreadable] : []),
    ...split,
    ...validateSplit(body, { currency: known, worth }),
  ]
}

/** The currency of a sale, and the most that may be promised of it; null while not known. */
type SplitLimits = { currency: string | null; worth: Amount | null }

/** The errors in the split of a sale. A platform fee of zero is no fee; a destination's share must be above zero. */
export function validateSplit(body: Record<string, unknown>, { currency, worth }: SplitLimits): FieldError[] {
  const { platform_fee: fee, transfer_data: share } = body
  const known = currency !== null && isCurrency(currency) ? currency : null
  return [
    ...validatePart('platform_fee', fee, known, worth),
    ...validatePart('transfer_data.amount', fieldsOf(share)['amount'], known, worth),
  ]
}

function validatePart(field: string, part: unknown, currency: Currency | null, worth: Amount | null): FieldError[] {
  if (typeof part !== 'string') return []
  const unreadable = amountError(part, currency, field)
  if (unreadable) return [unreadable]
  const outside = (message: string) => [{ field, message, type: 'value_error.range' }]
  if (field !== 'platform_fee' && isZero(part)) return outside('must be more than 0')
  if (worth === null || !isLess(worth, part)) return []
  return outside(`must not be more than ${currency ? format(worth, currency) : worth}`)
}

/** The sale, its payment methods and its split, as a new session stores them. */
export async function readSale(em: EntityManager, body: SaleBody, caller: Tenant, services: Services) {
  const { isFree, ...sold } = await readSold(em, body, caller)
  assertValid(validateRecurring(body, sold.recurring !== null))
  // The lowest amount of the sale. It limits a share, so that a share is never more than the payment.
  const worth = sold.selection ? cheapestOf(sold.selection) : sold.amount
  assertValid(validateSplit(body, { currency: sold.currency, worth }))
  const sent = body.payment_method_options ?? null
  const methodOptions = isFree ? sent : await payableOptions({ em, services }, caller, sold, sent)
  const billingCurrency = billingCurrencyIn(body)
  const split = await readSplit(em, caller, body, sold.currency)
  const offering = { ...sold, methodOptions, billingCurrency }
  // Of other sales nothing that is checked here depends on who bears the fee: it costs no query.
  const isPriced = isSplit(split) || mayBeTooHigh(sold.amount, sold.currency)
  const feePreference = isPriced ? await readFeePreference(em, caller) : 'org_pays'
  if (isSplit(split)) assertSettles(body, { ...offering, amount: worth, feePreference })
  await assertConverts(services.rates, { ...sold, ...split, feePreference }, { methodOptions, billingCurrency }, isFree)
  const subscriptionMetadata = sold.recurring && (body.subscription_data?.metadata ?? {})
  return { ...sold, subscriptionMetadata, methodOptions, billingCurrency, ...split }
}

function readSold(em: EntityManager, body: SaleBody, caller: Tenant) {
  if (body.product_cart) return readCart(em, caller, body, body.product_cart)
  if (body.product_group_id !== undefined) return readSelection(em, caller, body, body.product_group_id)
  const currency = knownCurrency(body.currency ?? (body.setup ? setupCurrency : ''))
  const setup = body.setup ?? false
  const amount = parseAmount(setup ? '0' : (body.amount ?? ''), currency)
  return { ...noProducts, setup, amount, currency, isFree: !setup && isZero(amount) }
}

const noProducts = {
  sessionMode: 'CART' as const,
  setup: false,
  lineItems: null,
  selection: null,
  recurring: null as Recurrence | null,
}
/** The currency of a card setup that names none. Nothing is charged in it. */
const setupCurrency = 'USD'

async function readCart(em: EntityManager, { accountId, environment }: Tenant, body: SaleBody, cart: PickedProduct[]) {
  const ids = cart.map(({ product_id }) => product_id)
  const found = await em.find(Product, { id: { $in: ids }, accountId, environment })
  const products = ids.map((productId) => found.find(({ id }) => id === productId))
  const first = products.find((product) => product)
  const trial = body.subscription_data?.trial_days
  const lines = cart.map((wanted, index) => ({ wanted, product: products[index], field: `product_cart.${index}` }))
  const errors = lines.flatMap(({ wanted, product, field }) => {
    const unfit = productError(product, first, { field: `${field}.product_id`, trial, mayDiffer: false })
    return unfit || !product ? (unfit ?? []) : validateOfferedPrice(offeredOf(product), wanted, `${field}.amount`)
  })
  const ofSplit = validateSplit(body, { currency: first?.currency ?? null, worth: null })
  if (errors.length > 0 || !first) throw validationRefusal([...errors, ...ofSplit])
  const lineItems = lines.flatMap(({ product, wanted }) => (product ? lineItemOf(offeredOf(product), wanted) : []))
  const { currency } = first
  const total = format(totalOf(lineItems), currency)
  const tooMuch = amountError(total, currency, 'product_cart')
  assertValid(tooMuch ? [tooMuch] : [])
  const recurring = recurrenceOfSale([first], body.subscription_data)
  return { ...noProducts, lineItems, currency, recurring, ...dueNow(total, currency, recurring) }
}

/** What is paid when the session completes. With a trial a card is saved, and nothing is paid before the trial ends. */
function dueNow(total: Amount, currency: Currency, recurring: Recurrence | null) {
  const isTrial = recurring !== null && recurring.trial_days > 0 && !isZero(total)
  return { setup: isTrial, amount: isTrial ? format('0', currency) : total, isFree: isZero(total) }
}

async function readSelection(em: EntityManager, { accountId, environment }: Tenant, body: SaleBody, id: string) {
  const group = await readRow(em, ProductGroup, { id, accountId, environment })
  if (!group) throw new Refusal('NOT_FOUND', 'no such product group')
  if (!group.active) throw invalid('product_group_id', 'is archived', 'value_error')
  const found = await em.find(Product, { id: { $in: group.productIds }, accountId, environment, active: true })
  const products = group.productIds.flatMap((productId) => found.find((each) => each.id === productId) ?? [])
  const [first] = products
  if (!first) throw invalid('product_group_id', 'has no active product', 'value_error')
  const trial = body.subscription_data?.trial_days
  const place = { field: 'product_group_id', trial, mayDiffer: true }
  assertValid(products.flatMap((product) => productError(product, first, place) ?? []))
  const selection = products.map(offeredOf)
  const { currency } = first
  const isFree = areFree(selection)
  const recurring = recurrenceOfSale(products, body.subscription_data)
  return {
    sessionMode: 'SELECTION' as const,
    setup: !isFree && recurring !== null && recurring.trial_days > 0,
    lineItems: null,
    selection,
    recurring,
    amount: format('0', currency),
    currency,
    isFree,
  }
}

/** Where a product stands in the body, the trial that is sent for all of them, and whether their rhythms may differ. */
type ProductPlace = { field: string; trial: number | undefined; mayDiffer: boolean }

function productError(
  product: Product | undefined,
  first: Product | undefined,
  { field, trial, mayDiffer }: ProductPlace,
): FieldError | null {
  const error = (message: string) => ({ field, message, type: 'value_error' })
  if (!product || !first) return error('must be one of your products')
  if (!product.active) return error('is archived')
  if (product.currency !== first.currency) return error('is in another currency than those before it')
  const repeats = repeatsAnotherWay(product, first, { trial_days: trial, mayDiffer })
  return repeats === null ? null : error(repeats)
}

/**
 * Refuses to promise more of a sale than settles of it after its fee, whichever way the buyer pays. Where they pay in
 * another currency, that is decided by the rate when they pay (api/checkout/quotes.ts).
 */
function assertSettles(body: SaleBody, sold: Offering & { amount: Amount; feePreference: FeePreference }): void {
  const settled = leastSettled({ ...sold, corridors: corridorsFor(sold) })
  if (settled !== null) assertValid(validateSplit(body, { currency: sold.currency, worth: settled }))
}

/** The split of the sale. The share goes to a connected account, which has to be able to receive transfers. */
async function readSplit(em: EntityManager, caller: Tenant, body: SaleBody, currency: Currency) {
  const { platform_fee: sentFee, transfer_data: sentShare } = body
  const fee = format(sentFee ?? '0', currency)
  const none = { platformFee: isZero(fee) ? null : fee, transferAmount: null, transferDestination: null }
  if (!sentShare) return none
  const transferAmount = format(sentShare.amount, currency)
  await assertConnected(em, caller, sentShare.destination)
  const destination = { accountId: sentShare.destination, environment: caller.environment }
  await assertCapable(em, destination, 'transfers')
  return { ...none, transferAmount, transferDestination: sentShare.destination }
}
