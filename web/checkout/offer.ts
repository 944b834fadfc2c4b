import { isLess, isZero } from '../../domain/money.ts'
import type { Typed } from './form.ts'
import type { Session } from './screen.ts'
import type { Language } from '../language.ts'
import { cardMarks, coinMarks, type Mark, providerMarks } from './marks.ts'
import { assetName, isMethodType, providerName } from '../names.ts'
import { phoneCountriesOf } from './phone.ts'

type Offer = Session['payment_methods'][number]

/** The currencies to pay in, the sale's own first, and the methods of the currency that is shown. */
export function offersOf(session: Session, typed: Typed, language: Language) {
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
    currencies: currencies.map((code) => ({ code, name: language.currencyName(code), isShown: code === shown })),
    currency: shown,
    rate: rateWords(language, { from: base, to: shown, rate: offers[0]?.rate ?? null }),
    price: priceOf(session, offers),
    offers: offers.map((offer) =>
      toChoice(session, offer, { typed, language, isChosen: offer === (chosen ?? offers[0]) }),
    ),
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

type Shown = { typed: Typed; language: Language; isChosen: boolean }

function toChoice(session: Session, offer: Offer, { typed, language, isChosen }: Shown) {
  const { type, currency } = offer
  const { say, money } = language
  return {
    id: `method-${offer.payment_method}`,
    value: valueOf(offer),
    type,
    name: methodName(language, type),
    total: offer.total && !session.setup && money(offer.total, currency),
    /** Null without a fee. */
    fee: offer.fee && !isZero(offer.fee) ? money(offer.fee, currency) : null,
    hint: isMethodType(type) ? say(type === 'card' && atOnceOf(session, offer) ? 'hint.card.now' : `hint.${type}`) : '',
    button: buttonOf(session, offer, language),
    atOnce: atOnceOf(session, offer),
    providers: offer.providers.map((code) => ({ code, name: providerName(code) })),
    countries: type === 'mobile_money' ? phoneCountriesOf(currency, typed['country'], language) : [],
    assets: offer.assets.map((code) => ({ code, name: assetName(code, say) })),
    marks: marksOf(offer),
    isChosen,
  }
}

/** The marks of what a method is paid with: brands of cards, wallets or coins. */
function marksOf({ type, providers, assets }: Offer): readonly Mark[] {
  if (type === 'card') return cardMarks
  return type === 'crypto' ? coinMarks(assets) : providerMarks(providers)
}

/** The name of a payment method. A method without a name is shown by its code. */
export const methodName = ({ say }: Language, type: string): string =>
  isMethodType(type) ? say(`method.${type}`) : type

/**
 * The card and its price, where one press pays: the page shows what will be charged, and nothing else has to be agreed
 * to. Null for all else. The form sends it back, so that a price that has changed since is shown before it is charged.
 */
export function atOnceOf(session: Session, offer: Offer): string | null {
  const { setup, recurring, saves_card, selection, base_currency: base } = session
  if (offer.type !== 'card' || setup || recurring || saves_card || selection) return null
  const isPlain = offer.currency === base && offer.fee !== null && isZero(offer.fee)
  return isPlain && offer.total !== null ? `${valueOf(offer)} ${offer.total}` : null
}

/** What the button says for a method: its total, if the press pays or orders; null if a page comes in between. */
function buttonOf(session: Session, offer: Offer, { say, money }: Language): string | null {
  const { setup, recurring, selection } = session
  if (setup || recurring || selection || offer.total === null) return null
  if (offer.type === 'card' && !atOnceOf(session, offer)) return say('continue')
  return say('button.pay', { amount: money(offer.total, offer.currency) })
}

type Rate = { from: string; to: string; rate: string | null }

/** `1 USD = 1,600 NGN`; null without a conversion. */
export const rateWords = ({ figure }: Language, { from, to, rate }: Rate): string | null =>
  rate === null || from === to ? null : `1\u00a0${from} = ${figure(rate)}\u00a0${to}`
