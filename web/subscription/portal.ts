import type Router from '@koa/router'
import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import type { Refused } from '../api.ts'
import { goTo } from '../site.ts'
import type { Language } from '../language.ts'
import { addSubscriptionPages } from './portal-subscription.ts'
import type { TokenSiteMeans } from '../token-site.ts'
import { lineName } from './invoice-words.ts'
import { createPortal, done, home, type PortalSite, problemOf, type Visit } from './portal-visit.ts'
import { type Card, nameOfCard, expiryOf, type Invoice, invoiceBadge } from './portal-words.ts'
import type { WordKey } from '../words/catalogues.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { openNewCard, readCards, readSubscriptions, showSubscriptions } from './portal-reading.ts'

/** `/portal`: the pages on which the customers of a merchant look after their subscriptions, invoices and cards. */
export function addPortalPages(router: Router, means: TokenSiteMeans): void {
  const site = createPortal(router, means)
  site.read('', (visit) => showStart(site, visit))
  addSubscriptionPages(site)
  addInvoicePage(site)
  addCardPages(site)
  addDetailsPage(site)
  router.get('/portal/:token', (ctx, next) => {
    const { token } = ctx['params'] as { token: string }
    return token.startsWith('cs_') ? site.enter(ctx, token) : next()
  })
}

/** The first page of a flow, until it is done; else the subscriptions. */
async function showStart(site: PortalSite, visit: Visit): Promise<void> {
  const { flow } = visit.me
  const pages = { payment_method_update: 'card', subscription_cancel: 'cancel', subscription_update: 'plan' }
  const isBegun = visit.ctx.query['done'] !== undefined || visit.ctx.query['all'] === '1'
  if (flow?.subscription_id && !isBegun) {
    return goTo(visit.ctx, `${home}/subscriptions/${flow.subscription_id}/${pages[flow.type]}`)
  }
  await showSubscriptions(site, visit)
}

type Invoices = { items: Invoice[]; pagination: { next_cursor: string | null; prev_cursor: string | null } }

function addInvoicePage({ read, show, showRefused }: PortalSite): void {
  read('/invoices', async (visit) => {
    const { cursor } = visit.ctx.query
    const from = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const answer = await visit.call<Invoices>('GET', `invoices?limit=20${from}`)
    if (!answer.ok) return void showRefused(visit.ctx, answer.refused)
    const { items, pagination } = answer.body
    const { say, codedMoney, time } = visit.language
    const invoices = items.map((invoice) => ({
      number: invoice.number ?? '',
      badge: invoiceBadge(visit.language, invoice),
      total: codedMoney(invoice.total, invoice.currency),
      name: nameOf(visit.language, invoice),
      made: invoice.finalized_at && time(invoice.finalized_at),
      due: invoice.status === 'open' && invoice.due_at ? time(invoice.due_at) : null,
      isPayable: invoice.status === 'open',
      page: invoice.hosted_invoice_url,
      pdf: invoice.pdf_url,
    }))
    const data = { invoices, older: pagination.next_cursor, newer: pagination.prev_cursor }
    show(visit, { template: 'invoices', title: say('bills.title'), at: '/invoices', data })
  })
}

/** What an invoice is for, by its first line. */
const nameOf = (language: Language, { line_items: [line] }: Invoice): string => (line ? lineName(language, line) : '')

function addCardPages(site: PortalSite): void {
  const { read, submit, show, showRefused } = site

  async function showCards(visit: Visit, refused: Refused | null = null): Promise<void> {
    const [cards, subscriptions] = await Promise.all([readCards(visit), readSubscriptions(visit)])
    if (!cards.ok) return void showRefused(visit.ctx, cards.refused)
    if (!subscriptions.ok) return void showRefused(visit.ctx, subscriptions.refused)
    const used = new Set(subscriptions.body.flatMap((sub) => (sub.status === 'canceled' ? [] : sub.payment_method_id)))
    const { language } = visit
    const { say } = language
    const shown = cards.body.map((card) => ({ ...shownCard(language, card), isUsed: used.has(card.payment_method_id) }))
    const problem = refused && problemOf(language, refused, 'cards.remove.refused')
    const notice = visit.ctx.query['added'] === '1' ? { notice: say('done.added') } : {}
    const data = { cards: shown, canAddCards: visit.me.can_add_cards, problem, ...notice }
    show(visit, { template: 'cards', title: say('cards.title'), at: '/cards', data, status: refused?.status ?? 200 })
  }

  read('/cards', (visit) => showCards(visit))
  submit('/cards', async (visit, sent) => {
    const opened = await openNewCard(visit, sent, {})
    if (!opened.ok) return showCards(visit, opened.refused)
    goTo(visit.ctx, opened.body)
  })
  read('/cards/:id/remove', async (visit, id) => {
    const cards = await readCards(visit)
    if (!cards.ok) return void showRefused(visit.ctx, cards.refused)
    const card = cards.body.find(({ payment_method_id: each }) => each === id)
    if (!card) return goTo(visit.ctx, `${home}/cards`)
    const shown = shownCard(visit.language, card)
    const title = visit.language.say('cards.remove.sure', { card: shown.name })
    show(visit, { template: 'remove', title, at: '/cards', data: { card: shown } })
  })
  submit('/cards/:id/remove', async (visit, _sent, id) => {
    const removed = await visit.call('DELETE', `payment-methods/${id}`)
    // A card that is removed already is what was asked for.
    if (!removed.ok && removed.refused.code !== 'NOT_FOUND') return showCards(visit, removed.refused)
    done(visit, '/cards', 'removed')
  })
}

const shownCard = (language: Language, card: Card) => ({
  id: card.payment_method_id,
  name: nameOfCard(language, card),
  expiry: expiryOf(card),
})

/** The countries by their names in the language, as a list of it is sorted. */
const countriesIn = ({ code: language, countryName }: Language) =>
  Object.keys(iso31661Alpha2ToAlpha3)
    .map((code) => ({ code, name: countryName(code) }))
    .toSorted((left, right) => left.name.localeCompare(right.name, language))

const addressFields = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const
type Typed = Record<'name' | 'phone_number' | (typeof addressFields)[number], string>

/** The API's fields: the input of each, and the message if it is wrong. */
const wrong: Record<string, [input: keyof Typed, words: WordKey]> = {
  name: ['name', 'details.wrong.name'],
  phone_number: ['phone_number', 'details.wrong.phone'],
  'billing_address.line1': ['line1', 'details.wrong.address'],
  'billing_address.line2': ['line2', 'details.wrong.long'],
  'billing_address.city': ['city', 'details.wrong.long'],
  'billing_address.state': ['state', 'details.wrong.long'],
  'billing_address.postal_code': ['postal_code', 'details.wrong.long'],
  'billing_address.country': ['country', 'details.wrong.country'],
}

/** What is stored of the customer, as the form shows it. */
function storedOf({ me: { name, phone_number: phone, billing_address: address } }: Visit): Typed {
  const parts = addressFields.map((field) => [field, address?.[field] ?? ''])
  return { name: name ?? '', phone_number: phone ?? '', ...Object.fromEntries(parts) } as Typed
}

const examplePhone = '+234 802 345 6789'

type Tried = { status: number; errors: Partial<Record<keyof Typed, string>>; problem: string | null }
const notTried: Tried = { status: 200, errors: {}, problem: null }

/** Why the API has refused what was typed. */
function triedOf(language: Language, refused: Refused): Tried {
  const { say } = language
  const found = refused.errors.flatMap(({ field }) => (wrong[field] ? [wrong[field]] : []))
  const errors = Object.fromEntries(found.map(([input, key]) => [input, say(key, { example: examplePhone })]))
  const problem = found.length > 0 ? say('problem.fields') : problemOf(language, refused, 'details.refused')
  return { status: refused.status, errors, problem }
}

/** What was emptied although the API can only replace it; null where nothing was. */
function clearedIn({ me, language: { say } }: Visit, typed: Typed): Tried | null {
  const isCleared = (field: 'name' | 'phone_number') => typed[field] === '' && (me[field] ?? '') !== ''
  const errors = {
    ...(isCleared('name') && { name: say('details.kept.name') }),
    ...(isCleared('phone_number') && { phone_number: say('details.kept.phone') }),
  }
  return Object.keys(errors).length > 0 ? { status: 422, errors, problem: say('problem.fields') } : null
}

function addDetailsPage({ read, submit, show }: PortalSite): void {
  const showDetails = (visit: Visit, typed: Typed, { status, ...result }: Tried = notTried) => {
    const { language, me } = visit
    const { say } = language
    const countries = [{ code: '', name: say('details.no.country') }, ...countriesIn(language)]
    const page = { template: 'details', title: say('your.details'), at: '/details', status }
    const opened = openedWith(storedOf(visit))
    show(visit, { ...page, data: { typed, opened, countries, examplePhone, email: me.email, ...result } })
  }

  read('/details', async (visit) => showDetails(visit, storedOf(visit)))
  submit('/details', async (visit, sent) => {
    const { text } = sent
    const names = ['name', 'phone_number', ...addressFields] as const
    const sentTexts = Object.fromEntries(names.map((name) => [name, text(name)])) as Typed
    const { typed } = editsOf(sent.form, sentTexts, storedOf(visit), {}, addressFields)
    const cleared = clearedIn(visit, typed)
    if (cleared) return showDetails(visit, typed, cleared)
    const { name, phone_number: phone, ...address } = typed
    const isEmpty = Object.values(address).every((part) => part === '')
    const body = {
      ...(name && { name }),
      ...(phone && { phone_number: phone.replaceAll(/[\s().-]/g, '') }),
      billing_address: isEmpty ? null : address,
    }
    const saved = await visit.call('PATCH', 'me', body, sent.keyOf(body))
    if (!saved.ok) return showDetails(visit, typed, triedOf(visit.language, saved.refused))
    done(visit, '/details', 'details')
  })
}
