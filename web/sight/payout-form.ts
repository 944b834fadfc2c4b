import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { Balance } from '../../schemas/balance/balance.ts'
import type { Answer, Refused } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { goTo, stepOf, type Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { forbidden, mayDo, newQuestionKey, questionKeyIn } from './board-form.ts'
import { type Listed, showUnread } from './dashboard-lists.ts'
import { textIn } from './list-filter.ts'
import { priceQuestion } from './price-question.ts'
import {
  errorsIn,
  type Estimate,
  estimateFacts,
  payoutOf,
  type Quote,
  quoteFor,
  repeatedFacts,
  sources,
  type Typed,
  typedIn,
  wishOf,
  wordPayout,
} from './payout-wish.ts'
import { type ShownDestination, type ShownPayout, titleOfDestination } from './payout-words.ts'
import { readTypedAmount } from './typed-amount.ts'

/** Where money can go, and the money that there is; `isCut` where there are more destinations than these. */
type Means = { destinations: ShownDestination[]; isCut: boolean; balances: Static<typeof Balance>[] }

/** What a payout would cost, by the quote where it needs one. */
type Priced = { estimate: Estimate; quote: Quote | null }

const none: Answer<ShownDestination[]> = { ok: true, body: [] }

/** The question that a form answers. */
type Asked = { key: string; quoteId: string }

const expired = 'The price has expired, and nothing was sent. This is the new price.'
const unsure = 'It is not known whether this was sent. Press the button again in a moment: nothing is sent twice.'

const common = { isSignedIn: true, at: '/payouts' }

/**
 * `/dashboard/payouts/new`: destination and amount, then a page that says what arrives and what it costs, and only then
 * the payout.
 */
export function addPayoutForm(site: Site, folder: string): void {
  const { home, sessions, now, read, submit, show } = site
  const path = `${folder.slice(home.length)}/new`
  const [template, title] = ['dashboard/payout-confirm', 'Send this payout?']
  const showQuestion = priceQuestion(site, { template, title, at: common.at, path: `${home}${path}`, folder })

  /** What the form needs, for somebody who may send money; `chosen` is the id of a destination, or empty. */
  async function readMeans(ctx: Context, chosen: string): Promise<Answer<Means>> {
    const [destinations, balances] = await Promise.all([
      sessions.call<Listed<ShownDestination>>(ctx, 'GET', '/v1/payouts/destinations?status=approved&limit=100'),
      sessions.call<Listed<Static<typeof Balance>>>(ctx, 'GET', '/v1/balances'),
    ])
    if (!destinations.ok) return destinations
    if (!balances.ok) return balances
    if (!mayDo(site, ctx, 'payouts:write')) return { ok: false, refused: forbidden }
    const { items, pagination } = destinations.body
    const isCut = pagination.next_cursor !== null
    const isOlder = isCut && chosen !== '' && !items.some(({ id }) => id === chosen)
    const older = isOlder ? await readOlder(ctx, chosen) : none
    if (!older.ok) return older
    return { ok: true, body: { destinations: [...items, ...older.body], isCut, balances: balances.body.items } }
  }

  /** A destination that can be paid to and is not among the newest. None of what is no such id. */
  async function readOlder(ctx: Context, id: string): Promise<Answer<ShownDestination[]>> {
    const resource = `/v1/payouts/destinations/${encodeURIComponent(id)}`
    const answer = await sessions.call<ShownDestination>(ctx, 'GET', resource)
    if (answer.ok) return answer.body.is_usable ? { ok: true, body: [answer.body] } : none
    return [400, 404, 422].includes(answer.refused.status) ? none : answer
  }

  function showForm(ctx: Context, means: Means, typed: Typed, result: Partial<FormResult> = {}): void {
    const data = {
      path: `${home}${path}`,
      folder,
      registerPath: `${home}/destinations/new`,
      typed,
      sources,
      destinations: means.destinations.map((row) => ({ code: row.id, name: titleOfDestination(row) })),
      isCut: means.isCut,
      available: means.balances.map(({ available, currency }) => money(available, currency)),
    }
    show(ctx, stepOf('dashboard/payout-form', 'Send a payout', { ...common, ...data, ...result }, result.status ?? 200))
  }

  /** Asks what the payout would cost, and for a quote where it needs one. */
  async function price(ctx: Context, typed: Typed, to: ShownDestination): Promise<Answer<Priced>> {
    const asked = quoteFor(typed, to)
    const quoted = asked && (await sessions.call<Quote>(ctx, 'POST', '/v1/conversions/quotes', asked))
    if (quoted && !quoted.ok) return quoted
    const quote = quoted?.body ?? null
    const wish = wishOf(typed, to, quote?.quote_id ?? null)
    const estimate = await sessions.call<Estimate>(ctx, 'POST', '/v1/payouts/estimate', wish)
    return estimate.ok ? { ok: true, body: { estimate: estimate.body, quote } } : estimate
  }

  /** Asks whether the payout is meant, with its price. */
  async function ask(ctx: Context, means: Means, typed: Typed, to: ShownDestination, problem: string | null) {
    const priced = await price(ctx, typed, to)
    if (!priced.ok) return showRefusedForm(ctx, means, typed, priced.refused)
    const { estimate, quote } = priced.body
    const balance = means.balances.find(({ currency }) => currency === estimate.source_currency)
    const available = money(balance?.available ?? '0', estimate.source_currency)
    await showQuestion(ctx, typed, [...estimateFacts(typed, to, estimate, quote), ['Available now', available]], {
      key: newQuestionKey(await now()),
      quoteId: quote?.quote_id ?? '',
      until: quote && timeOf(quote.expires_at),
      problem,
      status: problem === null ? 200 : 409,
    })
  }

  function showRefusedForm(ctx: Context, means: Means, typed: Typed, refused: Refused): void {
    if (refused.status === 401 || refused.code === 'FORBIDDEN') return showUnread(site, ctx, refused)
    showForm(ctx, means, typed, wordPayout(refused))
  }

  async function send(ctx: Context, means: Means, typed: Typed, to: ShownDestination, { key, quoteId }: Asked) {
    const body = payoutOf(typed, to, quoteId || null)
    const sent = await sessions.call<ShownPayout>(ctx, 'POST', '/v1/payouts', body, { key })
    if (sent.ok) return goTo(ctx, `${folder}/${sent.body.id}?done=sent`)
    const { code, status } = sent.refused
    if (code === 'QUOTE_EXPIRED') return ask(ctx, means, typed, to, expired)
    // The limit says nothing about an earlier press: the form is given back with its key.
    if (status === 429) return site.showRefused(ctx, sent.refused)
    if (status < 500) return showRefusedForm(ctx, means, typed, sent.refused)
    // The payout may have been accepted. With the same key a further press of the button is the same payout.
    await showQuestion(ctx, typed, repeatedFacts(typed, to), { key, quoteId, until: null, problem: unsure, status })
  }

  read(path, async (ctx) => {
    const destination = textIn(ctx, 'destination')
    const means = await readMeans(ctx, destination)
    if (!means.ok) return showUnread(site, ctx, means.refused)
    showForm(ctx, means.body, { ...typedIn(new URLSearchParams()), destination })
  })

  submit(path, async (ctx, form) => {
    const sent = typedIn(form)
    const means = await readMeans(ctx, sent.destination)
    if (!means.ok) return showUnread(site, ctx, means.refused)
    const to = means.body.destinations.find(({ id }) => id === sent.destination)
    const typed = { ...sent, amount: readTypedAmount(sent.amount, to?.currency ?? '') }
    const errors = errorsIn(typed, to)
    if (!to || Object.keys(errors).length > 0) return showForm(ctx, means.body, typed, { errors, status: 422 })
    if (form.get('step') === 'back') return showForm(ctx, means.body, typed)
    const isQuoted = quoteFor(typed, to) !== null
    const key = questionKeyIn(form, await now())
    const quoteId = form.get('quote_id') ?? ''
    const isAsked = key !== null && isQuoted === Boolean(quoteId)
    if (form.get('step') === 'send' && isAsked) return send(ctx, means.body, typed, to, { key, quoteId })
    await ask(ctx, means.body, typed, to, null)
  })
}
