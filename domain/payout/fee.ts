import type { Currency } from '../currency.ts'
import { dayMs, hourMs } from '../duration.ts'
import { type Amount, format, isLess, lesser, subtract } from '../money.ts'
import type { DestinationType, PayoutCurrency } from './destination.ts'

/** The fee of a payout route (the first step whose `upTo` the amount does not exceed), and when its money arrives. */
type Route = { fee: { upTo: Amount | null; is: Amount }[]; fromMs: number; byMs: number }

const route = (fee: Amount | Route['fee'], fromMs: number, byMs: number): Route => ({
  fee:
    typeof fee === 'string'
      ? [
          {
            upTo: null,
            is: fee,
          },
        ]
      : fee,
  fromMs,
  byMs,
})

const toWallet = route('1.00', 0, hourMs)

/**
 * The fees of payouts, in the currency of the balance that pays: by the destination's type, its currency and, where it
 * has one, its scheme. Stablecoins are paid from dollars.
 */
const routes: Record<string, Route> = {
  'bank_account NGN': route(
    [
      { upTo: '50000', is: '25.00' },
      { upTo: null, is: '50.00' },
    ],
    0,
    hourMs,
  ),
  'bank_account GHS': route('8.00', 0, dayMs),
  'bank_account KES': route('50.00', 0, dayMs),
  'bank_account TZS': route('1500.00', 0, dayMs),
  'bank_account UGX': route('2500', 0, dayMs),
  'bank_account GBP': route('0.50', 0, dayMs),
  'bank_account EUR': route('0.50', 0, dayMs),
  'bank_account USD ach': route('0.00', dayMs, 3 * dayMs),
  'bank_account USD wire': route('25.00', 0, dayMs),
  'bank_account CAD eft': route('0.50', dayMs, 2 * dayMs),
  'bank_account CAD wire': route('20.00', 0, dayMs),
  'mobile_money GHS': route('2.00', 0, hourMs),
  'mobile_money KES': route('20.00', 0, hourMs),
  'mobile_money TZS': route('700.00', 0, hourMs),
  crypto_wallet: toWallet,
}

/** The fees of payouts from the USD balance in another currency, or in a stablecoin. */
const international: Record<DestinationType, Route> = {
  bank_account: route('5.00', dayMs, 3 * dayMs),
  mobile_money: route('2.00', 0, dayMs),
  crypto_wallet: toWallet,
}

/** The least that a payout may be, in the destination's currency; a dollar coin counts as a dollar. */
const minimums: Partial<Record<string, Amount>> = {
  NGN: '100',
  GHS: '5',
  KES: '50',
  TZS: '1000',
  UGX: '1000',
}

type Way = { type: DestinationType; currency: PayoutCurrency; scheme: string | null; sourceCurrency: Currency }

function routeOf({ type, currency, scheme, sourceCurrency }: Way): Route {
  if (sourceCurrency !== currency) return international[type]
  const known = routes[[type, currency, scheme].filter(Boolean).join(' ')]
  if (!known) throw new Error(`no rail pays to ${type} ${currency} ${scheme ?? ''}`)
  return known
}

/** The fee of a payout of this amount, which is debited on top, in the currency of its balance. */
export function feeOf(way: Way, amount: Amount): Amount {
  const step = routeOf(way).fee.find(({ upTo }) => upTo === null || !isLess(upTo, amount))
  return step?.is ?? '0'
}

/**
 * The highest payout for which the available money covers amount and fee; zero where the fee takes it all. Fees rise
 * with the amount, so where a step begins the result may be the upper end of the step before.
 */
export function mostPayable(way: Way, available: Amount): Amount {
  const amounts = routeOf(way).fee.map(({ upTo, is }) => {
    const left = subtract(available, is)
    return upTo === null ? left : lesser(left, upTo)
  })
  return format(
    amounts.reduce((most, amount) => (isLess(most, amount) ? amount : most), '0'),
    way.sourceCurrency,
  )
}

export const minimumOf = ({ currency }: Pick<Way, 'currency'>): Amount => minimums[currency] ?? '1'

export const arrivalOf = (way: Way): Pick<Route, 'fromMs' | 'byMs'> => routeOf(way)

/** The ways that have a price; test/payout/payout-terms.test.ts holds them against what destinations may be. */
export const pricedPayoutRoutes = Object.keys(routes)
