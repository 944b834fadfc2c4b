import type { Static } from 'typebox'
import type { OpenedCheckout } from '../../schemas/checkout/payment-link.ts'
import { allowsAction } from '../../domain/subscription/customer-session.ts'
import type { Answer, Refused } from '../api.ts'
import type { Sent } from '../token-site.ts'
import { type PortalSite, problemOf, type Visit } from './portal-visit.ts'
import { badgeOf, type Card, nameOfCard, planName, priceWords, standingOf, type Subscription } from './portal-words.ts'

type List<T> = { items: T[] }

const itemsOf = <T>(answer: Answer<List<T>>): Answer<T[]> =>
  answer.ok ? { ok: true, body: answer.body.items } : answer

/** The customer's cards, newest first. */
export const readCards = async (visit: Visit): Promise<Answer<Card[]>> =>
  itemsOf(await visit.call<List<Card>>('GET', 'payment-methods?limit=100'))

/** The customer's subscriptions, newest first. */
export const readSubscriptions = async (visit: Visit): Promise<Answer<Subscription[]>> =>
  itemsOf(await visit.call<List<Subscription>>('GET', 'subscriptions?limit=100'))

/** Opens the page on which a card is saved. Returns its path on this host. */
export async function openNewCard(visit: Visit, { keyOf }: Sent, body: object): Promise<Answer<string>> {
  const opened = await visit.call<Static<typeof OpenedCheckout>>('POST', 'payment-methods', body, keyOf(body))
  if (!opened.ok) return opened
  return { ok: true, body: new URL(opened.body.checkout_url, 'http://localhost').pathname }
}

/** The page of all subscriptions, those that run first. `refused`: why what was asked of one of them was refused. */
export async function showSubscriptions(
  { show, showRefused }: PortalSite,
  visit: Visit,
  refused: Refused | null = null,
): Promise<void> {
  const [subscriptions, cards] = await Promise.all([readSubscriptions(visit), readCards(visit)])
  if (!subscriptions.ok) return void showRefused(visit.ctx, subscriptions.refused)
  if (!cards.ok) return void showRefused(visit.ctx, cards.refused)
  const { language } = visit
  const isOver = ({ status }: Subscription) => Number(status === 'canceled')
  const sorted = subscriptions.body.toSorted((left, right) => isOver(left) - isOver(right))
  const data = {
    subscriptions: sorted.map((sub) => shownSubscription(visit, sub, cards.body)),
    problem: refused && problemOf(language, refused, 'portal.state'),
  }
  const page = { template: 'subscriptions', title: language.say('sub.title'), at: '' }
  show(visit, { ...page, data, status: refused?.status ?? 200 })
}

/** A subscription with what its customer can do about it now. */
export function shownSubscription({ me, language }: Visit, sub: Subscription, cards: readonly Card[]) {
  const { subscription_id: id, status, cancellation, cancel_at_period_end: ends, collection } = sub
  const may = (action: Parameters<typeof allowsAction>[1]) => status !== 'canceled' && allowsAction(me.flow, action, id)
  const card = cards.find(({ payment_method_id: each }) => each === sub.payment_method_id)
  const isDue = status === 'past_due' && collection === 'automatic'
  return {
    id,
    name: planName(sub.line_items),
    price: priceWords(language, sub.amount, sub.currency, sub.recurring),
    badge: badgeOf(language, sub),
    standing: standingOf(language, sub, me.can_add_cards),
    card: status !== 'canceled' && card ? nameOfCard(language, card) : null,
    mayCancel: may('cancel') && !ends,
    mayKeep: may('cancel') && ends && cancellation?.by === 'customer',
    mayChangePlan: may('plan') && !ends && status !== 'paused' && sub.line_items.length === 1,
    mayChangeCard: may('cards'),
    mayRetry: may('payment') && isDue && card !== undefined,
  }
}
