import type { Static } from 'typebox'
import type { CheckoutStatus } from '../../domain/checkout/checkout.ts'
import { type LinkState, stateOf } from '../../domain/checkout/payment-link.ts'
import { isOneOf, recordOf } from '../../domain/narrow.ts'
import { methods } from '../../domain/corridor.ts'
import type { Checkout } from '../../schemas/checkout/checkout.ts'
import type { PaymentLink } from '../../schemas/checkout/payment-link.ts'
import { methodName } from '../names.ts'
import { figure, money, timeOf } from '../words.ts'
import type { Fact } from './dashboard-lists.ts'
import { priceWords } from './product-words.ts'

export type ShownLink = Static<typeof PaymentLink>
export type ShownSession = Static<typeof Checkout>

const linkStateNames: Record<LinkState, string> = {
  open: 'On',
  inactive: 'Off',
  expired: 'Expired',
  completed: 'Sold out',
}

/** How a link stands at `now`, in ms since the epoch. */
export function linkState(link: ShownLink, now: number) {
  const { active, expires_at: expires, max_completions: maxCompletions, completed_count: completedCount } = link
  const state = stateOf({ active, expiresAt: expires ? new Date(expires) : null, maxCompletions, completedCount }, now)
  return { words: linkStateNames[state], isActive: state === 'open', isLate: false }
}

const count = (number: number, unit: string): string => `${figure(String(number))} ${unit}${number === 1 ? '' : 's'}`

/** What a link sells, in a few words. */
export function soldBy({ price, product_cart: cart, product_group_id: group }: ShownLink): string {
  if (group !== null) return 'One product of a group'
  if (cart) return count(cart.length, 'product')
  return price ? priceWords(price) : ''
}

const salesOf = ({ completed_count: sold, max_completions: most }: ShownLink): string =>
  most === null ? figure(String(sold)) : `${figure(String(sold))} of ${figure(String(most))}`

export const linkRow = (link: ShownLink, now: number) => ({
  title: link.name,
  state: linkState(link, now),
  sells: soldBy(link),
  sales: salesOf(link),
  expires: timeOf(link.expires_at),
  created: timeOf(link.created_at),
})

/** The payment methods of a link, as the form has them: their names in order, with commas. Empty: all of them. */
export const methodsOf = ({ payment_method_options: options }: ShownLink): string =>
  methods.filter((method) => options && Object.hasOwn(options, method)).join(',')

const methodWords = ({ payment_method_options: options }: ShownLink): string =>
  Object.entries(options ?? {})
    .map(([method, { currencies }]) =>
      currencies ? `${methodName(method)} (${currencies.join(', ')})` : methodName(method),
    )
    .join(', ')

/** What a link is, in the order of the question: what it sells, to how many, until when, and what follows a sale. */
export function linkFacts(link: ShownLink, home: string): Fact[] {
  const { transfer_data: share, platform_fee: fee, price } = link
  const currency = price?.currency
  const amount = (text: string): string => (currency ? money(text, currency) : text)
  return [
    ['Id', link.payment_link_id],
    ['Sells', soldBy(link)],
    ['Sold so far', salesOf(link)],
    ['Expires', timeOf(link.expires_at)],
    ['Payment methods', methodWords(link) || 'All that your account has'],
    ['Buyers become customers', link.customer_creation === 'always' ? 'Always' : 'Only where it is needed'],
    ['Buyers go on to', link.success_url],
    ['When it sells nothing, visitors read', link.inactive_message ?? 'Our own text'],
    ['Platform fee of each sale', fee && amount(fee)],
    ['Share of each sale', share && amount(share.amount), `${home}/accounts/${share?.destination}`],
    ['Created', timeOf(link.created_at)],
    ['Changed', link.updated_at === link.created_at ? null : timeOf(link.updated_at)],
    ...Object.entries(link.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}

const sessionStatusNames: Record<CheckoutStatus, string> = {
  open: 'Open',
  completed: 'Paid',
  expired: 'Expired',
  cancelled: 'Canceled',
}

/** A session of a link: it leads to its payment, or to its timeline where there is none. */
export const sessionRow = (session: ShownSession, home: string) => ({
  link: session.charge ? `${home}/payments/${session.charge.payment_id}` : `${home}/timelines/${session.checkout_id}`,
  title: session.session_mode === 'SELECTION' && session.status === 'open' ? 'Not chosen yet' : amountOf(session),
  status: sessionStatusNames[session.status],
  isActive: session.status === 'completed',
  buyer: session.customer_details?.name ?? session.customer_details?.email ?? null,
  reference: session.reference,
  created: timeOf(session.created_at),
})

const amountOf = ({ amount, currency }: ShownSession): string => money(amount, currency)

/** Payment methods that a form names, of the texts of its boxes. */
export const methodsIn = (names: string[]): string => methods.filter((method) => names.includes(method)).join(',')

/** The API's `payment_method_options` for these methods. A method that is kept keeps its currencies. */
export function methodOptionsOf(text: string, known: ShownLink['payment_method_options']) {
  const chosen = text.split(',').filter((name) => isOneOf(methods, name))
  return chosen.length === 0 ? null : recordOf(chosen, (method) => known?.[method] ?? {})
}
