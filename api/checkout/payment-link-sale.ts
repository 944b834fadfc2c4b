import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { PaymentLink } from '../../db/checkout/payment-link.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Product } from '../../db/catalogue/product.ts'
import type { MethodOptions } from '../../domain/corridor.ts'
import { knownCurrency } from '../../domain/currency.ts'
import { validateOfferedPrice, type PickedProduct } from '../../domain/checkout/line-item.ts'
import { isSplit } from '../../domain/checkout/split.ts'
import { type Amount, isLess, isZero, lesser } from '../../domain/money.ts'
import { type LinkPrice, saleOf, type LinkSale } from '../../domain/checkout/payment-link.ts'
import { keptAmounts, type PriceAmounts, type PriceType } from '../../domain/catalogue/product.ts'
import { invalid, isTransient, Refusal } from '../../domain/refusal.ts'
import { type RequestedAmount, presentParts } from '../../schemas/checkout/payment-link.ts'
import { presentAmounts } from '../../schemas/catalogue/product.ts'
import { readSale, type SaleBody } from './sale.ts'
import type { Services } from '../http/services.ts'
import { assertValid, validationRefusal } from '../http/validate.ts'

const soldByCheckout = 'is recurring: sell it by a checkout session, which names its customer'

/** The payment methods of a sale, and its split. */
type Terms = Pick<SaleBody, 'payment_method_options' | 'platform_fee' | 'transfer_data'>

/** A price of a body, as it is stored. */
export function keptPrice(priceType: PriceType, code: string, amounts: PriceAmounts): LinkPrice {
  const currency = knownCurrency(code, 'price.currency')
  const { amount, minimumAmount, maximumAmount } = keptAmounts(priceType, currency, amounts)
  return { price_type: priceType, amount, minimum_amount: minimumAmount, maximum_amount: maximumAmount, currency }
}

/** The index of the cart line whose amount the buyer decides (a custom price without an amount); null if none does. */
export async function findOpenLine(em: EntityManager, owner: Tenant, cart: PickedProduct[]): Promise<number | null> {
  const { accountId, environment } = owner
  const ids = cart.map(({ product_id }) => product_id)
  const custom = await em.find(Product, { id: { $in: ids }, accountId, environment, priceType: 'custom' })
  const isOpen = ({ product_id, amount }: PickedProduct) =>
    amount === undefined && custom.some(({ id }) => id === product_id)
  const line = cart.findIndex(isOpen)
  return line < 0 ? null : line // for a second such line, the sale's own check reports the missing amount
}

/** The amount that a buyer of the link has to name, with its limits: that of one; null if the buyer names none. */
export async function requestedAmountOf(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { price, productCart, openLine }: LinkSale,
): Promise<RequestedAmount | null> {
  if (price) return price.price_type === 'custom' ? { ...boundsOf(price), suggested_amount: null, quantity: 1 } : null
  const line = openLine === null ? undefined : productCart?.[openLine]
  const product = line && (await readRow(em, Product, { id: line.product_id, accountId, environment }))
  if (!product) return null
  const amounts = presentAmounts(product)
  const bounds = boundsOf({ ...amounts, currency: product.currency })
  return { ...bounds, suggested_amount: amounts.suggested_amount, quantity: line.quantity ?? 1 }
}

type Bounds = Pick<RequestedAmount, 'currency' | 'minimum_amount' | 'maximum_amount'>
const boundsOf = ({ currency, minimum_amount, maximum_amount }: Bounds) => ({
  currency,
  minimum_amount,
  maximum_amount,
})

type Context = { em: EntityManager; services: Services }

/** Refuses a link whose sessions would all be refused. Returns the sale at the lowest amount that can be paid. */
export async function assertSells({ em, services }: Context, owner: Tenant, sold: LinkSale, terms: Terms) {
  const requested = await requestedAmountOf(em, owner, sold)
  const least = requested ? (requested.minimum_amount ?? '0') : undefined
  const saleAt = (amount?: Amount) => readSale(em, { ...saleOf(sold, amount), ...terms }, owner, services)
  const sale = await saleAt(least).catch((error: unknown) => {
    // The buyer corrects an amount that no payment method takes. A split has to fit into the lowest one.
    if (!requested || terms.platform_fee || terms.transfer_data || !leavesNoMethod(error)) throw error
    return saleAt(ordinaryAmount(requested))
  })
  const field = sold.productCart ? 'product_cart' : 'product_group_id'
  if (sale.recurring) throw invalid(field, soldByCheckout, 'value_error')
  if (requested && least !== undefined && isZero(least)) {
    // A free session has no payment method, so at an amount of zero its options are not checked.
    const { payment_method_options: options } = terms
    const more = saleOf(sold, ordinaryAmount(requested))
    const narrowed = { ...more, ...(options !== undefined && { payment_method_options: options }) }
    await readSale(em, narrowed, owner, services)
  }
  return sale
}

/**
 * An amount that the buyer may name and that the payment methods take, if they take any: where they are all in another
 * currency, one unit of the sale's may round to zero, and the highest amounts are too high with a fee on top.
 */
function ordinaryAmount({ minimum_amount: low, maximum_amount: high }: RequestedAmount): Amount {
  const amount = high === null ? '1000000' : lesser(high, '1000000')
  return low !== null && isLess(amount, low) ? low : amount
}

/**
 * Refuses other payment methods with which a link could not be sold any more. Without a restriction nothing is lost but
 * what its split needs: a method may come back whose fee leaves too little.
 */
export async function assertStillSells(context: Context, link: PaymentLink, options: MethodOptions | null) {
  if (!options && !isSplit(link)) return
  const sale = await assertSells(context, link, link, { ...termsOf(link), payment_method_options: options })
  assertOwnCurrency(link, sale)
}

/** The products of a group may be in another currency by now. The split was agreed on in that of the link. */
function assertOwnCurrency(link: PaymentLink, { currency }: { currency: string }): void {
  if (!isSplit(link) || currency === link.currency) return
  throw invalid('product_group_id', `is sold in ${currency}, and the split is in ${link.currency}`, 'value_error')
}

/**
 * Reads the sale of one session of the link. Only an error in the amount is the buyer's to correct, and an amount that
 * no payment method takes where another one can be paid. If something is unavailable, the answer says so. For any other
 * error the link cannot be sold now; the buyer is a stranger, so the answer gives no details.
 */
export async function readLinkSale({ em, services }: Context, link: PaymentLink, amount: string | undefined) {
  if (link.price?.price_type === 'custom') assertValid(validateOfferedPrice(link.price, sent(amount), 'amount'))
  try {
    const sale = await readSale(em, { ...saleOf(link, amount), ...termsOf(link) }, link, services)
    // The link's group may have got recurring products after the link was made.
    if (sale.recurring) throw invalid('product_group_id', soldByCheckout, 'value_error')
    assertOwnCurrency(link, sale)
    return sale
  } catch (error) {
    if (!(error instanceof Refusal) || isTransient(error.code)) throw error
    const isOfAmount = ({ field }: { field: string }) =>
      link.openLine !== null && (field === `product_cart.${link.openLine}.amount` || field === 'product_cart')
    const { errors } = error
    if (errors.length > 0 && errors.every(isOfAmount))
      throw validationRefusal(errors.map((one) => ({ ...one, field: 'amount' })))
    if (leavesNoMethod(error) && (await takesAnotherAmount({ em, services }, link)))
      throw invalid('amount', 'cannot be paid by the payment methods of this link: name another one', 'value_error')
    throw new Refusal('CONFLICT', 'a product of the payment link is not available')
  }
}

const leavesNoMethod = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD'

/** Whether the buyer decides the amount, and the link can be sold at an ordinary one. */
async function takesAnotherAmount({ em, services }: Context, link: PaymentLink): Promise<boolean> {
  const requested = await requestedAmountOf(em, link, link)
  if (!requested) return false
  try {
    await readSale(em, { ...saleOf(link, ordinaryAmount(requested)), ...termsOf(link) }, link, services)
    return true
  } catch (error) {
    if (error instanceof Refusal && !isTransient(error.code)) return false
    throw error
  }
}

const sent = (amount: string | undefined) => (amount === undefined ? {} : { amount })

const termsOf = (link: PaymentLink): Terms => ({
  payment_method_options: link.methodOptions,
  ...presentParts(link),
})
