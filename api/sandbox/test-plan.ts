import Type, { type Static } from 'typebox'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { assertOpen } from '../../domain/checkout/checkout.ts'
import { type Corridor, isPaidByDeposit, corridorOf, corridorsFor, offeredAssets } from '../../domain/corridor.ts'
import { type CryptoAsset, halfOfCoins, parseCoins } from '../../domain/checkout/crypto.ts'
import { callingCodesOf, providersOf } from '../../domain/checkout/mobile-money.ts'
import { amountDue, isFreeSale } from '../../domain/checkout/line-item.ts'
import { type Amount, half, isZero, parseAmount } from '../../domain/money.ts'
import { isPending } from '../../domain/checkout/payment.ts'
import { type Quote, toStored } from '../../domain/balance/quote.ts'
import { invalid, mustBeOneOf } from '../../domain/refusal.ts'
import { type CardBehaviour, cardThat, type PhoneOutcome, phoneThat } from '../../rails/sandbox/test-values.ts'
import { CustomerDetails } from '../../schemas/customer.ts'
import { PickedProducts } from '../../schemas/checkout/line-item.ts'
import { type Choice, noChoice, notAllowed, pickOf, toDetails, validateDetails } from '../checkout/payment-choice.ts'
import { quoteFor } from '../checkout/quotes.ts'
import type { Services } from '../http/services.ts'
import { depositInSandbox, waitFor } from './test-deposit.ts'
import { assertValid } from '../http/validate.ts'

/** The behaviour of a test card for each outcome; with `…_later` the card succeeds now, and fails at a renewal. */
const cards: Record<string, CardBehaviour> = {
  success: 'succeeds',
  failed: 'card_declined',
  card_declined: 'card_declined',
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  declines_later: 'declines_later',
  expires_later: 'expires_later',
  asks_for_3ds_later: 'asks_for_3ds_later',
  answers_late_later: 'answers_late_later',
}
/** The answer on the buyer's phone for each outcome. */
const phones: Record<string, PhoneOutcome> = {
  success: 'succeeded',
  failed: 'customer_rejected',
  insufficient_funds: 'insufficient_funds',
  authentication_failed: 'authentication_failed',
  customer_rejected: 'customer_rejected',
  customer_timeout: 'customer_timeout',
}
export const outcomes = [...new Set([...Object.keys(cards), ...Object.keys(phones), 'underpaid'])]

export const PayInSandbox = Type.Object(
  {
    outcome: Type.Optional(Type.Enum(outcomes, { default: 'success' })),
    amount: Type.Optional(
      Type.String({ description: 'The amount of the transfer or coins; less than the amount due is underpaid.' }),
    ),
    payment_method: Type.Optional(Type.String({ maxLength: 32 })),
    products: Type.Optional(PickedProducts),
    customer_details: Type.Optional(CustomerDetails),
  },
  { $id: 'PayInSandbox' },
)
type PayBody = Static<typeof PayInSandbox>

/** How the outcome is produced: the corridor, the asset and, if the buyer decides it, the amount to send. */
export type Plan = {
  corridor: Corridor | null
  quote: Quote | null
  asset: CryptoAsset | null
  brings: Amount | 'all' | 'half' | null
}

/** The session with the buyer's pick: the product named in the call, else the first one. */
export function withPick(row: Checkout, { products }: PayBody): Checkout {
  const [first] = row.selection ?? []
  const amount = first?.suggested_amount ?? first?.minimum_amount ?? undefined
  const usual = first && { product_id: first.product_id, ...(first.price_type === 'custom' && amount && { amount }) }
  const lineItems = pickOf(row, products ?? (usual && !row.lineItems ? [usual] : undefined))
  return lineItems ? { ...row, lineItems, amount: amountDue(row, lineItems) } : row
}

/** Makes the plan before anything is stored, so that a call that cannot work changes nothing. */
export async function planOf({ rates }: Services, row: Checkout, body: PayBody): Promise<Plan> {
  if (isFreeSale(row)) return { corridor: null, quote: null, asset: null, brings: null }
  const { outcome = 'success', amount } = body
  const quote = await quoteFor(rates, row, pickCorridor(row, body))
  const { corridor } = quote
  if (isPaidByDeposit(corridor)) return { corridor, quote, ...planDeposit(row, quote, outcome, amount) }
  const error = (field: string, message: string) => ({ field, message, type: 'value_error' })
  const known = corridorOf(corridor).method === 'card' ? cards : phones
  assertValid([
    ...(amount !== undefined ? [error('amount', 'only a transfer or coins can bring another amount')] : []),
    ...(known[outcome]
      ? []
      : [error('outcome', `is not possible with ${corridor}: ${mustBeOneOf(Object.keys(known))}`)]),
  ])
  return { corridor, quote, asset: null, brings: null }
}

function planDeposit(row: Checkout, quote: Quote, outcome: string, amount: string | undefined) {
  if (outcome !== 'success' && outcome !== 'underpaid') {
    const possible = mustBeOneOf(['success', 'underpaid'])
    throw invalid('outcome', `is not possible with ${quote.corridor}: ${possible}`, 'value_error')
  }
  const brings = outcome === 'underpaid' ? ('half' as const) : ('all' as const)
  const { currency, method } = corridorOf(quote.corridor)
  if (method === 'crypto') {
    const assets = offeredAssets(row.methodOptions)
    const asset = assets.find((each) => each === 'USDT_TRC20') ?? assets[0]
    if (!asset) throw notAllowed('payment_method', corridorsFor(row))
    return { asset, brings: amount === undefined ? brings : parseCoins(amount, asset) }
  }
  if (amount !== undefined) return { asset: null, brings: parseAmount(amount, currency) }
  if (brings === 'half' && isZero(half(quote.customerPays, currency))) {
    throw invalid('outcome', 'is not possible for so small an amount', 'value_error')
  }
  return { asset: null, brings }
}

/**
 * The corridor named in the call, else the first one of the first currency that can produce the outcome. Crypto is used
 * only if it is named.
 */
function pickCorridor(row: Checkout, { payment_method: named, outcome, amount }: PayBody): Corridor {
  const all = corridorsFor(row)
  const offered = named ? all : all.filter((key) => corridorOf(key).currency === corridorOf(all[0] ?? key).currency)
  const needsDeposit = outcome === 'underpaid' || amount !== undefined
  const wanted = (key: Corridor) => (named ? key === named : isPaidByDeposit(key) === needsDeposit && key !== 'CRYPTO')
  const corridor = offered.find(wanted) ?? (named ? undefined : offered[0])
  if (!corridor) throw notAllowed('payment_method', all)
  return corridor
}

/**
 * The choice that a buyer would make. A sale can be paid without details of its buyer here; a card is saved for
 * somebody, so it needs them.
 */
export async function choiceOf(
  { rails }: Services,
  row: Checkout,
  { corridor, quote, asset }: Plan,
  body: PayBody,
  now: number,
): Promise<Choice> {
  assertOpen(row)
  if (row.setup && corridor) assertValid(validateDetails(row, body))
  const { outcome = 'success', customer_details: details } = body
  const lineItems = row.selection ? row.lineItems : null
  const customerDetails = details ? toDetails(details) : null
  const choice = { ...noChoice, corridor, ...(quote && toStored(quote)), asset, lineItems, customerDetails }
  if (!corridor) return choice
  const { method, currency } = corridorOf(corridor)
  const vault = rails.in('sandbox').vaultOf(corridor)
  if (method === 'card') {
    const exp_year = new Date(now).getUTCFullYear() + 3
    const number = cardThat(cards[outcome] ?? 'card_declined')
    return { ...choice, railToken: await vault.keepCard({ number, exp_month: 12, exp_year, cvc: '123' }) }
  }
  if (method !== 'mobile_money') return choice
  const number = `+${callingCodesOf(currency)[0]}24000000${phoneThat(phones[outcome] ?? 'succeeded')}`
  return { ...choice, provider: providersOf(currency)[0] ?? null, railToken: await vault.keepPhone(number) }
}

/**
 * Sends the deposit, if there is one, and waits for the rail's answer if that takes only seconds. On a test clock the
 * answer comes once the clock is advanced.
 */
export async function carryOutPlan(services: Services, plan: Plan, outcome: string, callId: string, now: number) {
  const reader = services.database.orm.em
  const { brings, corridor } = plan
  if (brings !== null) {
    const payment = await reader.fork().findOneOrFail(Payment, { id: callId })
    const amount = brings === 'half' ? halfOf(payment) : brings
    await depositInSandbox(services, callId, { callId, ...(amount !== 'all' && { amount }) }, now)
  }
  const { method = null } = corridor ? corridorOf(corridor) : {}
  const answersSoon = method === 'crypto' || (method === 'mobile_money' && outcome !== 'customer_timeout')
  if (answersSoon) await waitFor(reader, callId, isAnswered)
}

const isAnswered = ({ status, clockId }: Payment) => Boolean(clockId) || !isPending(status) || status === 'underpaid'

function halfOf({ amount, currency, nextAction }: Payment): Amount {
  if (nextAction?.type !== 'crypto_address') return half(amount, currency)
  return halfOfCoins(nextAction.amount, nextAction.asset)
}
