import assert from 'node:assert/strict'
import { test } from 'node:test'
import Router from '@koa/router'
import { roles, type Role, scopesOf } from '../../domain/access/role.ts'
import type { Scope } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import { createPages } from '../../web/pages.ts'
import { fromAnywhere } from '../support/api.ts'
import { createFirstViews } from '../support/first-view.ts'
import { openPages } from '../support/pages.ts'
import type { Owner } from '../support/resource.ts'
import { makers } from '../support/resources.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { addUser } from '../support/user.ts'

// Opens every page of the dashboard and sends every form of it as every role, as a stranger and as nobody. A page
// whose folder or whose scope is missing in the tables below fails the first test.
const stack = await useStack()
const api = await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
atEnd(() => stack.dispatched())

/** The row that the pages of a folder are about, by the path parameter of the API that takes its id. */
const rowOfFolder: Record<string, string> = {
  accounts: 'account_id',
  conversions: 'conversion_id',
  customers: 'customer_id',
  destinations: 'destination_id',
  disputes: 'dispute_id',
  events: 'event_id',
  invoices: 'invoice_id',
  keys: 'api_key_id',
  logs: 'request_id',
  'payment-links': 'payment_link_id',
  payments: 'payment_id',
  payouts: 'payout_id',
  'product-groups': 'product_group_id',
  products: 'product_id',
  subscriptions: 'subscription_id',
  'settings/team': 'user_id',
  'settings/team/invitations': 'invitation_id',
  'test-clocks': 'clock_id',
  timelines: 'payment_id',
  webhooks: 'endpoint_id',
  'webhooks/deliveries': 'delivery_id',
  'webhooks/recoveries': 'recovery_id',
}

/** Whose rows belong to a person: each visitor here has others. */
const ofPerson = 'settings/sessions'

/** Who may manage people and keys: no scope, as keys never may. */
const managers: readonly Role[] = ['owner', 'admin']

/** What each form needs, and each page that is there for a form alone; `everybody` is signed in. */
const needs: Record<string, Scope | 'managers' | 'everybody'> = {
  '/environment': 'everybody',
  'POST /logout': 'everybody',
  '/keys': 'managers',
  '/keys/:id': 'managers',
  '/keys/:id/revoke': 'managers',
  'POST /accounts/:id/capabilities': 'accounts:write',
  'POST /accounts/:id/link': 'accounts:write',
  '/conversions/new': 'conversions:write',
  '/customers/:id/edit': 'customers:write',
  'POST /customers/:id/portal': 'customer_sessions:write',
  '/customers/new': 'customers:write',
  'POST /destinations/:id/default': 'payouts:write',
  '/destinations/:id/edit': 'payouts:write',
  '/destinations/:id/remove': 'payouts:write',
  '/destinations/new': 'payouts:write',
  '/disputes/:id/accept': 'disputes:write',
  'POST /disputes/:id/evidence': 'disputes:write',
  '/disputes/:id/submit': 'disputes:write',
  '/payment-links/:id/edit': 'payments:write',
  '/payment-links/:id/off': 'payments:write',
  'POST /payment-links/:id/on': 'payments:write',
  '/payment-links/new': 'payments:write',
  '/payments/:id/refund': 'refunds:write',
  '/payouts/new': 'payouts:write',
  '/product-groups/:id/archive': 'products:write',
  '/product-groups/:id/edit': 'products:write',
  'POST /product-groups/:id/restore': 'products:write',
  '/product-groups/new': 'products:write',
  '/products/:id/archive': 'products:write',
  '/products/:id/edit': 'products:write',
  'POST /products/:id/restore': 'products:write',
  '/products/new': 'products:write',
  '/schedule/:currency': 'payouts:write',
  'POST /settings': 'accounts:write',
  'POST /settings/checkout': 'accounts:write',
  'POST /settings/logo': 'accounts:write',
  'POST /settings/logo/remove': 'accounts:write',
  '/settings/sign-in/authenticator': 'everybody',
  'POST /settings/sign-in/authenticator/confirm': 'everybody',
  '/settings/sign-in/backup-codes': 'everybody',
  'POST /settings/sign-in/code': 'everybody',
  '/settings/sign-in/password': 'everybody',
  '/settings/sessions/:id': 'everybody',
  '/settings/sessions/all': 'everybody',
  '/settings/team/:id': 'managers',
  '/settings/team/:id/remove': 'managers',
  'POST /settings/team/invitations': 'managers',
  '/settings/team/invitations/:id': 'managers',
  'POST /settings/team/invitations/:id/resend': 'managers',
  'POST /settings/team/invitations/:id/revoke': 'managers',
  '/test-clocks': 'test_helpers:write',
  '/test-clocks/:id': 'test_helpers:write',
  'POST /test-clocks/:id/advance': 'test_helpers:write',
  'POST /test-clocks/:id/attach': 'test_helpers:write',
  '/test-clocks/:id/delete': 'test_helpers:write',
  'POST /events/:id/resend': 'webhooks:write',
  '/webhooks/:id/delete': 'webhooks:write',
  '/webhooks/:id/edit': 'webhooks:write',
  '/webhooks/:id/off': 'webhooks:write',
  'POST /webhooks/:id/on': 'webhooks:write',
  '/webhooks/:id/recover': 'webhooks:write',
  '/webhooks/:id/rotate': 'webhooks:write',
  'POST /webhooks/:id/secret': 'webhooks:write',
  'POST /webhooks/:id/test': 'webhooks:write',
  'POST /webhooks/deliveries/:id/resend': 'webhooks:write',
  '/webhooks/new': 'webhooks:write',
}

/** What is typed into every form, as one that changes nothing would make no call. */
const typed = { product_description: 'Typed by somebody.', capability: 'payouts' }

/** The forms that may have a file or long texts. */
const withFile = new Set([
  'POST /customers/:id/edit',
  'POST /customers/new',
  'POST /disputes/:id/evidence',
  'POST /payment-links/:id/edit',
  'POST /payment-links/new',
  'POST /product-groups/:id/edit',
  'POST /product-groups/new',
  'POST /products/:id/edit',
  'POST /products/new',
  'POST /settings/logo',
])

type Route = { method: 'GET' | 'POST'; path: string }

/** The pages for whoever is not signed in yet: test/access/invitation.browser.test.ts visits those of an invitation. */
const isForVisitors = (path: string) => /^\/dashboard\/(login|invitation)(\/|$)/.test(path)

/** The routes of the dashboard for whoever is signed in, relative to its address. */
function routesOfDashboard(): Route[] {
  const router = new Router()
  createPages({ address: () => null, callFor: () => ({}), now: () => 0, publicUrl: '' })(router)
  return router.stack.flatMap(({ methods, path }) => {
    const own = String(path)
    if (!own.startsWith('/dashboard') || isForVisitors(own) || own.includes('{*')) return []
    return [{ method: methods.includes('POST') ? ('POST' as const) : ('GET' as const), path: own.slice(10) }]
  })
}
const routes = routesOfDashboard()
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const needOf = (route: Route) => needs[nameOf(route)] ?? needs[route.path]

function may(role: Role, route: Route): boolean {
  const need = needOf(route)
  if (need === 'managers') return managers.includes(role)
  return need === undefined || need === 'everybody' || scopesOf(role).includes(need)
}

async function newOwner(): Promise<Owner> {
  const accountId = await api.addAccount()
  const keys = {
    sandbox: await api.addKey({ accountId }),
    live: await api.addKey({ accountId, environment: 'live' as const }),
  }
  return { accountId, keys }
}
const own = await newOwner()
const foreign = await newOwner()

/** One row of each kind that a page is about. */
const made = new Map<string, string>()
for (const name of new Set(Object.values(rowOfFolder))) {
  const maker = makers[name]
  assert.ok(maker, `there is no maker for ${name}`)
  made.set(name, (await maker.make(stack, own, 'sandbox')).id)
}

const folderOf = (path: string): string => path.slice(1).split('/:id')[0] ?? ''

/** The address of a page, about our own row. Further parameters name nothing. */
function addressOf({ path }: Route): string {
  const id = made.get(rowOfFolder[folderOf(path)] ?? '') ?? newId('ses', 0)
  return `/dashboard${path.replace(':id', id).replace(':currency', 'NGN').replaceAll(/:\w+/g, newId('doc', 0))}`
}

type Visit = { status: number; text: string; to: string }

/** Visits a page as a new person, so that nobody reaches the limit of calls; without a role as nobody. */
async function visit(route: Route, who: { role: Role; of: Owner } | null, headers: Record<string, string> = {}) {
  const person = who && (await addUser(stack, { accountId: who.of.accountId, role: who.role }))
  const cookie = person ? `dashboard_access=${await person.token()}; dashboard_refresh=rt_none` : ''
  const form = withFile.has(nameOf(route)) ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries(typed)) form.append(name, value)
  const answer = await fetch(pages.base + addressOf(route), {
    method: route.method,
    redirect: 'manual',
    headers: { ...fromAnywhere(), cookie, 'sec-fetch-site': 'same-origin', ...headers },
    ...(route.method === 'POST' && { body: form }),
  })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') ?? '' } satisfies Visit
}

const merchants = roles.filter((role) => role !== 'reviewer')
const gets = routes.filter(({ method }) => method === 'GET')
const posts = routes.filter(({ method }) => method === 'POST')
const isAboutRow = ({ path }: Route) => path.includes(':id')
const isOfPerson = ({ path }: Route) => isAboutRow({ method: 'GET', path }) && folderOf(path) === ofPerson

test('every folder with pages about a row and every form is in the tables, and nothing else is', () => {
  const folders = new Set(routes.filter(isAboutRow).map(({ path }) => folderOf(path)))
  assert.deepEqual([...folders].toSorted(), [...Object.keys(rowOfFolder), ofPerson].toSorted())
  assert.deepEqual(
    posts.filter((route) => needOf(route) === undefined).map(nameOf),
    [],
    'each form needs a scope: name it in `needs`',
  )
  const known = new Set(routes.flatMap((route) => [nameOf(route), route.path]))
  assert.deepEqual(
    Object.keys(needs).filter((name) => !known.has(name)),
    [],
  )
})

/** Which route an address of a page leads to; null where it leads out of the dashboard. */
function routeAt(method: Route['method'], address: string): Route | null {
  const path = address.split(/[?#]/)[0]?.slice('/dashboard'.length) ?? ''
  const fits = (route: Route) =>
    route.method === method &&
    new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  return routes.find((route) => route.path === path && route.method === method) ?? routes.find(fits) ?? null
}

/** Whether a page only leads to another page of the dashboard, which is tried by itself. A form never does. */
const leadsOn = (route: Route, to: string): boolean =>
  route.method === 'GET' && route.path === '/webhooks/:id/secret' && routeAt('GET', to)?.path === '/webhooks/:id'

/** The forms and links of a page that lead to a route of the dashboard. */
function offered(html: string): Route[] {
  const links = [...html.matchAll(/<a [^>]*href="(\/dashboard[^"]*)"/g)].map(([, to = '']) => routeAt('GET', to))
  const forms = [...html.matchAll(/<form [^>]*method="post"[^>]*>/g)].map(([form]) => {
    const to = /action="([^"]*)"/.exec(form)?.[1] ?? ''
    const route = routeAt('POST', to)
    assert.ok(route, `a form leads to ${to}, where no form is expected`)
    return route
  })
  const buttons = [...html.matchAll(/formaction="([^"]*)"/g)].map(([, to = '']) => routeAt('POST', to))
  return [...links, ...forms, ...buttons].filter((route) => route !== null)
}

const namesNothing = (route: Route) => route.path.includes('/:document') || isOfPerson(route)

for (const role of merchants) {
  test(`${role}: opens each page that the role may open, which offers only what the role may do`, async () => {
    for (const route of gets) {
      const { status, text, to } = await visit(route, { role, of: own })
      const name = `${nameOf(route)} as ${role}`
      if (!may(role, route)) assert.equal(status, 403, name)
      else if (status === 303) assert.match(to, /^\/dashboard(?!\/login)/, name)
      else assert.ok(status === 200 || (status === 404 && namesNothing(route)), `${name}: ${status}`)
      for (const each of offered(text)) assert.ok(may(role, each), `${name} offers ${nameOf(each)}`)
      for (const [, after] of text.matchAll(/<form [^>]*method="post"[^>]*>(.{0,120})/gs)) {
        assert.match(String(after), /^<input type="hidden" name="shown_to" value="\w+\.usr_\w+">/, name)
      }
    }
  })

  test(`${role}: sends no form that the role may not send`, async () => {
    for (const route of posts.filter((each) => !may(role, each))) {
      const { status } = await visit(route, { role, of: own })
      assert.equal(status, 403, `${nameOf(route)} as ${role}`)
    }
  })
}

test('an owner of another organization finds none of its rows', async () => {
  for (const route of routes.filter(isAboutRow)) {
    const { status, text, to } = await visit(route, { role: 'owner', of: foreign })
    const isBackAtList = status === 303 && to === `/dashboard/${folderOf(route.path)}`
    assert.ok(status === 404 || isBackAtList || leadsOn(route, to), `${nameOf(route)}: ${status} ${text.slice(0, 300)}`)
  }
})

/** Only a form is answered with a page to nobody, and the page has nothing but what was sent. */
function assertHeld(route: Route, page: string): void {
  assert.equal(route.method, 'POST', nameOf(route))
  assert.match(page, /<h1>(You are signed out|Not saved)<\/h1>/, nameOf(route))
  assert.ok(page.includes(typed.product_description), `${nameOf(route)} gives back what was typed`)
  const others = [...made.values()].filter((id) => !addressOf(route).includes(id))
  for (const id of others) assert.ok(!page.includes(id), nameOf(route))
}

test('whoever is not signed in, and staff of the platform, see no page and send no form', async () => {
  for (const route of routes) {
    const nobody = await visit(route, null)
    if (nobody.status === 401) assertHeld(route, nobody.text)
    else assert.equal(nobody.status, 303, `${nameOf(route)} as nobody`)
    const isLedAway = nobody.to.startsWith('/dashboard/login') || leadsOn(route, nobody.to)
    if (nobody.status === 303) assert.ok(isLedAway, `${nameOf(route)} leads nobody to ${nobody.to}`)
    if (needOf(route) === 'everybody') continue
    const { status, text } = await visit(route, { role: 'reviewer', of: own })
    const isRefused = [303, 403, 404].includes(status)
    assert.ok(isRefused || (route.method === 'GET' && !isAboutRow(route)), `${nameOf(route)} as staff: ${status}`)
    for (const id of made.values()) assert.ok(isRefused || !text.includes(id), `${nameOf(route)} as staff`)
  }
})

test('a form that another site sends is refused, whoever is signed in', async () => {
  for (const route of posts) {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status } = await visit(route, { role: 'owner', of: own }, { 'sec-fetch-site': site })
      assert.equal(status, 403, `${nameOf(route)} from ${site}`)
    }
  }
})

test('a first view of each page has at most 150 KB in 12 requests, all of them to us', async () => {
  const assertFirstView = createFirstViews(pages.base)
  for (const route of gets) {
    const { status, text } = await visit(route, { role: 'owner', of: own })
    if (status !== 200 || !text.startsWith('<!doctype html>')) continue
    await assertFirstView(nameOf(route), text)
  }
})
