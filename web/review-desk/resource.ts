import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { FoundResource } from '../../schemas/sight/found.ts'
import { shownTimeline } from '../sight/timeline.ts'
import { isUnknown, unknown } from '../sight/timeline-pages.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { moment, money, plainWord } from '../words.ts'
import { actionNotice, addActions, factsOfAny, shownActions } from './actions.ts'
import { type Fact, type FormState, idIn, nothingTyped, type Overview, pageOfResource, readTimeline } from './page.ts'

type Found = Static<typeof FoundResource>

/** `/ops/timelines`: finds any id. `/ops/timelines/{id}`: a resource of a kind that has no page of its own. */
export function addResourcePages(site: Site): void {
  const { home, sessions, read, show, showRefused, goToLogin } = site

  async function find(ctx: Context, id: string, found: (resource: Found) => Promise<void> | void): Promise<void> {
    const answer = await sessions.call<Found>(ctx, 'GET', `/api/v1/admin/resources/${encodeURIComponent(id)}`)
    if (answer.ok) return found(answer.body)
    if (isUnknown(answer.refused)) return show(ctx, findPage(404, id, unknown))
    showRefused(ctx, answer.refused)
  }

  read('/timelines', async (ctx) => {
    const { id } = ctx.query
    if (!sessions.isKept(ctx)) return goToLogin(ctx)
    if (typeof id !== 'string') return show(ctx, findPage(200))
    const typed = id.trim()
    if (typed === '') return show(ctx, findPage(422, '', 'Enter an id.'))
    await find(ctx, typed, (resource) => goTo(ctx, pageFor(home, resource)))
  })

  const showResource = (ctx: Context, formState: FormState): Promise<void> =>
    find(ctx, (ctx['params'] as { id: string }).id.trim(), async (found) => {
      const place = pageFor(home, found)
      if (place !== `${home}/timelines/${idIn(ctx)}`) return goTo(ctx, place)
      const overview = found.has_timeline ? await readTimeline(site, ctx) : null
      if (overview && !overview.ok) return showRefused(ctx, overview.refused)
      show(ctx, foundPage(home, found, overview?.body ?? null, formState))
    })

  read('/timelines/:id', async (ctx) => {
    const notice = ctx.query['done'] === undefined ? null : await noticeFor(site, ctx)
    await showResource(ctx, { notice })
  })
  addActions(site, {
    folder: 'timelines',
    show: showResource,
    factsOf: async (_ctx, overview) => ({ ok: true, body: factsOfAny(overview) }),
  })
}

/** What is said after an action; its words depend on the kind of resource. */
async function noticeFor(site: Site, ctx: Context): Promise<string | null> {
  const overview = await readTimeline(site, ctx)
  return overview.ok ? actionNotice(ctx, overview.body.resource) : null
}

/** Where a resource is shown. A review and an action of staff are shown on the page of what they are about. */
function pageFor(home: string, { resource, resource_id: id, related }: Found): string {
  const about = resource === 'review' || resource === 'operator_action' ? related[0] : undefined
  return about ? `${home}/timelines/${encodeURIComponent(about.id)}` : pageOfResource(home, resource, id)
}

const findPage = (status: number, typed = '', error?: string) =>
  pageOf(
    'ops/look-up',
    'Find any id',
    { isSignedIn: true, at: '/timelines', typedId: typed, errors: error ? { id: error } : {} },
    status,
  )

function foundPage(home: string, found: Found, overview: Overview | null, formState: FormState) {
  const id = found.resource_id
  return pageOf(
    'ops/found',
    nameWords(found.resource),
    {
      isSignedIn: true,
      at: '/timelines',
      form: '',
      typed: nothingTyped,
      ...formState,
      id,
      status: found.status && plainWord(found.status),
      facts: factsOf(home, found).filter(([, value]) => value),
      related: found.related.map(({ name, id: other }): Fact => [nameWords(name), other, pageOfId(home, other)]),
      helps: overview?.helps ?? null,
      acting: overview && shownActions(overview, `${home}/timelines/${encodeURIComponent(id)}`, formState),
      timeline: overview && shownTimeline(overview, { home, isForStaff: true }),
      process: found.process,
      auditOf: id,
    },
    formState.status ?? 200,
  )
}

const pageOfId = (home: string, id: string): string => `${home}/timelines/${encodeURIComponent(id)}`

function factsOf(home: string, found: Found): Fact[] {
  const { account_id: account, account_name: name, environment, amount, currency, created_at: created } = found
  return [
    ['Merchant', account && [name ?? account, environment].filter(Boolean).join(', '), `${home}/accounts/${account}`],
    ['Id', found.resource_id],
    ['Status', found.status && plainWord(found.status)],
    ['Amount', amount !== null && currency !== null ? money(amount, currency) : null],
    ['Created', created && moment(created)],
    ...found.facts.map(({ name: fact, value }): Fact => [nameWords(fact), valueWords(fact, value)]),
  ]
}

/** The name of a kind or a field in words: `failure_code` is `Failure code`, `charge_id` is `Charge`. */
function nameWords(name: string): string {
  const words = plainWord(name.replace(/_id$/, ''))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Fields whose values are words of ours, such as `requires_action`. Others, such as a reference, stay as they are. */
const isOfOurs = /(status|type|reason|role|collection|scope|trigger|action)$/
const isCode = /^[a-z]+(_[a-z]+)+$/

function valueWords(name: string, value: string): string {
  if (isOfOurs.test(name) && isCode.test(value)) return plainWord(value)
  if (value === 'true' || value === 'false') return value === 'true' ? 'Yes' : 'No'
  return isMoment.test(value) ? moment(value) : value
}
