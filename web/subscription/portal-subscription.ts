import type { Static } from 'typebox'
import type { OfferedProduct } from '../../schemas/checkout/line-item.ts'
import type { Answer, Refused } from '../api.ts'
import { goTo } from '../site.ts'
import { lineItemOf } from '../../domain/checkout/line-item.ts'
import { isZero } from '../../domain/money.ts'
import type { LineKind } from '../../domain/subscription/invoice.ts'
import { nextPeriodInvoiced, pausePlanned } from '../../domain/subscription/plan-change.ts'
import type { Language } from '../language.ts'
import { withPlainBreaks } from '../opened-form.ts'
import { openNewCard, readCards, shownSubscription, showSubscriptions } from './portal-reading.ts'
import type { Sent } from '../token-site.ts'
import { done, home, type PortalSite, problemOf, type Visit } from './portal-visit.ts'
import { lineName, signedMoney } from './invoice-words.ts'
import {
  afterCredit,
  chargeWords,
  nameOfCard,
  expiryOf,
  planName,
  priceWords,
  reasonsIn,
  runsUntil,
  type Subscription,
} from './portal-words.ts'

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
    const { say, time } = visit.language
    const reasons = reasonsIn(visit.language)
    const reasonWords = reasons.find(({ code }) => code === reason)?.words ?? null
    const isAtOnce = sub.status === 'paused'
    const data = { sub: shown, reasons, reason, comment, reasonWords, end: time(runsUntil(sub)), isAtOnce }
    const title = say(isSure ? 'cancel.sure' : 'cancel.title', { name: shown.name })
    site.show(visit, { template: isSure ? 'cancel-confirm' : 'cancel', title, at: '', data })
  }

  site.read('/subscriptions/:id/cancel', (visit, id) =>
    showCancel(visit, id, { reason: '', comment: '', isSure: false }),
  )
  site.submit('/subscriptions/:id/cancel', async (visit, { text, keyOf }, id) => {
    const wish = { reason: text('reason'), comment: withPlainBreaks(text('comment')).slice(0, 500) }
    if (text('step') !== 'confirm') return showCancel(visit, id, { ...wish, isSure: text('step') === 'review' })
    const { reason, comment } = wish
    const body = { ...(reason && { reason }), ...(comment && { comment }) }
    const canceled = await visit.call<Subscription>('POST', `subscriptions/${id}/cancel`, body, keyOf(body))
    if (!canceled.ok) return showSubscriptions(site, visit, canceled.refused)
    done(visit, '', canceled.body.status === 'canceled' ? 'ended' : 'canceled')
  })
}

type Wish = { reason: string; comment: string; isSure: boolean }

const gone: Refused = { status: 409, code: 'CONFLICT', errors: [], waitSeconds: null }

type Plan = Static<typeof OfferedProduct>
type Preview = {
  lines: { product_name: string; line_total: string; kind: LineKind }[]
  amount_due: string
  charge: { amount: string; fee: string; currency: string } | null
  credit: string
  returned_amount: string
  currency: string
  effective_at: string
  next_charge_at: string
  amount: string
}

type PlansPage = { items: Plan[]; pagination: { next_cursor: string | null } }

/** All the plans that a subscription may change to. A product may be in several groups, which may fill more pages. */
async function readPlans(visit: Visit, id: string): Promise<Answer<Plan[]>> {
  const plans: Plan[] = []
  const query = new URLSearchParams({ limit: '100' })
  for (;;) {
    const answer = await visit.call<PlansPage>('GET', `subscriptions/${id}/plans?${query}`)
    if (!answer.ok) return answer
    plans.push(...answer.body.items)
    const { next_cursor: next } = answer.body.pagination
    if (next === null) return { ok: true, body: plans }
    query.set('cursor', next)
  }
}

function addPlanPage(site: PortalSite): void {
  async function showPlans(visit: Visit, id: string, refused: Refused | null = null): Promise<void> {
    const [sub, plans] = await Promise.all([readOne(site, visit, id), readPlans(visit, id)])
    if (!sub) return
    if (!plans.ok) return showSubscriptions(site, visit, plans.refused)
    const { language } = visit
    const problem = refused && whyNotChanged(language, sub, refused)
    const shown = plans.body.map((plan) => shownPlan(language, plan, quantityOf(sub)))
    const data = { sub: shownSubscription(visit, sub, []), plans: shown, problem }
    const page = { template: 'plan', title: language.say('plan.title'), at: '', status: refused?.status ?? 200 }
    site.show(visit, { ...page, data })
  }

  /** What a change to this plan costs now. */
  async function readChange(visit: Visit, id: string, productId: string): Promise<Answer<Change>> {
    const [sub, plans, preview] = await Promise.all([
      visit.call<Subscription>('GET', `subscriptions/${id}`),
      readPlans(visit, id),
      visit.call<Preview>('POST', `subscriptions/${id}/preview-change`, { product_id: productId }),
    ])
    if (!sub.ok) return sub
    if (!plans.ok) return plans
    if (!preview.ok) return preview
    const plan = plans.body.find(({ product_id: each }) => each === productId)
    return plan ? { ok: true, body: { sub: sub.body, plan, preview: preview.body } } : { ok: false, refused: gone }
  }

  function showPreview(visit: Visit, change: Change, problem: string | null = null): void {
    const { language } = visit
    const { sub, plan } = change
    const shown = { sub: shownSubscription(visit, sub, []), plan: shownPlan(language, plan, quantityOf(sub)) }
    const data = { ...shown, ...shownPreview(language, change), terms: termsOf(change), problem }
    const title = language.say('plan.sure', { plan: plan.product_name })
    site.show(visit, { template: 'plan-confirm', title, at: '', data, status: problem === null ? 200 : 409 })
  }

  site.read('/subscriptions/:id/plan', (visit, id) => showPlans(visit, id))
  site.submit('/subscriptions/:id/plan', async (visit, sent, id) => {
    const product = sent.text('product')
    if (product === '') return goTo(visit.ctx, `${home}/subscriptions/${id}/plan`)
    const isConfirmed = sent.text('step') === 'confirm'
    const change = await readChange(visit, id, product)
    // What cannot be read now is not taken as agreed: its price may be another than the one that was shown.
    if (!change.ok && (!isConfirmed || change.refused.status >= 429)) return showPlans(visit, id, change.refused)
    if (change.ok && !isConfirmed) return showPreview(visit, change.body)
    // A change that cannot be previewed may have been made by this form a moment ago: the API knows.
    if (change.ok && sent.text('terms') !== termsOf(change.body)) {
      return showPreview(visit, change.body, visit.language.say('plan.repriced'))
    }
    const body = { product_id: product }
    const changed = await visit.call('POST', `subscriptions/${id}/change-plan`, body, sent.keyOf(body))
    if (!changed.ok) return showPlans(visit, id, changed.refused)
    done(visit, '', 'plan')
  })
}

/** Why a plan cannot be changed. Who has an invoice for the next period waits for that period to begin. */
function whyNotChanged(language: Language, sub: Subscription, refused: Refused): string {
  const codes = refused.errors.map(({ code }) => code)
  if (codes.includes(pausePlanned)) return language.say('plan.pausing')
  if (!codes.includes(nextPeriodInvoiced)) return problemOf(language, refused, 'plan.refused')
  return language.say('plan.invoiced', { at: language.moment(sub.current_period_end) })
}

type Change = { sub: Subscription; plan: Plan; preview: Preview }

/**
 * All that decides what a change costs but the time, which moves between the page and its form: the price of the plan
 * and how many of it, what the subscription has charged for its period and kept of it, the currency of its card, and
 * whether the plan changes now or with the next period, where a card that is named meanwhile would be charged at once.
 */
function termsOf({ sub, plan, preview }: Change): string {
  const { currency, unit_amount: price, recurring } = plan
  const { amount, charge_currency: charged, current_period_end: end } = sub
  const from = isLater(preview) ? 'later' : 'now'
  const { returned_amount: returned } = preview
  const rhythm = [recurring?.interval, recurring?.interval_count]
  return [currency, price, ...rhythm, quantityOf(sub), amount, charged, end, returned, from].join(' ')
}

/** Whether a plan changes only with the next period, so that nothing is paid now. */
const isLater = ({ effective_at: effective, next_charge_at: next }: Preview): boolean =>
  Date.parse(effective) >= Date.parse(next)

/** A change keeps the quantity of the one product that there is. */
const quantityOf = ({ line_items: [line] }: Subscription): number => line?.quantity ?? 1

/** A plan with the price of everything that is paid for: three of it cost three times as much. */
function shownPlan(language: Language, plan: Plan, quantity: number) {
  const { product_id: id, currency, recurring } = plan
  const { line_total: amount } = lineItemOf(plan, { product_id: id, quantity })
  const price = recurring ? priceWords(language, amount, currency, recurring) : language.codedMoney(amount, currency)
  return { id, name: planName([{ ...plan, quantity }]), price }
}

function shownPreview(language: Language, { sub, preview }: Change) {
  const { money, time } = language
  const { lines, currency, credit } = preview
  const { effective_at: effective, next_charge_at: next } = preview
  const nextDue = afterCredit(preview.amount, credit)
  const nextPrice = money(nextDue, currency)
  return {
    lines: lines.map((line) => ({
      label: lineName(language, line),
      value: signedMoney(language, line.line_total, currency),
    })),
    ...shownCharge(language, sub, preview),
    credit: isZero(credit) ? null : money(credit, currency),
    next: time(next),
    nextAmount: isZero(nextDue) ? nextPrice : chargeWords(language, sub, nextPrice),
    isLater: isLater(preview),
    effective: time(effective),
  }
}

/** What is paid now, with its part that is the fee, and the words of the button that pays it. */
function shownCharge(language: Language, sub: Subscription, { amount_due: due, charge, currency }: Preview) {
  const { say, money, codedMoney } = language
  if (isZero(due)) return { due: null, fee: null, button: say('plan.change') }
  if (charge === null) {
    const words = chargeWords(language, sub, codedMoney(due, currency), 'charge.now')
    return { due: words, fee: null, button: say('plan.pay.then') }
  }
  return {
    due: codedMoney(charge.amount, charge.currency),
    fee: isZero(charge.fee) ? null : money(charge.fee, charge.currency),
    button: say('plan.pay', { amount: money(charge.amount, charge.currency) }),
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
    const { language } = visit
    const { say } = language
    const shown = cards.body.map((card) => ({
      id: card.payment_method_id,
      name: nameOfCard(language, card),
      expiry: expiryOf(card),
      isChosen: card.payment_method_id === chosen,
      isCurrent: card.payment_method_id === sub.payment_method_id,
    }))
    const added = isNew ? { notice: say('done.added.choose') } : {}
    const problem = refused && problemOf(language, refused, 'cards.refused')
    const data = { sub: shownSubscription(visit, sub, cards.body), cards: shown, problem, ...added }
    const page = { template: 'card', title: say('cards.change'), at: '', status: refused?.status ?? 200 }
    const [isDue, becomesAutomatic] = [sub.status === 'past_due', sub.collection === 'invoice']
    const canAddCards = visit.me.can_add_cards
    site.show(visit, { ...page, data: { ...data, isDue, becomesAutomatic, canAddCards } })
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
