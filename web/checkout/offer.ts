import { readableRate } from '../../domain/balance/exchange.ts'
import { isLess, isZero } from '../../domain/money.ts'
import { cardFrameId, frameOf } from './card-frame.ts'
import type { Typed } from './form.ts'
import type { Session } from './screen.ts'
import type { Language } from '../language.ts'
import { cardMark, cardMarks, coinMarks, type Mark, providerMarks } from './marks.ts'
import { assetName, cardName, isMethodType, providerName } from '../names.ts'
import { phoneCountriesOf } from './phone.ts'

type Offer = Session['payment_methods'][number]
type Saved = Session['saved_payment_methods'][number]

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
  const saved = session.saved_payment_methods.flatMap((card) =>
    offers.filter((offer) => offer.payment_method === card.payment_method).map((offer) => ({ card, offer })),
  )
  const [type] = (typed['method'] ?? '').split(':')
  const chosen =
    [...saved.map(savedValueOf), ...offers.map(valueOf)].find((value) => value === typed['method']) ??
    offers.filter((offer) => offer.type === type).map(valueOf)[0] ?? // the same type in another currency
    (saved.length > 0 ? null : offers.filter((each) => each === before).map(valueOf)[0]) ??
    [...saved.map(savedValueOf), ...offers.map(valueOf)][0]
  const shape = { typed, language, chosen: chosen ?? '', hasSaved: saved.length > 0 }
  return {
    currencies: currencies.map((code) => ({ code, name: language.currencyName(code), isShown: code === shown })),
    currency: shown,
    rate: rateWords(language, { from: base, to: shown, rate: offers[0]?.rate ?? null }),
    price: priceOf(session, offers),
    offers: [
      ...saved.map((each) => toSavedChoice(session, each, shape)),
      ...offers.map((offer) => toChoice(session, offer, shape)),
    ],
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

type SavedOffer = { card: Saved; offer: Offer }
/** `saved:pm_…:USD_CARD`: the last part is the corridor, as in the values of the other methods. */
const savedValueOf = ({ card: { payment_method_id: id }, offer: { payment_method: corridor } }: SavedOffer): string =>
  `saved:${id}:${corridor}`

/** `chosen` is the value of the chosen method; `hasSaved`: whether saved cards stand above the methods. */
type Shown = { typed: Typed; language: Language; chosen: string; hasSaved: boolean }

/** A saved card of the customer: its brand and last digits, and when it expires. Its security code is asked for. */
function toSavedChoice(session: Session, saved: SavedOffer, shown: Shown) {
  const { card, payment_method_id: id } = saved.card
  const { say } = shown.language
  const value = savedValueOf(saved)
  const mark = cardMark(card.brand)
  const expires = `${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year).slice(-2)}`
  return {
    ...toChoice(session, saved.offer, shown),
    id: `method-${id}`,
    value,
    type: 'saved',
    frame: frameOf(saved.offer, 'code', { value, id: `cvc_${id}`, title: say('card.code'), language: shown.language }),
    name: cardName(card.brand, card.last4, say('method.card')),
    expires: say('saved.expires', { date: expires }),
    mark,
    marks: [],
    field: `cvc_${id}`,
    hint: say(atOnceOf(session, saved.offer) ? 'hint.card.now' : 'hint.card'),
    atOnce: atOnceOf(session, saved.offer, value),
    isChosen: value === shown.chosen,
  }
}

function toChoice(session: Session, offer: Offer, { typed, language, chosen, hasSaved }: Shown) {
  const { type, currency } = offer
  const { say, money } = language
  return {
    id: `method-${offer.payment_method}`,
    value: valueOf(offer),
    type,
    name: hasSaved && type === 'card' ? say('method.other.card') : methodName(language, type),
    /** Of a saved card: when it expires, its mark, and the name of the field for its security code. */
    expires: null as string | null,
    mark: null as Mark | null,
    field: null as string | null,
    total: offer.total && !session.setup && money(offer.total, currency),
    /** Null without a fee. */
    fee: offer.fee && !isZero(offer.fee) ? money(offer.fee, currency) : null,
    hint: hintOf(session, offer, language),
    button: buttonOf(session, offer, language),
    atOnce: atOnceOf(session, offer),
    providers: offer.providers.map((code) => ({ code, name: providerName(code) })),
    countries: phoneCountriesOf(offer.calling_codes, typed['country'], language),
    assets: offer.assets.map((code) => ({ code, name: assetName(code, say) })),
    marks: marksOf(offer),
    frame: frameOf(offer, 'card', { value: valueOf(offer), id: cardFrameId, title: say('method.card'), language }),
    isElsewhere: offer.card_entry === 'page',
    isChosen: valueOf(offer) === chosen,
  }
}

/** What follows the press of the button; nothing where the card is entered elsewhere, as its own words say that. */
function hintOf(session: Session, offer: Offer, { say }: Language): string {
  const { type, card_entry: entry } = offer
  if (!isMethodType(type) || entry === 'page') return ''
  return say(type === 'card' && atOnceOf(session, offer) ? 'hint.card.now' : `hint.${type}`)
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
export function atOnceOf(session: Session, offer: Offer, value = valueOf(offer)): string | null {
  const { setup, recurring, saves_card, selection, base_currency: base } = session
  if (offer.type !== 'card' || setup || recurring || saves_card || selection) return null
  const isPlain = offer.currency === base && offer.fee !== null && isZero(offer.fee)
  return isPlain && offer.total !== null ? `${value} ${offer.total}` : null
}

/** All that one press pays, with its price: cards that are typed, and saved ones. */
export const allAtOnce = (session: Session): string[] =>
  session.payment_methods.flatMap((offer) => [
    ...[atOnceOf(session, offer)].flatMap((value) => value ?? []),
    ...session.saved_payment_methods
      .filter((card) => card.payment_method === offer.payment_method)
      .flatMap((card) => atOnceOf(session, offer, savedValueOf({ card, offer })) ?? []),
  ])

/** What the button says for a method: its total, if the press pays or orders; null if a page comes in between. */
function buttonOf(session: Session, offer: Offer, { say, money }: Language): string | null {
  const { setup, recurring, selection } = session
  if (setup || recurring || selection || offer.total === null) return null
  if (offer.type === 'card' && !atOnceOf(session, offer)) return say('continue')
  const label = offer.card_entry === 'page' ? 'button.go' : 'button.pay'
  return say(label, { amount: money(offer.total, offer.currency) })
}

type Rate = { from: string; to: string; rate: string | null }

/** `1 USD = 1,600 NGN`, and `1 CAD ≈ 109.489 JPY` of a rate with more digits; null without a conversion. */
export function rateWords({ figure }: Language, { from, to, rate }: Rate): string | null {
  if (rate === null || from === to) return null
  const { rate: short, isExact } = readableRate(rate)
  return `1\u00a0${from} ${isExact ? '=' : '≈'} ${figure(short)}\u00a0${to}`
}
