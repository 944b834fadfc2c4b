import { corridorOf, isCorridor } from '../../domain/corridor.ts'
import { cheapestOf } from '../../domain/checkout/line-item.ts'
import { format, isLess, isZero, subtract } from '../../domain/money.ts'
import { uploadPath, webAddress } from '../address.ts'
import { brandOf } from './brand.ts'
import { endOf } from './ended.ts'
import type { Typed } from './form.ts'
import { offersOf, rateWords } from './offer.ts'
import type { Screen, Session } from './screen.ts'
import type { Language, Reader } from '../language.ts'
import { rhythmWords, termsOf } from './terms.ts'
import { assetName, coinOf, networkName, paidWithName, providerName } from '../names.ts'
import { qrOf } from '../qr.ts'
import type { WordKey } from '../words/catalogues.ts'

/** The values that the templates show, prepared here so that the templates contain no logic. */
export function factsOf(current: Session, screen: Screen, typed: Typed, { language, mark }: Reader) {
  const session = screen === 'choose' ? withoutPick(current) : current
  const { base_amount: amount, selection, payment_status: paymentStatus, payment_method: method } = session
  const isUnpicked = selection !== null && session.products === null
  const offered = offersOf(session, typed, language)
  const isChosen = screen !== 'choose' && session.total !== null
  const isFree = !isUnpicked && !session.setup && isZero(amount)
  // A free product is taken without a payment method.
  const mayPickFree = selection !== null && isZero(cheapestOf(selection))
  const paid = paidOf(session, language)
  const due = dueOf(session, isChosen, screen === 'choose' ? offered.price : null)
  return {
    session,
    /** The amount for a sentence or a button, and the same with the code of its currency. */
    sum: language.money(...due),
    due: language.codedMoney(...due),
    mark,
    isFree,
    isUnpicked,
    isSetup: session.setup,
    description: describedIn(session, language),
    isUnpayable: session.payment_methods.length === 0 && !isFree && !mayPickFree,
    terms: termsOf(session, screen, language),
    heading: language.say(headingOf(session, isUnpicked, isFree)),
    button: buttonOf(session, isFree, offered.offers, language),
    isTest: session.environment === 'sandbox',
    isOther: screen === 'choose' && paymentStatus.startsWith('requires_') && method !== null,
    ...offered,
    bill:
      isFree || session.setup
        ? noBill
        : isChosen
          ? billOf(session, language)
          : screen === 'choose'
            ? estimateOf(session, offered, language)
            : noBill,
    picks: picksOf(current, typed, language),
    images: imagesOf(session),
    ...brandOf(session.merchant),
    expires: language.moment(session.expires_at),
    ...paid,
    ...actionOf(session, language),
    ...elsewhereOf(session, language),
    ...endOf(session, paid.missing, language),
    successUrl: webAddress(session.success_url),
    cancelUrl: session.cancel_url && webAddress(session.cancel_url),
  }
}

/**
 * The session as it is before its buyer picks a product. Its form shows it so after a pick too, as the buyer may pick
 * another one there: the price, the fee and the terms of the pick before would not be those of the payment. Its payment
 * methods stay those that can pay the pick before.
 */
function withoutPick(session: Session): Session {
  if (session.selection === null) return session
  const unpriced = session.payment_methods.map((offer) => ({ ...offer, amount: null, fee: null, total: null }))
  return { ...session, products: null, payment_methods: unpriced }
}

/** What is paid for. The API names an invoice in English, and a page in the reader's language. */
function describedIn({ description }: Session, { say }: Language): string | null {
  const number = /^Invoice (INV-\d+)$/.exec(description ?? '')?.[1]
  return number === undefined ? description : say('invoice.heading', { number })
}

/** The heading of the form: what the buyer is about to do. */
function headingOf({ recurring, setup }: Session, isUnpicked: boolean, isFree: boolean): WordKey {
  if (recurring && recurring.trial_days > 0) return 'heading.trial'
  if (isUnpicked) return recurring ? 'heading.plan' : 'heading.pick'
  if (setup) return 'heading.save'
  if (isFree) return recurring ? 'heading.subscription' : 'heading.order'
  return 'heading.pay'
}

type Offered = ReturnType<typeof offersOf>

/**
 * The words of the button of the form: what the press pays, if that is the same for all methods. Otherwise the script
 * writes what the chosen one costs. A subscription that costs something is confirmed on the next page.
 */
function buttonOf({ recurring, setup }: Session, isFree: boolean, offers: Offered['offers'], { say }: Language) {
  if (recurring) return say(isFree ? trialOr(recurring) : 'continue')
  if (setup) return say('button.save')
  if (isFree) return say('button.complete')
  const [label = null, ...others] = new Set(offers.map(({ button }) => button))
  return label !== null && others.length === 0 ? label : say('continue')
}

const trialOr = ({ trial_days: days }: NonNullable<Session['recurring']>): WordKey =>
  days > 0 ? 'button.trial' : 'button.subscribe'

/** What is due, with its currency: after a choice its total, before it the price in the currency that is shown. */
function dueOf(session: Session, isChosen: boolean, price: Offered['price']): [string, string] {
  if (isChosen) return [session.total ?? '0', session.currency]
  return price ? [price.amount, price.currency] : [session.base_amount, session.base_currency]
}

type Bill = { lines: { label: string; value: string }[]; total: string | null }
const noBill: Bill = { lines: [], total: null }

/** The lines of the bill for the chosen method. */
function billOf(
  { products, base_amount: base, base_currency: from, fee, total, ...session }: Session,
  language: Language,
): Bill {
  const { say, money, codedMoney } = language
  const { currency } = session
  const rate = rateWords(language, { from, to: currency, rate: session.rate })
  const hasFee = fee !== null && !isZero(fee)
  const hasParts = rate !== null || hasFee || (products?.length ?? 0) > 1
  const lines = [
    ...(hasParts ? [{ label: say('subtotal'), value: money(base, from) }] : []),
    ...(rate ? [{ label: say('at.rate', { rate }), value: money(session.amount, currency) }] : []),
    ...(hasFee ? [{ label: say('fee'), value: money(fee, currency) }] : []),
  ]
  return { lines, total: codedMoney(total ?? base, currency) }
}

/** The lines of the bill before a method is chosen, as far as known; none if the price above is complete. */
function estimateOf(
  { products, base_amount: base, base_currency: from }: Session,
  { price, rate }: Offered,
  language: Language,
): Bill {
  const { say, money, codedMoney } = language
  if (!price) return noBill
  const { currency, amount, least, isSame, fee } = price
  const hasFee = fee === null || !isZero(fee)
  if (!hasFee && rate === null && (products?.length ?? 0) <= 1) return noBill
  const lines = [
    ...(hasFee || rate !== null ? [{ label: say('subtotal'), value: money(base, from) }] : []),
    ...(rate ? [{ label: say('at.rate', { rate }), value: money(amount, currency) }] : []),
    ...(hasFee ? [{ label: say('fee'), value: fee === null ? say('fee.depends') : money(fee, currency) }] : []),
  ]
  const total = codedMoney(least, currency)
  return { lines, total: isSame ? total : say('total.from', { amount: total }) }
}

/** The state of the payment: the method, the amount received, and the missing amount or surplus. */
function paidOf({ total, amount_received, ...session }: Session, { say, moment }: Language) {
  const corridor = session.payment_method ?? ''
  const type = isCorridor(corridor) ? corridorOf(corridor).method : ''
  const received = amount_received !== null && !isZero(amount_received) ? amount_received : null
  const difference = (more: string, less: string) => format(subtract(more, less), session.currency)
  return {
    methodType: type,
    methodName: paidWithName(type, session.paid_with, say),
    paidAt: session.completed_at && moment(session.completed_at),
    received,
    missing: received && total && isLess(received, total) ? difference(total, received) : null,
    surplus: received && total && isLess(total, received) ? difference(received, total) : null,
  }
}

/** The next action of the buyer, with names for codes, and a QR code for an address. */
function actionOf({ next_action: action }: Session, { say, moment }: Language) {
  if (!action) return { action: null }
  const deadline = 'expires_at' in action ? { expires: moment(action.expires_at) } : {}
  const provider = 'provider' in action ? { providerName: providerName(action.provider) } : {}
  if (action.type !== 'crypto_address') return { action: { ...action, ...deadline, ...provider } }
  const { asset, network, address } = action
  const names = { coin: coinOf(asset), assetName: assetName(asset, say), networkName: networkName(network) }
  return { action: { ...action, ...deadline, ...names, qr: qrOf(address) } }
}

/**
 * What is said on the way to a page elsewhere: where the card is entered, that of a wallet, or that of the bank; and
 * whether that page sends the buyer back here.
 */
const redirects = {
  card: { title: 'redirect.card', wait: 'redirect.card.wait', how: 'redirect.card.how', leadsBack: true },
  wallet: { title: 'redirect.wallet', wait: 'processing.phone', how: 'redirect.wallet.how', leadsBack: false },
  bank: { title: 'redirect.title', wait: 'redirect.wait', how: 'redirect.how', leadsBack: true },
} as const

/** Whether the chosen card is entered on the provider's own page, and what leads to a page that is elsewhere. */
function elsewhereOf({ payment_methods: offers, payment_method: chosen }: Session, { say }: Language) {
  const offer = offers.find(({ payment_method: method }) => method === chosen)
  const entersCardThere = offer?.card_entry === 'page'
  const { leadsBack, ...words } = redirects[entersCardThere ? 'card' : isOfWallet(chosen) ? 'wallet' : 'bank']
  const [title, wait, how] = [say(words.title), say(words.wait), say(words.how)]
  return { entersCardThere, redirect: { title, wait, how, leadsBack } }
}

const isOfWallet = (method: string | null): boolean =>
  method !== null && isCorridor(method) && corridorOf(method).method === 'mobile_money'

/** The products to pick from, each with its form value and the name of its amount field. */
function picksOf({ selection, products }: Session, typed: Typed, language: Language) {
  const before = products?.[0]
  return (selection ?? []).map((each) => {
    const isCustom = each.price_type === 'custom'
    const isFree = each.unit_amount !== null && isZero(each.unit_amount)
    const kind = isFree ? 'free:' : ''
    const value = `${isCustom ? 'custom:' : kind}${each.product_id}`
    const field = `amount_${each.product_id}`
    const isBefore = before?.product_id === each.product_id
    return {
      ...each,
      value,
      field,
      isCustom,
      isFree,
      each: each.recurring ? rhythmWords(language, each.recurring) : null,
      bounds: boundsWords(language, each),
      isChosen: typed['product'] === undefined ? isBefore : typed['product'] === value,
      amount: typed[field] ?? (isBefore ? before.unit_amount : (each.suggested_amount ?? '')),
    }
  })
}

type Bounds = { currency: string; minimum_amount: string | null; maximum_amount: string | null }

/** What a buyer may pay for a product: `From $3.00 to $50.00.` */
function boundsWords({ say, money }: Language, { currency, minimum_amount, maximum_amount }: Bounds): string {
  const low = minimum_amount && money(minimum_amount, currency)
  const high = maximum_amount && money(maximum_amount, currency)
  if (low && high) return say('amount.between', { low, high })
  return low ? say('amount.least', { low }) : high ? say('amount.most', { high }) : ''
}

/** The addresses of the images, relative to the host of the page, which also serves the uploads. */
const imagesOf = ({ product_images: images }: Session): Record<string, string> =>
  Object.fromEntries(images.map(({ product_id, url }) => [product_id, uploadPath(url)]))
