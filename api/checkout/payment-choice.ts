import Type, { type Static } from 'typebox'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { BuyerDetails } from '../../domain/customer.ts'
import type { PaymentRequest } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { RailVault } from '../../rails/rail.ts'
import { assertOpen } from '../../domain/checkout/checkout.ts'
import { type Corridor, corridorOf, corridorsFor, isCorridor, offeredAssets } from '../../domain/corridor.ts'
import type { PaymentPlaces } from '../../domain/checkout/payment-places.ts'
import { assetKeys, type CryptoAsset, isAsset } from '../../domain/checkout/crypto.ts'
import type { Currency } from '../../domain/currency.ts'
import { isNumberOf, type Wallets } from '../../domain/checkout/mobile-money.ts'
import {
  amountDue,
  isFreeSale,
  validateOfferedPrice,
  type LineItem,
  lineItemOf,
  type PickedProduct,
} from '../../domain/checkout/line-item.ts'
import { amountError } from '../../domain/money.ts'
import { toStored } from '../../domain/balance/quote.ts'
import { type FieldError, missing, mustBeOneOf, Refusal } from '../../domain/refusal.ts'
import { sentCurrency } from '../../schemas/common.ts'
import { CustomerDetails } from '../../schemas/customer.ts'
import { PickedProducts } from '../../schemas/checkout/line-item.ts'
import { assertPayableBy } from '../../db/checkout/settings.ts'
import { Card, CardToken, SavedCard } from './card.ts'
import { readCard } from './card-choice.ts'
import { misplacedIn, validateCardFor } from './card-entry.ts'
import type { ValidationContext } from '../http/operation.ts'
import { quoteFor } from './quotes.ts'
import { servedFor } from './sale-payable.ts'
import type { Services } from '../http/services.ts'
import { assertValid, validationRefusal } from '../http/validate.ts'

export const PayCheckout = Type.Object(
  {
    payment_method: Type.Optional(
      Type.String({ maxLength: 32, examples: ['USD_CARD'], description: 'A corridor; none for a free session.' }),
    ),
    currency: Type.Optional(sentCurrency()),
    card: Type.Optional(Type.Union([Card, CardToken, SavedCard])),
    phone_number: Type.Optional(
      Type.String({
        maxLength: 16,
        pattern: '^\\+[1-9][0-9]{6,14}$',
        examples: ['+233241234561'],
        description: 'For mobile money: the wallet’s number, in the form of E.164.',
      }),
    ),
    provider: Type.Optional(Type.String({ maxLength: 20, examples: ['mtn'], description: 'For mobile money.' })),
    asset: Type.Optional(sentCurrency({ examples: ['USDT_TRC20'], description: 'For crypto.' })),
    products: Type.Optional(PickedProducts),
    customer_details: Type.Optional(CustomerDetails),
    confirm: Type.Optional(Type.Boolean({ description: 'Charge at once, without a separate call to confirm.' })),
  },
  { $id: 'PayCheckout' },
)

type PayBody = Static<typeof PayCheckout>

/** The payment method a buyer has chosen, as it is stored. A card or a phone number is a token of the rail's vault. */
export type Choice = Pick<
  PaymentRequest,
  | 'corridor'
  | 'rate'
  | 'quotedAmount'
  | 'quotedFee'
  | 'railToken'
  | 'savedMethodId'
  | 'securityCodeToken'
  | 'provider'
  | 'asset'
  | 'methodDetails'
  | 'lineItems'
  | 'customerDetails'
>

export const noChoice: Choice = {
  corridor: null,
  rate: null,
  quotedAmount: null,
  quotedFee: null,
  railToken: null,
  savedMethodId: null,
  securityCodeToken: null,
  provider: null,
  asset: null,
  methodDetails: null,
  lineItems: null,
  customerDetails: null,
}

/** Checks the buyer's choice, and puts what we must not store (a card, a phone number) into the rail's vault. */
export async function readChoice(
  { database, rails, rates }: Services,
  row: Checkout,
  body: PayBody,
  now: number,
): Promise<Choice> {
  assertOpen(row)
  const unpicked = validatePick(row, body.products)
  const places = rails.in(row.environment)
  if (unpicked.length > 0)
    throw validationRefusal([...unpicked, ...validateMethod(body, places, now), ...validateDetails(row, body)])
  const lineItems = pickOf(row, body.products)
  const sold = { ...row, lineItems, amount: lineItems ? amountDue(row, lineItems) : row.amount }
  const corridor = isFreeSale(sold) ? null : chosenCorridor(row, body)
  assertValid([...(corridor ? validateMethod(body, places, now) : []), ...validateDetails(row, body)])
  const customerDetails = body.customer_details ? toDetails(body.customer_details) : null
  const choice = { ...noChoice, lineItems, customerDetails }
  if (!corridor) return choice
  if (!servedFor({ rails }, row).includes(corridor)) throw notServed()
  await assertPayableBy(database.orm.em.fork(), row, corridor)
  const quote = await quoteFor(rates, sold, corridor)
  const chosen = { row, body, corridor, now }
  const method = await readMethod(database.orm.em.fork(), places.vaultOf(corridor), chosen)
  return { ...choice, corridor, ...toStored(quote), ...method }
}

type ChosenMethod = { row: Checkout; body: PayBody; corridor: Corridor; now: number }

/** What is stored of the method that the buyer has chosen. Its card or phone number goes into the vault. */
async function readMethod(
  em: EntityManager,
  vault: RailVault,
  { row, body, corridor, now }: ChosenMethod,
): Promise<Partial<Choice>> {
  const { method } = corridorOf(corridor)
  const { card, phone_number: phone, provider = null } = body
  if (method === 'card' && card) return readCard(em, vault, { row, card, corridor, now })
  if (method === 'mobile_money' && phone) return { provider, railToken: await vault.keepPhone(phone) }
  return method === 'crypto' ? { asset: allowedAsset(row, assetIn(body)) } : {}
}

/** The product the buyer picks now or has picked before; null if the session offers no choice. */
export function pickOf(row: Checkout, products: PickedProduct[] = []): LineItem[] | null {
  assertValid(validatePick(row, products))
  const { selection, lineItems } = row
  const [wanted] = products
  const offered = selection?.find(({ product_id }) => product_id === wanted?.product_id)
  return wanted && offered ? [lineItemOf(offered, wanted)] : selection && lineItems
}

/** The errors in the buyer's pick. */
function validatePick({ selection, lineItems }: Checkout, [wanted]: PickedProduct[] = []): FieldError[] {
  if (!selection) return []
  if (!wanted) return lineItems ? [] : [missing('products')]
  const offered = selection.find(({ product_id }) => product_id === wanted.product_id)
  const message = 'is not one of the products of this session'
  if (!offered) return [{ field: 'products.0.product_id', message, type: 'value_error' }]
  const errors = validateOfferedPrice(offered, wanted, 'products.0.amount')
  if (errors.length > 0) return errors
  const { line_total, currency } = lineItemOf(offered, wanted)
  const tooMuch = amountError(line_total, currency, 'products.0')
  return tooMuch ? [tooMuch] : []
}

/** The corridor that the buyer names. Refuses it if the session does not allow the corridor or its currency. */
function chosenCorridor(row: Checkout, body: PayBody): Corridor {
  const { payment_method: key, currency } = body
  if (!key) throw validationRefusal([missing('payment_method'), ...validateDetails(row, body)])
  const offered = corridorsFor(row)
  if (!isCorridor(key) || !offered.includes(key)) throw notAllowed('payment_method', offered)
  const asset = key === 'CRYPTO' ? assetIn(body) : null
  const taken: string[] = [corridorOf(key).currency, ...(asset !== null && isAsset(asset) ? [asset] : [])]
  if (currency && !taken.includes(currency)) throw notAllowed(`the currency of ${key}`, taken)
  return key
}

/** The asset the buyer pays in. In `payment_method_options` it is named as the currency. */
function assetIn(body: Sent): string | null {
  const currency = textIn(body, 'currency') ?? ''
  return textIn(body, 'asset') ?? (isAsset(currency) ? currency : null)
}

function allowedAsset({ methodOptions }: Checkout, asset: string | null): CryptoAsset {
  const allowed = offeredAssets(methodOptions).find((offered) => offered === asset)
  if (allowed) return allowed
  throw notAllowed('asset', offeredAssets(methodOptions))
}

/** The provider of a session that is older than the configuration may be gone. */
const notServed = () =>
  new Refusal('PAYMENT_METHOD_NOT_ALLOWED', 'this payment method is not available now: choose another')

/** Names what the session offers instead, so that a page can be mended without reading the session. */
export const notAllowed = (field: string, offered: readonly string[]): Refusal =>
  new Refusal('PAYMENT_METHOD_NOT_ALLOWED', `this session cannot be paid this way: ${field} ${mustBeOneOf(offered)}`)

/**
 * A card that must not reach us is refused at once, before the call is noted anywhere. The other errors in the payment
 * method count here if the call is refused anyway. Otherwise they are found later, with the session: it may refuse the
 * method as a whole, and it adds errors of its own.
 */
export function validatePayment(body: Sent, { now, hasErrors, caller, services }: ValidationContext): FieldError[] {
  if (body['card'] === undefined && !hasErrors) return []
  const places = services.rails.in(caller.environment)
  const misplaced = misplacedIn(body, places)
  return hasErrors || misplaced.length > 0 ? [...misplaced, ...validateMethod(body, places, now)] : []
}

/** An unchecked body. The schema check reports values of a wrong type. */
type Sent = Record<string, unknown>

function textIn(body: Sent, field: string): string | undefined {
  const sent = body[field]
  return typeof sent === 'string' ? sent : undefined
}

/** The errors in the fields of the named method. No error repeats a digit of a card or a phone number. */
function validateMethod(body: Sent, places: PaymentPlaces, now: number): FieldError[] {
  const key = textIn(body, 'payment_method') ?? ''
  if (!isCorridor(key)) return []
  const { method, currency } = corridorOf(key)
  if (method === 'card') return validateCardFor(places.cardEntryOf(key), body['card'], now)
  if (method === 'mobile_money') return validatePhone(body, places.walletsOf(key), currency)
  if (method !== 'crypto') return []
  const asset = assetIn(body)
  if (asset === null) return [missing('asset')]
  return isAsset(asset) ? [] : [{ field: 'asset', message: mustBeOneOf(assetKeys), type: 'value_error.enum' }]
}

function validatePhone(body: Sent, wallets: Wallets, currency: Currency): FieldError[] {
  const [number, provider] = [textIn(body, 'phone_number'), textIn(body, 'provider')]
  const { callingCodes, providers } = wallets
  const errors: FieldError[] = []
  if (number === undefined) errors.push(missing('phone_number'))
  else if (!isNumberOf(wallets, number)) {
    const codes = callingCodes.map((code) => `+${code}`)
    const message = `is not a number of a country that can pay in ${currency} (${codes.join(', ')})`
    errors.push({ field: 'phone_number', message, type: 'value_error.format' })
  }
  if (provider === undefined) errors.push(missing('provider'))
  else if (!providers.includes(provider)) {
    errors.push({ field: 'provider', message: mustBeOneOf(providers), type: 'value_error.enum' })
  }
  return errors
}

/** Customer details are required once: from the merchant with the session, or from the buyer now. */
export const validateDetails = (row: Checkout, { customer_details: details }: Pick<PayBody, 'customer_details'>) =>
  details || row.customerDetails ? [] : [missing('customer_details')]

/** The buyer's own details, as they are stored. */
export const toDetails = ({ email, name, phone_number }: Static<typeof CustomerDetails>): BuyerDetails => ({
  email: email.toLowerCase(),
  name: name ?? null,
  phone_number: phone_number ?? null,
})
