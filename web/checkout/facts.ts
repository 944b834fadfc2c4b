import { corridorOf, isCorridor } from '../../domain/corridor.ts'
import { format, isLess, isZero, subtract } from '../../domain/money.ts'
import type { Typed } from './form.ts'
import { offersOf, rateWords } from './offer.ts'
import type { Screen, Session } from './screen.ts'
import { rhythmWords, termsOf } from './terms.ts'
import { assetName, coinOf, networkName, paidWithName, providerName } from '../names.ts'
import { qrOf } from '../qr.ts'
import { money, moment } from '../words.ts'

/** The values that the templates show, prepared here so that the templates contain no logic. */
export function factsOf(session: Session, screen: Screen, typed: Typed, now: number) {
  const { base_amount: amount, selection, payment_status: paymentStatus, payment_method: method } = session
  const isUnpicked = selection !== null && session.products === null
  const offered = offersOf(session, typed)
  const isChosen = screen !== 'choose' && session.total !== null
  const isFree = !isUnpicked && !session.setup && isZero(amount)
  return {
    due: isChosen ? money(session.total ?? '0', session.currency) : priceWords(session, screen, offered.price),
    isFree,
    isUnpicked,
    isSetup: session.setup,
    // Before the buyer has picked a product, the selection may be free and need no payment method.
    isUnpayable: session.payment_methods.length === 0 && (session.setup || (!isFree && !isUnpicked)),
    terms: termsOf(session, screen, now),
    heading: headingOf(session, isUnpicked, isFree),
    button: buttonOf(session, isFree),
    isTest: session.environment === 'sandbox',
    isOther: screen === 'choose' && paymentStatus.startsWith('requires_') && method !== null,
    ...offered,
    bill:
      isFree || session.setup
        ? noBill
        : isChosen
          ? billOf(session)
          : screen === 'choose'
            ? estimateOf(session, offered)
            : noBill,
    picks: picksOf(session, typed),
    images: imagesOf(session),
    logo: session.merchant.logo_url && pathOf(session.merchant.logo_url),
    expires: moment(session.expires_at),
    ...paidOf(session),
    ...actionOf(session),
    successUrl: absolute(session.success_url),
    cancelUrl: absolute(session.cancel_url),
  }
}

/** The heading of the form: what the buyer is about to do. */
function headingOf({ recurring, setup }: Session, isUnpicked: boolean, isFree: boolean): string {
  if (recurring && recurring.trial_days > 0) return 'Start your trial'
  if (isUnpicked) return recurring ? 'Choose your plan' : 'Choose and pay'
  if (setup) return 'Save your card'
  if (isFree) return recurring ? 'Start your subscription' : 'Complete your order'
  return 'How would you like to pay?'
}

/** The words of the button of the form. A subscription that costs something is confirmed on the next page. */
function buttonOf({ recurring, setup }: Session, isFree: boolean): string {
  if (recurring) return isFree ? (recurring.trial_days > 0 ? 'Start trial' : 'Subscribe') : 'Continue'
  return setup ? 'Save card' : isFree ? 'Complete' : 'Continue'
}

type Offered = ReturnType<typeof offersOf>

/** The price before a method is chosen, in the currency of the payment. */
const priceWords = (session: Session, screen: Screen, price: Offered['price']): string =>
  price && screen === 'choose' ? money(price.amount, price.currency) : money(session.base_amount, session.base_currency)

type Bill = { lines: { label: string; value: string }[]; total: string | null }
const noBill: Bill = { lines: [], total: null }

/** The lines of the bill for the chosen method. */
function billOf({ products, base_amount: base, base_currency: from, fee, total, ...session }: Session): Bill {
  const { currency } = session
  const rate = rateWords(from, currency, session.rate)
  const hasFee = fee !== null && !isZero(fee)
  const hasParts = rate !== null || hasFee || (products?.length ?? 0) > 1
  const lines = [
    ...(hasParts ? [{ label: 'Subtotal', value: money(base, from) }] : []),
    ...(rate ? [{ label: `At ${rate}`, value: money(session.amount, currency) }] : []),
    ...(hasFee ? [{ label: 'Fee', value: money(fee, currency) }] : []),
  ]
  return { lines, total: money(total ?? base, currency) }
}

/** The lines of the bill before a method is chosen, as far as known; none if the price above is complete. */
function estimateOf({ products, base_amount: base, base_currency: from }: Session, { price, rate }: Offered): Bill {
  if (!price) return noBill
  const { currency, amount, least, isSame, fee } = price
  const hasFee = fee === null || !isZero(fee)
  if (!hasFee && rate === null && (products?.length ?? 0) <= 1) return noBill
  const lines = [
    ...(hasFee || rate !== null ? [{ label: 'Subtotal', value: money(base, from) }] : []),
    ...(rate ? [{ label: `At ${rate}`, value: money(amount, currency) }] : []),
    ...(hasFee ? [{ label: 'Fee', value: fee === null ? 'depends on payment method' : money(fee, currency) }] : []),
  ]
  return { lines, total: isSame ? money(least, currency) : `from ${money(least, currency)}` }
}

/** The state of the payment: the method, the amount received, and the missing amount or surplus. */
function paidOf({ total, amount_received, ...session }: Session) {
  const corridor = session.payment_method ?? ''
  const type = isCorridor(corridor) ? corridorOf(corridor).method : ''
  const received = amount_received !== null && !isZero(amount_received) ? amount_received : null
  const difference = (more: string, less: string) => format(subtract(more, less), session.currency)
  return {
    methodType: type,
    methodName: paidWithName(type, session.paid_with),
    paidAt: session.completed_at && moment(session.completed_at),
    received,
    missing: received && total && isLess(received, total) ? difference(total, received) : null,
    surplus: received && total && isLess(total, received) ? difference(received, total) : null,
  }
}

/** The next action of the buyer, with names for codes, and a QR code for an address. */
function actionOf({ next_action: action }: Session) {
  if (!action) return { action: null }
  const deadline = 'expires_at' in action ? { expires: moment(action.expires_at) } : {}
  const provider = 'provider' in action ? { providerName: providerName(action.provider) } : {}
  if (action.type !== 'crypto_address') return { action: { ...action, ...deadline, ...provider } }
  const { asset, network, address } = action
  const names = { coin: coinOf(asset), assetName: assetName(asset), networkName: networkName(network) }
  return { action: { ...action, ...deadline, ...names, qr: qrOf(address) } }
}

/** The products to pick from, each with its form value and the name of its amount field. */
function picksOf({ selection, products }: Session, typed: Typed) {
  const before = products?.[0]
  return (selection ?? []).map((each) => {
    const isCustom = each.price_type === 'custom'
    const isFree = each.unit_amount !== null && isZero(each.unit_amount)
    const value = `${isCustom ? 'custom:' : isFree ? 'free:' : ''}${each.product_id}`
    const field = `amount_${each.product_id}`
    const isBefore = before?.product_id === each.product_id
    return {
      ...each,
      value,
      field,
      isCustom,
      isFree,
      each: each.recurring ? rhythmWords(each.recurring) : null,
      isChosen: typed['product'] === undefined ? isBefore : typed['product'] === value,
      amount: typed[field] ?? (isBefore ? before.unit_amount : (each.suggested_amount ?? '')),
    }
  })
}

/** The addresses of the images, relative to the host of the page, which also serves the uploads. */
const imagesOf = ({ product_images: images }: Session): Record<string, string> =>
  Object.fromEntries(images.map(({ product_id, url }) => [product_id, pathOf(url)]))

const pathOf = (address: string): string => new URL(address, 'http://localhost').pathname

/** A merchant's URL, encoded for headers and links; null if it is no http(s) URL. */
function absolute(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
