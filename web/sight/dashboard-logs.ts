import type { Context } from 'koa'
import type { Static } from 'typebox'
import { type IdPrefix, idPattern } from '../../domain/id.ts'
import { errorCodes } from '../../domain/refusal.ts'
import type { TeamMember } from '../../schemas/access/team.ts'
import type { RequestLog } from '../../schemas/sight/request-log.ts'
import { codes } from '../docs/catalogue.ts'
import { pageOf, type Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { type Fact, factsOf, idIn, type Listed, pagesOf, queryOf, showUnlisted, showUnread } from './dashboard-lists.ts'
import { createdIn, dayIn, textIn, wordIn } from './list-filter.ts'

type Call = Static<typeof RequestLog>

export const logsLink = { path: '/logs', words: 'API log' }

const classes = { '2xx': 'Succeeded', '4xx': 'Refused', '5xx': 'Failed on our side' }
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const [pathMax, requestIdMax] = [255, 64]

/** `/dashboard/logs`: the calls of the last days, by their request ids; each with what its answer means. */
export function addLogPages(site: Site): void {
  const { home, sessions, read, show } = site
  const folder = `${home}${logsLink.path}`
  const common = { isSignedIn: true, at: logsLink.path, folder }

  read(logsLink.path, async (ctx) => {
    const path = textIn(ctx, 'path').slice(0, pathMax)
    const filters = {
      status: wordIn(ctx, 'status', Object.keys(classes)),
      error_code: wordIn(ctx, 'error_code', Object.keys(errorCodes)),
      method: wordIn(ctx, 'method', methods),
      path: path === '' || path.startsWith('/') ? path : `/${path}`,
      request_id: textIn(ctx, 'request_id').slice(0, requestIdMax),
    }
    const days = { from: dayIn(ctx, 'from'), to: dayIn(ctx, 'to') }
    const query = queryOf(ctx, { ...filters, ...createdIn(days) })
    const answer = await sessions.call<Listed<Call>>(ctx, 'GET', `/v1/request-logs?${query}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const data = {
      ...common,
      ...filters,
      ...days,
      isFiltered: Object.values({ ...filters, ...days }).some((value) => value !== ''),
      items: answer.body.items.map((call) => shownRow(call, folder)),
      pages: pagesOf(folder, answer.body.pagination, { ...filters, ...days }),
      classes,
      methods,
      codes: Object.keys(errorCodes),
    }
    show(ctx, pageOf('dashboard/logs', logsLink.words, data))
  })

  /** The name of a person of the organization; their id if they have left it. */
  async function nameOf(ctx: Context, userId: string): Promise<string> {
    const answer = await sessions.call<Listed<Static<typeof TeamMember>>>(ctx, 'GET', '/v1/team/members?limit=100')
    const found = answer.ok ? answer.body.items.find((member) => member.user_id === userId) : undefined
    return found ? found.full_name || found.email : userId
  }

  read(`${logsLink.path}/:id`, async (ctx) => {
    const answer = await sessions.call<Call>(ctx, 'GET', `/v1/request-logs/${idIn(ctx)}`)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const call = answer.body
    const who = call.user_id === null ? keyWords(call) : await nameOf(ctx, call.user_id)
    const data = {
      ...common,
      heading: `${call.method} ${call.path}`,
      state: stateOf(call),
      means: meaningOf(call),
      about: aboutOf(call, home),
      facts: factsOf(factsAbout(call, who, home)),
      others: `${folder}?${new URLSearchParams({ request_id: call.request_id })}`,
    }
    show(ctx, pageOf('dashboard/log', 'Call', data))
  })
}

const stateOf = ({ status, error_code: code }: Call) => ({
  words: code === null ? String(status) : `${status} ${code}`,
  isLate: status >= 400,
  isActive: status < 400,
})

const shownRow = (call: Call, folder: string) => ({
  link: `${folder}/${call.request_log_id}`,
  title: `${call.method} ${call.path}`,
  state: stateOf(call),
  requestId: call.request_id,
  duration: `${call.duration_ms} ms`,
  created: timeOf(call.created_at),
})

const keyWords = ({ api_key: key }: Call): string =>
  key?.last_four ? `API key …${key.last_four}` : `API key ${key?.api_key_id}`

/** What an error code means and what comes next; null for a call that succeeded. */
function meaningOf({ error_code: code }: Call) {
  const known = codes.find((each) => each.code === code)
  return known ? { ...known, link: `/docs/errors#${code}` } : null
}

/** Where the pages of a resource are, by the prefix of its id. */
const pageOfPrefix: Partial<Record<IdPrefix, string>> = {
  acct: 'accounts',
  cnv: 'conversions',
  cust: 'customers',
  dlv: 'webhooks/deliveries',
  dsp: 'disputes',
  evt: 'events',
  inv: 'invoices',
  pd: 'destinations',
  pg: 'product-groups',
  pl: 'payment-links',
  prod: 'products',
  sub: 'subscriptions',
  we: 'webhooks',
}
/** Payments and payouts share a prefix, and sessions and refunds have no page of their own: these are looked up. */
const lookedUp: readonly IdPrefix[] = ['chk', 'pay', 'ref']

/** The resources that stand in a path, with their pages. */
function aboutOf({ path }: Call, home: string): { id: string; link: string }[] {
  return path.split('/').flatMap((part) => {
    const isOf = (prefix: string) => new RegExp(idPattern(prefix as IdPrefix)).test(part)
    const [, page] = Object.entries(pageOfPrefix).find(([prefix]) => isOf(prefix)) ?? []
    if (page) return [{ id: part, link: `${home}/${page}/${part}` }]
    return lookedUp.some(isOf) ? [{ id: part, link: `${home}/timelines?id=${part}` }] : []
  })
}

const factsAbout = (call: Call, who: string, home: string): Fact[] => [
  ['Request id', call.request_id],
  ['Time', timeOf(call.created_at)],
  ['Called by', who],
  ['From', call.source === 'dashboard' ? 'A form of the dashboard' : null],
  ['For the connected account', call.acting_for, `${home}/accounts/${call.acting_for}`],
  ['Operation', call.operation],
  ['Path in the reference', call.route === call.path ? null : call.route],
  ['Wrong fields', call.error_fields.length > 0 ? call.error_fields.join(', ') : null],
  ['Stored answer', call.idempotent_replayed ? 'Yes: the same idempotency key was used before' : null],
  ['API version', call.api_version],
  ['Duration', `${call.duration_ms} ms`],
]
