import Type, { type Static } from 'typebox'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { BuyerDetails } from '../../domain/customer.ts'
import type { PaymentRequest } from '../../db/checkout/payment.ts'
import { assertOpen } from '../../domain/checkout/checkout.ts'
import { type Corridor, corridorOf, corridorsFor, isCorridor, offeredAssets } from '../../domain/corridor.ts'
import { assetKeys, type CryptoAsset, isAsset } from '../../domain/checkout/crypto.ts'
import type { Currency } from '../../domain/currency.ts'
import { callingCodesOf, isNumberIn, providersOf } from '../../domain/checkout/mobile-money.ts'
import { faultsInPrice, type LineItem, lineItemOf, totalOf, type Wanted } from '../../domain/checkout/line-item.ts'
import { amountFault, isZero } from '../../domain/money.ts'
import { toStored } from '../../domain/balance/quote.ts'
import { type FieldFault, invalid, Refusal } from '../../domain/refusal.ts'
import { sentCurrency } from '../../schemas/common.ts'
import { CustomerDetails } from '../../schemas/customer.ts'
import { PickedProducts } from '../../schemas/checkout/line-item.ts'
import type { RailVault } from '../../rails/rail.ts'
import { Card, CardToken, cardFaults, shownOfCard, toCardNumbers } from './card.ts'
import type { Circumstances } from '../http/operation.ts'
import { quoteFor } from './quotes.ts'
import type { Services } from '../http/services.ts'
import { assertNoFaults, oneOf, refusal } from '../http/validate.ts'

export const PayCheckout = Type.Object(
  {
    payment_method: Type.Optional(
      Type.String({ maxLength: 32, examples: ['USD_CARD'], description: 'A corridor; none for a free session.' }),
    ),
    currency: Type.Optional(sentCurrency()),
    card: Type.Optional(Type.Union([Card, CardToken])),
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
    confirm: Type.Optional(Type.Boolean({ description: 'Go to the rail at once, without a further call to confirm.' })),
  },
  { $id: 'PayCheckout' },
)

type PayBody = Static<typeof PayCheckout>

/** What a buyer wants to pay with, as it is kept: a card or a phone number is a token of the rail's vault. */
export type Choice = Pick<
  PaymentRequest,
  | 'corridor'
  | 'rate'
  | 'quotedAmount'
  | 'quotedFee'
  | 'railToken'
  | 'provider'
  | 'asset'
  | 'methodDetails'
  | 'lineItems'
  | 'customerDetails'
>

export const noChoice: Choice = {
  ...{ corridor: null, rate: null, quotedAmount: null, quotedFee: null, railToken: null, provider: null, asset: null },
  ...{ methodDetails: null, lineItems: null, customerDetails: null },
}

/** What the buyer has chosen, once nothing speaks against it; what must not be stored is in the rail's vault then. */
export async function choose({ rails, rates }: Services, row: Checkout, body: PayBody, now: number): Promise<Choice> {
  assertOpen(row)
  const unpicked = faultsOfPick(row, body.products)
  if (unpicked.length > 0) throw refusal([...unpicked, ...faultsOfMethod(body, now), ...faultsOfDetails(row, body)])
  const lineItems = pickOf(row, body.products)
  const amount = lineItems ? totalOf(lineItems) : row.amount
  const corridor = isZero(amount) && !row.setup ? null : chosenCorridor(row, body)
  assertNoFaults([...(corridor ? faultsOfMethod(body, now) : []), ...faultsOfDetails(row, body)])
  const customerDetails = body.customer_details ? toDetails(body.customer_details) : null
  const quote = corridor && (await quoteFor(rates, { ...row, amount, lineItems }, corridor))
  const choice = { ...noChoice, corridor, ...(quote && toStored(quote)), lineItems, customerDetails }
  const { card, phone_number: phone, provider = null } = body
  const method = corridor && corridorOf(corridor).method
  const { vault } = rails.in(row.environment)
  if (method === 'card' && card)
    return { ...choice, methodDetails: shownOfCard(card), railToken: await keepCard(vault, card) }
  if (method === 'mobile_money' && phone) return { ...choice, provider, railToken: await vault.keepPhone(phone) }
  if (method === 'crypto') return { ...choice, asset: allowedAsset(row, assetIn(body)) }
  return choice
}

/** The vault's token for a card, be it sent as its numbers or as what the rail's field has made of them. */
async function keepCard(vault: RailVault, card: NonNullable<PayBody['card']>): Promise<string> {
  if (!('token' in card)) return vault.keepCard(toCardNumbers(card))
  const kept = await vault.keepToken(card.token)
  if (kept === null) throw invalid('card.token', 'is not known to the card network', 'value_error')
  return kept
}

/** What the buyer picks, or has picked before; null where there is nothing to pick. */
export function pickOf(row: Checkout, products: Wanted[] = []): LineItem[] | null {
  assertNoFaults(faultsOfPick(row, products))
  const { selection, lineItems } = row
  const [wanted] = products
  const offered = selection?.find(({ product_id }) => product_id === wanted?.product_id)
  return wanted && offered ? [lineItemOf(offered, wanted)] : selection && lineItems
}

/** What speaks against what the buyer picks of this session. */
function faultsOfPick({ selection, lineItems }: Checkout, [wanted]: Wanted[] = []): FieldFault[] {
  if (!selection) return []
  if (!wanted) return lineItems ? [] : [missing('products')]
  const offered = selection.find(({ product_id }) => product_id === wanted.product_id)
  const message = 'is not one of the products of this session'
  if (!offered) return [{ field: 'products.0.product_id', message, type: 'value_error' }]
  const faults = faultsInPrice(offered, wanted, 'products.0.amount')
  if (faults.length > 0) return faults
  const { line_total, currency } = lineItemOf(offered, wanted)
  const tooMuch = amountFault(line_total, currency, 'products.0')
  return tooMuch ? [tooMuch] : []
}

/** The corridor that the buyer names, if the session allows it and its currency. */
function chosenCorridor(row: Checkout, body: PayBody): Corridor {
  const { payment_method: key, currency } = body
  if (!key) throw refusal([missing('payment_method'), ...faultsOfDetails(row, body)])
  const offered = isCorridor(key) && corridorsFor(row).includes(key)
  const isOfCorridor = (code: string) =>
    isCorridor(key) && (code === corridorOf(key).currency || (key === 'CRYPTO' && code === assetIn(body)))
  const allowed = offered && (!currency || isOfCorridor(currency))
  if (!allowed) throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', 'this session cannot be paid this way')
  return key
}

/** What a buyer pays in: the asset, which is also the currency as `payment_method_options` has it. */
function assetIn(body: Sent): string | null {
  const currency = textIn(body, 'currency') ?? ''
  return textIn(body, 'asset') ?? (isAsset(currency) ? currency : null)
}

function allowedAsset({ methodOptions }: Checkout, asset: string | null): CryptoAsset {
  const allowed = offeredAssets(methodOptions).find((offered) => offered === asset)
  if (allowed) return allowed
  throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', 'this session cannot be paid in this asset')
}

/**
 * What speaks against what was sent to pay with, where the call is refused in any case. Else that is for the session to
 * say, which may not take the method at all, or knows of more that is wrong.
 */
export const faultsInPayment = (body: Sent, { now, isFaulty }: Circumstances): FieldFault[] =>
  isFaulty ? faultsOfMethod(body, now) : []

/** A body that trusts no type: what has another one is a fault of its own. */
type Sent = Record<string, unknown>

function textIn(body: Sent, field: string): string | undefined {
  const sent = body[field]
  return typeof sent === 'string' ? sent : undefined
}

/** What speaks against what the named method asks for. No fault repeats a digit of what was sent. */
function faultsOfMethod(body: Sent, now: number): FieldFault[] {
  const key = textIn(body, 'payment_method') ?? ''
  if (!isCorridor(key)) return []
  const { method, currency } = corridorOf(key)
  if (method === 'card') return body['card'] === undefined ? [missing('card')] : cardFaults(body['card'], now)
  if (method === 'mobile_money') return faultsOfPhone(currency, body)
  if (method !== 'crypto') return []
  const asset = assetIn(body)
  if (asset === null) return [missing('asset')]
  return isAsset(asset) ? [] : [{ field: 'asset', message: oneOf(assetKeys), type: 'value_error.enum' }]
}

function faultsOfPhone(currency: Currency, body: Sent): FieldFault[] {
  const [number, provider] = [textIn(body, 'phone_number'), textIn(body, 'provider')]
  const faults: FieldFault[] = []
  if (number === undefined) faults.push(missing('phone_number'))
  else if (!isNumberIn(currency, number)) {
    const codes = callingCodesOf(currency).map((code) => `+${code}`)
    const message = `is not a number of a country that pays in ${currency} (${codes.join(', ')})`
    faults.push({ field: 'phone_number', message, type: 'value_error.format' })
  }
  const providers = providersOf(currency)
  if (provider === undefined) faults.push(missing('provider'))
  else if (!providers.includes(provider)) {
    faults.push({ field: 'provider', message: oneOf(providers), type: 'value_error.enum' })
  }
  return faults
}

const missing = (field: string): FieldFault => ({ field, message: 'is required', type: 'value_error.missing' })

/** Somebody has to say who pays: the merchant with the session, or the buyer now. */
const faultsOfDetails = (row: Checkout, { customer_details: told }: PayBody) =>
  told || row.customerDetails ? [] : [missing('customer_details')]

/** The buyer's word about themselves, as it is kept. */
export const toDetails = ({ email, name, phone_number }: Static<typeof CustomerDetails>): BuyerDetails => ({
  email: email.toLowerCase(),
  name: name ?? null,
  phone_number: phone_number ?? null,
})
