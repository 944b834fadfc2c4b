import assert from 'node:assert/strict'
import { test } from 'node:test'
import Router from '@koa/router'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { createPages } from '../../web/pages.ts'
import { fromAnywhere } from '../support/api.ts'
import { completeAccount, forStaff } from '../support/connected-account.ts'
import { endow } from '../support/conversion.ts'
import { leftOpen, register } from '../support/destination.ts'
import { disputing } from '../support/dispute.ts'
import { createFirstViews } from '../support/first-view.ts'
import { sale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { addDestination } from '../support/payout.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { addUser, type TestUser } from '../support/user.ts'

// Every form of the review desk says whom it was shown to, and does nothing for anybody else (decision 0068). A form
// that no page below shows fails the first test.
const stack = await useStack()
await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const { merchant } = stack

type Route = { method: 'GET' | 'POST'; path: string }

function routesOfDesk(): Route[] {
  const router = new Router()
  createPages({ address: () => null, callFor: () => ({}), now: () => 0, publicUrl: '' })(router)
  return router.stack.flatMap(({ methods, path }) => {
    const own = String(path)
    if (!own.startsWith('/ops') || own.includes('{*')) return []
    return [{ method: methods.includes('POST') ? ('POST' as const) : ('GET' as const), path: own.slice(4) }]
  })
}

/** These mean the same for everybody. */
const forAll = ['/login', '/login/code', '/logout']
const routes = routesOfDesk()
const posts = routes.filter(({ method, path }) => method === 'POST' && !forAll.includes(path))
/** The routes of forms with a password or a code, which a page never gives back. */
const withSecret = posts.filter(({ path }) => path.startsWith('/settings/sign-in/') && !path.endsWith('/code'))

/** What a form says. Each is complete, so that nothing but its person is wrong. */
const reason = 'Typed by <b>somebody</b> else.'
const bodyOf = ({ path }: Route): Record<string, string> =>
  withSecret.some((route) => route.path === path)
    ? { password: 'a-password', code: '123456' }
    : { reason, decision: 'reject', form: 'act', proof_ref: 'S-7', confirmed: '1', for: 'password' }

/** A row of each kind, as it stands where staff have something to do about it. */
async function makeRows() {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  await endow(stack, owner.accountId, '90000000.00', 'NGN')
  const silent = await addDestination(stack, owner, { ends: '0003' })
  const { id: held } = await merchant.payOut(silent, { amount: '1000.00', reference: 'sandbox_hold' })
  const { id: stuck } = await merchant.payOut(silent, { amount: '1100.00' })
  const { id: destination } = await register(merchant, 'NGN', leftOpen)
  const { account_id: account } = await completeAccount(merchant, forStaff)
  const charge = await merchant.chargeByCard({ ...sale, amount: '25.00' })
  const { refund_id: refund } = await merchant.refund(charge, { reference: unansweredReference })
  const disputes = disputing(merchant)
  const { dispute_id: dispute } = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(dispute, { uncategorized_text: 'The goods were handed over.', submit: true })
  await until(async () => (await merchant.getPayout(held)).status === 'pending', 'a payout is held')
  await until(async () => (await merchant.getPayout(stuck)).status === 'processing', 'a payout is with its rail')
  await until(async () => (await merchant.getRefund(refund))['status'] === 'processing', 'a refund is with its rail')
  const withNetwork = 'select 1 from disputes where id = ? and rail_due is null'
  await until(async () => (await stack.sql(withNetwork, [dispute])).length === 1, 'a dispute is with its network')
  const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [held])
  return { held, stuck, destination, account, refund, dispute, review: review?.id ?? '' }
}
const rows = await makeRows()

/** The addresses of the pages that have forms, and those whose forms they have. */
const opened = [
  '/queue',
  '/stuck',
  '/audit',
  '/timelines',
  `/payouts/${rows.held}`,
  `/payouts/${rows.stuck}`,
  `/destinations/${rows.destination}`,
  `/accounts/${rows.account}`,
  `/disputes/${rows.dispute}`,
  `/timelines/${rows.refund}`,
  '/settings/sign-in',
  '/settings/sign-in/password',
  '/settings/sign-in/backup-codes',
  '/settings/sign-in/authenticator',
]

/** Where each form about a row is sent. */
const addresses: Record<string, string> = {
  '/reviews/:id/claim': `/reviews/${rows.review}/claim`,
  '/payouts/:id/review': `/payouts/${rows.held}/review`,
  '/payouts/:id/:action': `/payouts/${rows.stuck}/mark-settled`,
  '/destinations/:id/review': `/destinations/${rows.destination}/review`,
  '/accounts/:id/review': `/accounts/${rows.account}/review`,
  '/disputes/:id/:action': `/disputes/${rows.dispute}/mark-settled`,
  '/timelines/:id/:action': `/timelines/${rows.refund}/mark-settled`,
}
const addressOf = ({ path }: Route): string => addresses[path] ?? path

const newPerson = () => addUser(stack, { accountId: null, role: 'reviewer' })

async function visit(path: string, person: TestUser | null, body?: Record<string, string>, site = 'same-origin') {
  const cookie = person ? `ops_access=${await person.token()}; ops_refresh=rt_none` : ''
  const answer = await fetch(`${pages.base}/ops${path}`, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { ...fromAnywhere(), cookie, 'sec-fetch-site': site },
    ...(body && { body: new URLSearchParams(body) }),
  })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') ?? '' }
}

/** The route of a form; forms with an action in their address have several of them. */
function routeAt(address: string): Route | undefined {
  const path = address.slice('/ops'.length)
  const fits = (route: Route) => new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  const all = routes.filter(({ method }) => method === 'POST')
  return all.find((route) => route.path === path) ?? all.find(fits)
}

test('every form of every page says whom it was shown to, and each form is on a page', async () => {
  const person = await newPerson()
  const mailed = await newPerson()
  await stack.sql(`update users set method = 'email_otp' where id = ?`, [mailed.id])
  const uri = 'otpauth://totp/steadypay:a?secret=ABCDEFGHIJKLMNOP'
  const shown = [
    ...opened.map((path) => ({ path, as: person, body: undefined })),
    { path: '/settings/sign-in/password', as: mailed, body: undefined },
    { path: '/settings/sign-in/authenticator/confirm', as: person, body: { otpauth_uri: uri, code: '' } },
    { path: `/payouts/${rows.stuck}/mark-failed`, as: person, body: { reason } },
  ]
  const seen = new Set<string>()
  const assertFirstView = createFirstViews(pages.base)
  for (const { path, as, body } of shown) {
    const { text } = await visit(path, as, body)
    const forms = [...text.matchAll(/<form [^>]*method="post"[^>]*action="([^"]*)"[^>]*>(.{0,100})/gs)]
    assert.ok(forms.length > 0, path)
    for (const [form, action = '', after] of forms) {
      assert.ok(String(after).startsWith(`<input type="hidden" name="shown_to" value="any.${as.id}">`), form)
      seen.add(routeAt(action)?.path ?? action)
    }
    await assertFirstView(path, text)
  }
  assert.deepEqual([...seen].toSorted(), [...posts.map(({ path }) => path), '/logout'].toSorted())
})

/** What staff have done, and what is left of it. */
const done = () =>
  stack.sql(
    `select (select count(*) from operator_actions)::int as actions,
       (select count(*) from reviews where claimed_by is not null or decided_at is not null)::int as reviews,
       (select count(*) from audit_entries)::int as audited`,
  )

test('a form that was shown to one person does nothing for another who is signed in now', async () => {
  const before = await done()
  const [first, second] = [await newPerson(), await newPerson()]
  await stack.sql(`update users set full_name = 'The <b>Second</b>' where id = ?`, [second.id])
  for (const route of posts) {
    const { status, text, to } = await visit(addressOf(route), second, {
      ...bodyOf(route),
      shown_to: `any.${first.id}`,
    })
    if (withSecret.includes(route)) {
      assert.deepEqual([status, to.split('&')[0]], [303, '/ops/login?ended=1'], route.path)
      continue
    }
    assert.equal(status, 409, route.path)
    assert.match(text, /<h1>Nothing was done<\/h1>[\s\S]*Somebody else was signed in[\s\S]*The &lt;b&gt;Second/)
    assert.doesNotMatch(text, /Send it again|Typed by/, route.path)
  }
  assert.deepEqual(await done(), before)
})

test('whoever is signed out gets the form back, which is carried out for its person alone', async () => {
  const before = await done()
  const [person, other] = [await newPerson(), await newPerson()]
  const shownTo = `any.${person.id}`
  for (const route of posts) {
    const { status, text, to } = await visit(addressOf(route), null, { ...bodyOf(route), shown_to: shownTo })
    if (withSecret.includes(route))
      assert.deepEqual([status, to.split('&')[0]], [303, '/ops/login?ended=1'], route.path)
    else {
      assert.equal(status, 401, route.path)
      assert.match(text, /<h1>You are signed out<\/h1>[\s\S]*Typed by &lt;b&gt;[\s\S]*Send it again/)
      assert.ok(text.includes(`name="shown_to" value="${shownTo}"`), route.path)
    }
  }
  assert.deepEqual(await done(), before)
  for (const route of posts.filter((each) => !each.path.startsWith('/settings'))) {
    const sent = { ...bodyOf(route), shown_to: shownTo }
    assert.equal((await visit(addressOf(route), other, sent)).status, 409, route.path)
    const { status, to, text } = await visit(addressOf(route), person, sent)
    assert.equal(status, 303, `${route.path}: ${text}`)
    assert.doesNotMatch(to, /login/, route.path)
  }
  const by = await stack.sql(
    `select (select count(*) from operator_actions where proposed_by = ?)::int as actions,
       (select count(*) from reviews where claimed_by = ?)::int as claimed,
       (select count(*) from reviews where decided_by = ?)::int as decided`,
    [person.id, person.id, person.id],
  )
  assert.deepEqual(by, [{ actions: 3, claimed: 1, decided: 3 }])
})

test('a form that another site sends is refused, also with the right person in it', async () => {
  const person = await newPerson()
  for (const route of posts) {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const sent = { ...bodyOf(route), shown_to: `any.${person.id}` }
      assert.equal((await visit(addressOf(route), person, sent, site)).status, 403, `${route.path} from ${site}`)
    }
  }
})

test('to sign out and to sign in works from a page that was shown to somebody else', async () => {
  const [first, second] = [await newPerson(), await newPerson()]
  const shown_to = `any.${first.id}`
  const out = await visit('/logout', second, { shown_to })
  assert.notEqual(out.status, 409)
  const sent = await visit('/login', second, { shown_to, email: 'nobody@example.com', password: 'a-password' })
  assert.match(sent.text, /The email or password is incorrect/)
})
