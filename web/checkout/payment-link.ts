import type Router from '@koa/router'
import type { Static } from 'typebox'
import type { Context } from 'koa'
import type { RequestedAmount, OpenedCheckout, PublicPaymentLink } from '../../schemas/checkout/payment-link.ts'
import { type DecimalMark, decimalMarkOf, readAmount } from './amount.ts'
import type { Answer, Api, Refused } from '../api.ts'
import type { Page, Render } from '../render.ts'
import { amountWords, problem } from '../words.ts'

type Means = { api: Api; render: Render; callFor: (ctx: Context) => Record<string, string> }
type Link = Static<typeof PublicPaymentLink>
type Opened = Static<typeof OpenedCheckout>

/** What the address says about the buyer and the sale, by the names of its query. */
type Told = Record<string, string>

/** One visit: which link, what its address tells, and how the API is called for this buyer. */
type Visit = {
  told: Told
  /** The amount as it was typed, where that is not how the API reads it. */
  typed?: string
  /** What stands before the cents where the buyer comes from. */
  mark: DecimalMark
  read: () => Promise<Answer<Link>>
  open: (told: Told) => Promise<Answer<Opened>>
}

/**
 * Payment links: `GET /l/{slug}` opens a new session and goes on to its page. Only where the buyer has to say an amount
 * first, or the link sells nothing any more, it is a page itself. Who only looks, or fetches ahead, opens nothing.
 */
export function addPaymentLinkPage(router: Router, { api, render, callFor }: Means): void {
  const visit = (ctx: Context): Visit | null => {
    const { slug } = ctx['params'] as { slug: string }
    if (!/^[0-9a-z]{16}$/.test(slug)) return null
    const path = `/v1/payment-links/${slug}`
    const call = { secret: null, headers: { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) } }
    return {
      told: toldIn(ctx.query),
      mark: decimalMarkOf(ctx.get('accept-language')),
      read: () => api.call('GET', `${path}/public`, call),
      open: (told) => api.call('POST', `${path}/sessions`, { ...call, body: bodyOf(told) }),
    }
  }

  router.get('/l/:slug', async (ctx) => {
    const visited = visit(ctx)
    if (!visited) return render(ctx, missing)
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

/** What of a query counts: a name that is there twice counts once, and what is empty is not there. */
function toldIn(query: Record<string, string | string[] | undefined>): Told {
  const told = Object.entries(query).flatMap(([name, value]) => {
    const text = (Array.isArray(value) ? value[0] : value)?.trim()
    return text && (taken.includes(name) || name.startsWith('utm_')) ? [[name, text] as const] : []
  })
  return Object.fromEntries(told)
}

function bodyOf(told: Told): object {
  const isCampaign = ([name]: [string, string]) => name.startsWith('utm_')
  const entries = Object.entries(told)
  return {
    ...Object.fromEntries(entries.filter((entry) => !isCampaign(entry))),
    utm: Object.fromEntries(entries.filter(isCampaign)),
  }
}

/** Where the buyer goes on, or the page that says why not. */
async function enter(visit: Visit): Promise<Page | string> {
  const { told, open, read } = visit
  const { answer, wrong } = await openWhatFits(told, open)
  if (answer.ok) return `/checkout/${answer.body.client_secret}${unfitOf(told, wrong)}`
  const { refused } = answer
  const asksAmount = errorsIn(refused).includes('amount')
  if (refused.code !== 'CONFLICT' && !asksAmount) return unavailable(refused)
  const link = await read()
  if (!link.ok) return unavailable(link.refused)
  const { asked_amount: asked } = link.body
  if (!asked || refused.code === 'CONFLICT') return closedPage(link.body)
  const { amount: typed } = told
  const amount = typed === undefined ? typed : readAmount(typed, asked.currency, visit.mark)
  // Typed as people do: once more, as the API reads it.
  if (typed !== undefined && amount !== undefined && amount !== typed)
    return enter({ ...visit, told: { ...told, amount }, typed })
  return amountPage(link.body, asked, visit)
}

/** A prefill that nobody can use keeps nobody from paying: the link is opened without it. An amount is needed. */
async function openWhatFits(told: Told, open: Visit['open']) {
  const answer = await open(told)
  const wrong = answer.ok ? [] : errorsIn(answer.refused).filter((name) => name !== 'amount')
  if (wrong.length === 0) return { answer, wrong }
  return { answer: await open(without(told, wrong)), wrong }
}

const errorsIn = ({ errors }: Refused): string[] => errors.map(({ field }) => field.split('.')[0] ?? '')

/** What the buyer can correct of a prefill, as the session's page takes it; a bad email takes its name along. */
function unfitOf(told: Told, wrong: string[]): string {
  const names = ['customer_email', 'customer_name']
  const first = names.findIndex((name) => wrong.includes(name))
  const unfit =
    first < 0 ? [] : names.slice(first).flatMap((name) => (told[name] ? [[name, told[name].slice(0, 320)]] : []))
  return unfit.length > 0 ? `?${new URLSearchParams(unfit).toString()}` : ''
}

const without = (told: Told, wrong: string[]): Told =>
  Object.fromEntries(Object.entries(told).filter(([name]) => !wrong.includes(name.startsWith('utm_') ? 'utm' : name)))

/** What `enter` would show, without opening anything. */
async function look({ read }: Visit): Promise<Page> {
  const link = await read()
  if (!link.ok) return unavailable(link.refused)
  return { ...closedPage(link.body), ...(link.body.status === 'open' && { status: 200 }) }
}

/** Asks for the amount, in a form that comes back to this address with all that it had told. */
function amountPage(link: Link, asked: RequestedAmount, { told, typed }: Visit): Page {
  const { amount, ...kept } = told
  const value = typed ?? amount
  const isBounded = asked.minimum_amount !== null || asked.maximum_amount !== null
  return {
    template: 'link-amount',
    status: amount === undefined ? 200 : 400,
    title: `Pay ${link.merchant_name}`,
    data: {
      session: null,
      link,
      asked,
      kept,
      range: isBounded ? amountWords(asked) : null,
      value: value ?? asked.suggested_amount,
      errors: value === undefined ? {} : { amount: amountWords(asked, amount) },
    },
  }
}

const closings = {
  open: ['This is not available', 'This link cannot be used to pay at the moment.'],
  inactive: ['This link is not in use', 'You cannot pay here at the moment.'],
  expired: ['This link has expired', 'You can no longer pay here.'],
  completed: ['This is no longer available', 'Everything that this link sold has been sold.'],
} as const

/** Why nothing is sold here; in the merchant's own words where it has left some. */
function closedPage(link: Link): Page {
  const [title, words] = closings[link.status]
  const own = link.status === 'open' ? null : link.inactive_message
  return {
    template: 'link-closed',
    status: 410,
    title,
    data: { session: null, link, words: own ?? words },
  }
}

const missing: Page = {
  template: 'missing',
  status: 404,
  title: 'This page does not exist',
  data: { session: null },
}

/** No answer for the moment, which the page waits for; or no link. */
function unavailable({ status, code, waitSeconds }: Refused): Page {
  if (status === 404) return missing
  return {
    template: 'unavailable',
    status,
    title: 'Please wait a moment',
    data: { session: null, words: problem(code, waitSeconds), kept: null },
    pollSeconds: Math.min(waitSeconds ?? 5, 60),
  }
}
