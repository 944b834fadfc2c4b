import { readLiveMethods } from '../../db/checkout/settings.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Environment } from '../../domain/access/scope.ts'
import {
  cardCorridors,
  type Corridor,
  corridorKeys,
  corridorOf,
  corridorsFor,
  type MethodOptions,
  offeredCorridors,
} from '../../domain/corridor.ts'
import { type Currency, knownCurrency } from '../../domain/currency.ts'
import { awaitsPick } from '../../domain/checkout/line-item.ts'
import { assertAvailable, nothingLeft } from '../../domain/checkout/method-settings.ts'
import { mayBeTooHigh } from '../../domain/balance/quote.ts'
import { isTransient, Refusal, unsupportedCurrency } from '../../domain/refusal.ts'
import { type Quotable, quoteFor } from './quotes.ts'
import type { Services } from '../http/services.ts'

/** The sale, before its payment methods are known. */
type Sold = Omit<Quotable, 'methodOptions' | 'billingCurrency' | 'feePreference'>
/** The same with who bears its fee, on which it depends whether enough is left for its split. */
type PricedSold = Sold & Pick<Quotable, 'feePreference'>
type Wish = { methodOptions: MethodOptions | null; billingCurrency: Currency | null }

/**
 * The payment methods that this account may use of those sent. Refused if none is left. The sandbox has all methods.
 */
export async function payableOptions(
  { em, services }: { em: EntityManager; services: Pick<Services, 'rails'> },
  caller: Tenant,
  { setup }: Pick<Sold, 'setup'>,
  options: MethodOptions | null,
) {
  const suited = setup ? cardCorridors : corridorKeys
  if (caller.environment === 'live') {
    const served = servedFor(services, { environment: 'live', setup })
    return assertAvailable(suited, options, await readLiveMethods(em, caller, served))
  }
  if (offeredCorridors(options).some((key) => suited.includes(key))) return options
  throw nothingLeft()
}

/** Whether an account may save a card alone now, by the rule that refuses a session for it. */
export async function maySaveCards(means: Parameters<typeof payableOptions>[0], caller: Tenant): Promise<boolean> {
  try {
    await payableOptions(means, caller, { setup: true }, null)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The corridors that a rail serves now for a sale, or for saving a card alone. */
export function servedFor({ rails }: Pick<Services, 'rails'>, { environment, setup }: Served): readonly Corridor[] {
  const { serves, savesCardsAlone } = rails.in(environment)
  return setup ? savesCardsAlone : serves
}

type Served = { environment: Environment; setup: boolean }

/** The currency that the buyer is to pay in. Refused if the service does not know it. */
export function billingCurrencyIn({ billing_currency: code = null }: { billing_currency?: string | null }) {
  return code === null ? null : knownCurrency(code, 'billing_currency')
}

/**
 * Refuses a billing currency that the buyer could not pay in, and a sale whose price rounds to zero, or is too high
 * with the fee on top, in every allowed currency. Its own currency is asked first and needs no rate, so that most sales
 * need none.
 */
export async function assertConverts(
  rates: Services['rates'],
  sold: PricedSold,
  wish: Wish,
  isFree: boolean,
): Promise<void> {
  const row: Quotable = { ...sold, ...wish }
  const offered = corridorsFor(row)
  const { billingCurrency } = wish
  if (billingCurrency !== null) {
    const wanted = offered.filter((key) => corridorOf(key).currency === billingCurrency)
    if (wanted.length === 0) throw notOffered(offered)
    if (!isFree && !(await anyPays(rates, row, wanted))) throw notPayableIn(billingCurrency)
  }
  const isOwn = offered.some((key) => corridorOf(key).currency === sold.currency)
  if (isFree || sold.setup || awaitsPick(sold)) return
  const mayBeTooMuch = sold.feePreference === 'customer_pays' && mayBeTooHigh(sold.amount, sold.currency)
  if (isOwn && !mayBeTooMuch) return
  if (!(await anyPays(rates, row, offered))) throw nothingLeft()
}

/** A billing currency that no payment method of the session takes. */
const notOffered = (offered: readonly Corridor[]) =>
  unsupportedCurrency(
    'billing_currency',
    [...new Set(offered.map((key) => corridorOf(key).currency))],
    ', which are the currencies of the session’s payment methods',
  )

/** A billing currency of which no payment method takes the amount. */
function notPayableIn(currency: Currency): Refusal {
  const message = `the amount cannot be paid in ${currency}`
  const entry = { field: 'billing_currency', message, type: 'value_error' }
  return new Refusal('CURRENCY_NOT_SUPPORTED', `billing_currency: ${message}`, [entry])
}

/**
 * Whether one of these corridors can take the amount. If none is known to, and a rate is missing, the refusal of that
 * rate is thrown: its corridor may take the amount later.
 */
async function anyPays(rates: Services['rates'], row: Quotable, keys: ReturnType<typeof corridorsFor>) {
  let withoutRate: Refusal | null = null
  for (const key of keys) {
    try {
      await quoteFor(rates, row, key)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (isTransient(error.code)) withoutRate ??= error
      else if (error.code !== 'PAYMENT_METHOD_NOT_ALLOWED') throw error
    }
  }
  if (withoutRate) throw withoutRate
  return false
}
