import type { Static } from 'typebox'
import type { OfferedProduct } from '../../schemas/checkout/line-item.ts'
import type { Refused } from '../api.ts'
import { goTo } from '../site.ts'
import { isZero } from '../../domain/money.ts'
import { money } from '../words.ts'
import { openNewCard, readCards, shownSubscription, showSubscriptions } from './portal-reading.ts'
import type { Sent } from '../token-site.ts'
import { done, home, type PortalSite, problemOf, type Visit } from './portal-visit.ts'
import { nameOfCard, expiryOf, priceWords, reasons, type Subscription, timeOf } from './portal-words.ts'

/** The pages of one subscription: cancel, keep, another plan, another card, and charge the card now. */
export function addSubscriptionPages(site: PortalSite): void {
  addCancelPage(site)
  addPlanPage(site)
  addCardPage(site)
  for (const [path, action, what] of [
    ['keep', 'uncancel', 'kept'],
    ['retry', 'retry-payment', 'retried'],
  ] as const) {
    site.submit(`/subscriptions/:id/${path}`, async (visit, { keyOf }, id) => {
      const changed = await visit.call('POST', `subscriptions/${id}/${action}`, undefined, keyOf({ id }))
      if (!changed.ok) return showSubscriptions(site, visit, changed.refused)
      done(visit, '', what)
    })
  }
}

/** Reads a subscription for one of its pages. If there is none, the page says so, and this is null. */
async function readOne(site: PortalSite, visit: Visit, id: string): Promise<Subscription | null> {
  const answer = await visit.call<Subscription>('GET', `subscriptions/${id}`)
  if (answer.ok) return answer.body
  await showSubscriptions(site, visit, answer.refused)
  return null
}

function addCancelPage(site: PortalSite): void {
  async function showCancel(visit: Visit, id: string, { reason, comment, isSure }: Wish): Promise<void> {
    const sub = await readOne(site, visit, id)
    if (!sub) return
    const shown = shownSubscription(visit, sub, [])
    if (!shown.mayCancel) return goTo(visit.ctx, `${home}?all=1`)
    const end = timeOf(sub.current_period_end)
    const words = reasons.find(({ code }) => code === reason)?.words ?? null
    const isAtOnce = sub.status === 'paused'
    const data = { sub: shown, reasons, reason, comment, reasonWords: words, end, isAtOnce }
    const title = isSure ? `Cancel ${shown.name} now?` : `Cancel ${shown.name}`
    site.show(visit, { template: isSure ? 'cancel-confirm' : 'cancel', title, at: '', data })
  }

  site.read('/subscriptions/:id/cancel', (visit, id) =>
    showCancel(visit, id, { reason: '', comment: '', isSure: false }),
  )
  site.submit('/subscriptions/:id/cancel', async (visit, { text, keyOf }, id) => {
    const wish = { reason: text('reason'), comment: text('comment').slice(0, 500) }
    if (text('step') !== 'confirm') return showCancel(visit, id, { ...wish, isSure: text('step') === 'review' })
    const { reason, comment } = wish
    const body = { ...(reason && { reason }), ...(comment && { comment }) }
    const canceled = await visit.call('POST', `subscriptions/${id}/cancel`, body, keyOf(body))
    if (!canceled.ok) return showSubscriptions(site, visit, canceled.refused)
    done(visit, '', 'canceled')
  })
}

type Wish = { reason: string; comment: string; isSure: boolean }

const gone: Refused = { status: 409, code: 'CONFLICT', errors: [], waitSeconds: null }

type Plan = Static<typeof OfferedProduct>
type Preview = {
  lines: { product_name: string; line_total: string; kind: string }[]
  amount_due: string
  credit_change: string
  currency: string
  effective_at: string
  next_charge_at: string
  amount: string
}

function addPlanPage(site: PortalSite): void {
  async function showPlans(visit: Visit, id: string, refused: Refused | null = null): Promise<void> {
    const [sub, plans] = await Promise.all([
      readOne(site, visit, id),
      visit.call<{ items: Plan[] }>('GET', `subscriptions/${id}/plans`),
    ])
    if (!sub) return
    if (!plans.ok) return showSubscriptions(site, visit, plans.refused)
    const problem = refused && problemOf(refused, cannotChange)
    const data = { sub: shownSubscription(visit, sub, []), plans: plans.body.items.map(shownPlan), problem }
    site.show(visit, { template: 'plan', title: 'Change your plan', at: '', data, status: refused?.status ?? 200 })
  }

  async function showPreview(visit: Visit, id: string, productId: string): Promise<void> {
    const body = { product_id: productId }
    const [sub, plans, preview] = await Promise.all([
      readOne(site, visit, id),
      visit.call<{ items: Plan[] }>('GET', `subscriptions/${id}/plans`),
      visit.call<Preview>('POST', `subscriptions/${id}/preview-change`, body),
    ])
    if (!sub) return
    if (!preview.ok) return showPlans(visit, id, preview.refused)
    const plan = plans.ok ? plans.body.items.find(({ product_id: each }) => each === productId) : undefined
    if (!plan) return showPlans(visit, id, gone)
    const data = { sub: shownSubscription(visit, sub, []), plan: shownPlan(plan), ...shownPreview(preview.body) }
    site.show(visit, { template: 'plan-confirm', title: `Change to ${plan.product_name}?`, at: '', data })
  }

  site.read('/subscriptions/:id/plan', (visit, id) => showPlans(visit, id))
  site.submit('/subscriptions/:id/plan', async (visit, { text, keyOf }, id) => {
    const product = text('product')
    if (product === '') return goTo(visit.ctx, `${home}/subscriptions/${id}/plan`)
    if (text('step') !== 'confirm') return showPreview(visit, id, product)
    const body = { product_id: product }
    const changed = await visit.call('POST', `subscriptions/${id}/change-plan`, body, keyOf(body))
    if (!changed.ok) return showPlans(visit, id, changed.refused)
    done(visit, '', 'plan')
  })
}

const cannotChange =
  'The plan cannot be changed now. Perhaps a payment is under way or an invoice is open: have it paid first.'

const shownPlan = ({ product_id: id, product_name: name, unit_amount: amount, currency, recurring }: Plan) => ({
  id,
  name,
  price: recurring ? priceWords(amount ?? '0', currency, recurring) : money(amount ?? '0', currency),
})

function shownPreview({ lines, currency, ...preview }: Preview) {
  const { amount_due: due, credit_change: credit, effective_at: effective, next_charge_at: next } = preview
  const isLater = Date.parse(effective) >= Date.parse(next)
  return {
    lines: lines.map(({ product_name: label, line_total: total }) => ({ label, value: money(total, currency) })),
    due: isZero(due) ? null : money(due, currency),
    credit: credit.startsWith('-') || isZero(credit) ? null : money(credit, currency),
    next: timeOf(next),
    nextAmount: money(preview.amount, currency),
    isLater,
    effective: timeOf(effective),
  }
}

function addCardPage(site: PortalSite): void {
  async function showCardsOf(visit: Visit, id: string, refused: Refused | null = null): Promise<void> {
    const [sub, cards] = await Promise.all([readOne(site, visit, id), readCards(visit)])
    if (!sub) return
    if (!cards.ok) return void site.showRefused(visit.ctx, cards.refused)
    const isNew = visit.ctx.query['added'] === '1'
    const [newest] = cards.body
    const chosen = isNew && newest ? newest.payment_method_id : sub.payment_method_id
    const shown = cards.body.map((card) => ({
      id: card.payment_method_id,
      name: nameOfCard(card),
      expiry: expiryOf(card),
      isChosen: card.payment_method_id === chosen,
      isCurrent: card.payment_method_id === sub.payment_method_id,
    }))
    const added = isNew ? { notice: 'Your card is saved. Choose below whether to use it from now on.' } : {}
    const problem = refused && problemOf(refused, 'This card cannot be used here. Choose another one.')
    const data = { sub: shownSubscription(visit, sub, cards.body), cards: shown, problem, ...added }
    const page = { template: 'card', title: 'Change the card', at: '', status: refused?.status ?? 200 }
    site.show(visit, { ...page, data: { ...data, isDue: sub.status === 'past_due' } })
  }

  site.read('/subscriptions/:id/card', (visit, id) => showCardsOf(visit, id))
  site.submit('/subscriptions/:id/card', async (visit, sent: Sent, id) => {
    if (sent.text('step') === 'add') {
      const opened = await openNewCard(visit, sent, { subscription_id: id })
      return opened.ok ? goTo(visit.ctx, opened.body) : showCardsOf(visit, id, opened.refused)
    }
    const body = { payment_method_id: sent.text('card') }
    const changed = await visit.call('POST', `subscriptions/${id}/payment-method`, body, sent.keyOf(body))
    if (!changed.ok) return showCardsOf(visit, id, changed.refused)
    done(visit, '', 'card')
  })
}
