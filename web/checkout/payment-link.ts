import type Router from '@koa/router'
import type { Static } from 'typebox'
import type { Context } from 'koa'
import type { RequestedAmount, OpenedCheckout, PublicPaymentLink } from '../../schemas/checkout/payment-link.ts'
import { readAmount } from './amount.ts'
import { brandOf } from './brand.ts'
import { type Reader, readerOf } from '../language.ts'
import { amountWords } from '../problems.ts'
import type { Answer, Api, Refused } from '../api.ts'
import { withoutLinkEnd } from '../link-end.ts'
import type { Page, Render } from '../render.ts'
import { missingPage, unreadPage } from '../unread-page.ts'
import type { WordKey } from '../words/catalogues.ts'

type Means = { api: Api; render: Render; callFor: (ctx: Context) => Record<string, string> }
type Link = Static<typeof PublicPaymentLink>
type Opened = Static<typeof OpenedCheckout>

/** The query parameters about the buyer and the sale. */
type Params = Record<string, string>

/** One visit: the link, its query parameters, and how the API is called for this buyer. */
type Visit = {
  params: Params
  /** The amount as the buyer typed it. */
  typed?: string
  /** Whether the form for the amount was sent. A merchant's link may hold an empty amount, which is none. */
  isSent: boolean
  reader: Reader
  read: () => Promise<Answer<Link>>
  open: (params: Params) => Promise<Answer<Opened>>
}

/**
 * Payment links: `GET /l/{slug}` opens a new session and redirects to its page. It shows a page of its own only to ask
 * for an amount, or if the link is closed. Previews and prefetches open no session.
 */
export function addPaymentLinkPage(router: Router, { api, render, callFor }: Means): void {
  const visit = (ctx: Context): Visit | null => {
    const slug = withoutLinkEnd((ctx['params'] as { slug: string }).slug)
    if (!/^[0-9a-z]{16}$/.test(slug)) return null
    const path = `/v1/payment-links/${slug}`
    const call = { secret: null, headers: { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) } }
    return {
      params: paramsIn(ctx.query),
      isSent: ctx.query['sent'] === '1',
      reader: readerOf(ctx, null),
      read: () => api.call('GET', `${path}/public`, call),
      open: (params) => api.call('POST', `${path}/sessions`, { ...call, body: bodyOf(params) }),
    }
  }

  router.get('/l/:slug', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missingPage(readerOf(ctx, null).language))
    if (/prefetch/i.test(ctx.get('sec-purpose') || ctx.get('purpose'))) {
      ctx.status = 204
      ctx.set('Cache-Control', 'no-store')
      return
    }
    const next = ctx.method === 'HEAD' ? await look(visited) : await enter(visited)
    if (typeof next !== 'string') return render(ctx, next)
    ctx.status = 303
    ctx.set({ Location: next, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
  })
}

const taken = ['amount', 'customer_email', 'customer_name', 'reference']

/** The query parameters that are not empty. Of a parameter that is given twice, the first value counts. */
function paramsIn(query: Record<string, string | string[] | undefined>): Params {
  const params = Object.entries(query).flatMap(([name, value]) => {
    const text = (Array.isArray(value) ? value[0] : value)?.trim()
    return text && (taken.includes(name) || name.startsWith('utm_')) ? [[name, text] as const] : []
  })
  return Object.fromEntries(params)
}

function bodyOf(params: Params): object {
  const isCampaign = ([name]: [string, string]) => name.startsWith('utm_')
  const entries = Object.entries(params)
  return {
    ...Object.fromEntries(entries.filter((entry) => !isCampaign(entry))),
    utm: Object.fromEntries(entries.filter(isCampaign)),
  }
}

/** Opens a session and returns its path, or the page that says why not. */
async function enter(visit: Visit): Promise<Page | string> {
  const { params, open, read } = visit
  const { language, mark } = visit.reader
  const { answer, wrong } = await openWhatFits(params, open)
  if (answer.ok) return `/checkout/${answer.body.client_secret}${unfitOf(params, wrong)}`
  const { refused } = answer
  const asksAmount = errorsIn(refused).includes('amount')
  if (refused.code !== 'CONFLICT' && !asksAmount) return unreadPage(refused, language)
  const link = await read()
  if (!link.ok) return unreadPage(link.refused, language)
  const { asked_amount: requested } = link.body
  if (!requested || refused.code === 'CONFLICT') return closedPage(link.body, visit.reader)
  const { amount: typed } = params
  const amount = typed === undefined ? typed : readAmount(typed, requested.currency, mark)
  // The amount as typed was refused: it is tried again in the API's form.
  if (typed !== undefined && amount !== undefined && amount !== typed)
    return enter({ ...visit, params: { ...params, amount }, typed })
  // Other errors of an amount are about its form (`value_error.format`) or its bounds (`value_error.range`).
  const isUnpaid = refused.errors.some(({ field, type }) => field === 'amount' && type === 'value_error')
  return amountPage(link.body, requested, visit, isUnpaid)
}

/** Opens the link without the invalid query parameters, so that they do not stop the payment. An amount is required. */
async function openWhatFits(params: Params, open: Visit['open']) {
  const answer = await open(params)
  const wrong = answer.ok ? [] : errorsIn(answer.refused).filter((name) => name !== 'amount')
  if (wrong.length === 0) return { answer, wrong }
  return { answer: await open(without(params, wrong)), wrong }
}

const errorsIn = ({ errors }: Refused): string[] => errors.map(({ field }) => field.split('.')[0] ?? '')

/**
 * The invalid details as a query for the session's page, where the buyer corrects them; the name goes with its email.
 */
function unfitOf(params: Params, wrong: string[]): string {
  const names = ['customer_email', 'customer_name']
  const first = names.findIndex((name) => wrong.includes(name))
  const unfit =
    first < 0 ? [] : names.slice(first).flatMap((name) => (params[name] ? [[name, params[name].slice(0, 320)]] : []))
  return unfit.length > 0 ? `?${new URLSearchParams(unfit).toString()}` : ''
}

const without = (params: Params, wrong: string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !wrong.includes(name.startsWith('utm_') ? 'utm' : name)))

/** The page that `enter` would show, without opening a session. */
async function look({ read, reader }: Visit): Promise<Page> {
  const link = await read()
  if (!link.ok) return unreadPage(link.refused, reader.language)
  return { ...closedPage(link.body, reader), ...(link.body.status === 'open' && { status: 200 }) }
}

/** What both pages show of the link: the seller's brand, as on the page of a session. */
const shownOf = (link: Link) => ({
  session: null,
  link,
  ...brandOf(link.merchant),
  isTest: link.environment === 'sandbox',
})

/**
 * The page that asks for the amount. Its form returns to this address with all query parameters. `isUnpaid`: the amount
 * was in its bounds, but too little or too much for the payment methods.
 */
function amountPage(link: Link, requested: RequestedAmount, visit: Visit, isUnpaid: boolean): Page {
  const { params, typed, isSent, reader } = visit
  const { language } = reader
  const { amount, ...kept } = params
  const value = typed ?? amount ?? (isSent ? '' : undefined)
  const words = isUnpaid ? language.say('wrong.amount.unpaid') : amountWords(language, requested, amount)
  const isBounded = requested.minimum_amount !== null || requested.maximum_amount !== null
  return {
    template: 'link-amount',
    status: value === undefined ? 200 : 400,
    title: language.say('title.pay', { merchant: link.merchant_name }),
    language,
    data: {
      ...shownOf(link),
      requested,
      kept,
      range: isBounded ? amountWords(language, requested) : null,
      each: requested.quantity > 1 ? language.say('link.each', { quantity: requested.quantity }) : null,
      value: value ?? requested.suggested_amount,
      errors: value === undefined ? {} : { amount: words },
    },
  }
}

/** The page of a closed link, with the merchant's own message if it has set one. */
function closedPage(link: Link, { language }: Reader): Page {
  const title: WordKey = `link.${link.status}`
  const own = link.status === 'open' ? null : link.inactive_message
  return {
    template: 'link-closed',
    status: 410,
    title: language.say(title),
    language,
    data: { ...shownOf(link), words: own ?? language.say(`${title}.why`) },
  }
}
