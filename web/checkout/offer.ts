import { isLess, isZero } from '../../domain/money.ts'
import type { Typed } from './form.ts'
import type { Session } from './screen.ts'
import { assetName, currencyName, methodName, providerName } from '../names.ts'
import { phoneCountriesOf } from './phone.ts'
import { figure, money } from '../words.ts'

type Offer = Session['payment_methods'][number]

/** What happens after a method is chosen. */
const hints: Record<string, string> = {
  card: 'You’ll review the total before paying.',
  bank_transfer: 'You’ll get an account number to send the money to from your bank’s app.',
  mobile_money: 'We’ll send a request to your phone. You approve it there.',
  crypto: 'You’ll get an address and a QR code to send the coins to from your wallet.',
}

/** The currencies to pay in, the sale's own first, and the methods of the currency that is shown. */
export function offersOf(session: Session, typed: Typed) {
  const { payment_methods: all, base_currency: base } = session
  const before = all.find((offer) => offer.payment_method === session.payment_method)
  const currencies = [...new Set(all.map(({ currency }) => currency))].toSorted(
    (left, right) => Number(right === base) - Number(left === base),
  )
  const isOffered = (code?: string): boolean => currencies.some((currency) => currency === code)
  const wanted = [typed['currency'], before?.currency, session.billing_currency].find((code) => isOffered(code))
  const shown = wanted ?? currencies[0] ?? base
  const offers = all.filter(({ currency }) => currency === shown)
  const [type] = (typed['method'] ?? '').split(':')
  const chosen =
    offers.find((offer) => valueOf(offer) === typed['method']) ??
    offers.find((offer) => offer.type === type) ?? // the same type in another currency
    offers.find((each) => each === before)
  return {
    currencies: currencies.map((code) => ({ code, name: currencyName(code), isShown: code === shown })),
    currency: shown,
    rate: rateWords(base, shown, offers[0]?.rate ?? null),
    price: priceOf(session, offers),
    offers: offers.map((offer) => toChoice(session, offer, { typed, isChosen: offer === (chosen ?? offers[0]) })),
  }
}

/**
 * The price before a method is chosen, in the shown currency: without the fee, and with the lowest fee of its methods.
 * Null until the buyer has picked a product.
 */
function priceOf({ setup }: Session, offers: Offer[]) {
  const [first] = offers
  const totals = offers.flatMap(({ total }) => total ?? [])
  if (setup || !first?.amount || totals.length === 0) return null
  const least = totals.reduce((low, total) => (isLess(total, low) ? total : low))
  const isSame = totals.every((total) => total === least)
  const { currency, amount } = first
  return { currency, amount, least, isSame, fee: isSame ? first.fee : null }
}

const valueOf = ({ type, payment_method }: Offer): string => `${type}:${payment_method}`

const toChoice = ({ setup }: Session, offer: Offer, { typed, isChosen }: { typed: Typed; isChosen: boolean }) => ({
  id: `method-${offer.payment_method}`,
  value: valueOf(offer),
  type: offer.type,
  name: methodName(offer.type),
  total: offer.total && !setup && money(offer.total, offer.currency),
  fee: offer.fee && feeWords(offer.fee, offer.currency),
  hint: hints[offer.type] ?? '',
  providers: offer.providers.map((code) => ({ code, name: providerName(code) })),
  countries: offer.type === 'mobile_money' ? phoneCountriesOf(offer.currency, typed['country']) : [],
  assets: offer.assets.map((code) => ({ code, name: assetName(code) })),
  isChosen,
})

const feeWords = (fee: string, currency: string): string =>
  isZero(fee) ? 'no fee' : `includes a fee of ${money(fee, currency)}`

/** `1 USD = 1,600 NGN`; null without a conversion. */
export const rateWords = (from: string, to: string, rate: string | null): string | null =>
  rate === null || from === to ? null : `1\u00a0${from} = ${figure(rate)}\u00a0${to}`
