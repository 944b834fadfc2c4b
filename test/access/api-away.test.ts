import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Session } from '../../web/checkout/screen.ts'
import { aboutOf } from '../../web/checkout/view.ts'
import { openStubbedPages } from '../support/stubbed-pages.ts'

// What the pages say while the API refuses calls: to people who are signed in, and to a browser without cookies.
const { base, router, send, answer } = await openStubbedPages()
beforeEach(() => void answer(() => 503))

/** The pages of a site for whoever is signed in. Its own address only leads to its first page. */
const pagesOf = (home: string): string[] =>
  router.stack
    .filter(({ methods }) => methods.includes('GET'))
    .map(({ path }) => String(path))
    .filter((path) => path.startsWith(`${home}/`) && !/\/(login|invitation)(\/|$)|\{\*/.test(path))

for (const home of ['/dashboard', '/ops']) {
  test(`${home}: no page sends a signed-in person to the login while the API is away`, async () => {
    const name = home.slice(1)
    const cookie = `${name}_access=at_any; ${name}_refresh=rt_any`
    const seen = new Set<number>()
    assert.ok(pagesOf(home).length > 10)
    for (const path of pagesOf(home)) {
      const address = path.replaceAll(/:\w+/g, 'any')
      const options = { headers: { cookie }, redirect: 'manual' } as const
      const { status, headers } = await fetch(base + address, options)
      assert.doesNotMatch(headers.get('location') ?? '', /login/, path)
      seen.add(status)
    }
    assert.ok(seen.has(503))
  })
}

for (const home of ['/portal', '/onboarding', '/dashboard/invitation']) {
  test(`${home}: a browser that takes no cookies is told so, and an expired link is just that`, async () => {
    const read = async (headers: Record<string, string>) => (await fetch(base + home, { headers })).text()
    assert.match(await read({}), /your browser blocks cookies\. Allow them for this site/)
    if (home === '/portal') assert.match(await read({ 'accept-language': 'fr' }), /bloque les cookies/)
    const cookie = ['portal_token', 'onboarding_token', 'invitation_token']
      .map((name) => `${name}=of_nobody`)
      .join('; ')
    assert.doesNotMatch(await read({ cookie }), /blocks cookies/)
  })
}

const signedIn = 'dashboard_access=at_any; dashboard_refresh=rt_any'
const me = {
  user: { id: 'usr_a', email: 'ada@example.com', full_name: 'Ada', hasOnboarded: true },
  role: 'owner',
  scopes: ['customers:write'],
  account_id: 'acct_a',
  environment: 'sandbox',
  environments: ['sandbox'],
  clock_ahead: null,
}
/** The form of a new customer, of a page that was shown to that person. */
function customerForm(): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ shown_to: 'sandbox.usr_a', name: 'Grace', email: 'g@example.com' }))
    form.append(name, value)
  return form
}

for (const status of [429, 503]) {
  test(`a long form that comes while the API answers ${status} is given back to somebody signed in`, async () => {
    answer(() => status)
    const page = await send('/dashboard/customers/new', signedIn, customerForm())
    const html = await page.text()
    assert.equal(page.status, status)
    assert.match(html, /Nothing was done/)
    assert.match(html, /name="name" value="Grace"/)
    assert.doesNotMatch(html, /signed out|session has ended/)
  })

  for (const [site, path, form] of [
    ['dashboard', '/dashboard/customers/cust_a/edit', customerForm],
    ['dashboard', '/dashboard/disputes/dis_a/evidence', customerForm],
    ['ops', '/ops/payouts/pay_a/review', () => new URLSearchParams({ shown_to: 'any.usr_a', name: 'Grace' })],
  ] as const) {
    test(`${site}: what was typed is given back where only a later call is answered ${status}`, async () => {
      answer((call) => (call === 'GET /api/v1/auth/me' ? me : status))
      const page = await send(path, `${site}_access=at_any; ${site}_refresh=rt_any`, form())
      const html = await page.text()
      assert.equal(page.status, status)
      assert.match(html, /<h1>That did not work<\/h1>/)
      assert.match(html, status === 429 ? /Too many attempts/ : /went wrong on our side/)
      assert.ok(html.includes(`action="${path}"`))
      assert.match(html, /name="name" value="Grace"/)
      assert.doesNotMatch(html, /signed out|You opened this form in|Somebody else was signed in/)
    })
  }

  test(`a form with a password that comes while the API answers ${status} leads nobody to the login`, async () => {
    answer(() => status)
    const secrets = { shown_to: 'sandbox.usr_a', current_password: 'a secret', new_password: 'a new secret' }
    const page = await send('/dashboard/settings/sign-in/password', signedIn, new URLSearchParams(secrets))
    const html = await page.text()
    assert.deepEqual([page.status, page.headers.get('location')], [status, null])
    assert.match(html, /That did not work/)
    assert.doesNotMatch(html, /a secret|a new secret/)
  })
}

test('a form whose session ends while it is handled is given back to somebody who is signed out', async () => {
  answer((call) => (call === 'GET /api/v1/auth/me' ? me : 401))
  const page = await send('/dashboard/customers/new', signedIn, customerForm())
  const html = await page.text()
  assert.equal(page.status, 401)
  assert.match(html, /<h1>You are signed out<\/h1>/)
  assert.match(html, /name="name" value="Grace"/)
  assert.doesNotMatch(html, /You opened this form in/)
})

/** What people read of a page: its scripts have words for other pages too. */
const mainOf = (html: string): string => /<main>[^]*<\/main>/.exec(html)?.[0] ?? ''

const onboarding = { about: `os_${'0'.repeat(34)}`, name: 'Grace & Co', email: 'g@example.com', form_key: 'key' }
const seller = `onboarding_token=${onboarding.about}_secret_${'a'.repeat(40)}`

for (const [what, answering] of [
  ['nothing can be read', () => 429],
  ['the account cannot be read', (call: string) => (call === 'GET /v1/onboarding' ? { account_id: 'acct_a' } : 503)],
] as const) {
  test(`a form of the onboarding is given back where ${what}, and speaks of no charge`, async () => {
    answer(answering)
    const page = await send('/onboarding/business', seller, new URLSearchParams(onboarding))
    const html = await page.text()
    assert.ok(page.status >= 429)
    assert.match(html, /action="\/onboarding\/business"/)
    for (const name of Object.keys(onboarding)) assert.ok(html.includes(`name="${name}"`), name)
    assert.match(html, /value="Grace &amp; Co"/)
    assert.match(html, /<button>Try again<\/button>/)
    assert.doesNotMatch(mainOf(html), /charged/)
  })
}

/** The seller whose forms are sent while a later call is refused: a company that has stated nothing yet. */
const ofSeller: Record<string, object> = {
  '/v1/onboarding': { account_id: 'acct_a' },
  '/v1/accounts/acct_a': {
    country: 'NG',
    business_type: 'company',
    company: {},
    capabilities: {},
    requirements: { currently_due: [], eventually_due: [], past_due: [], pending_verification: [], errors: [] },
  },
  '/v1/accounts/acct_a/persons': { items: [] },
}
const readOfSeller = (call: string) => ofSeller[call.slice(4).replace(/\?.*/, '')] ?? 503

for (const status of [429, 503]) {
  test(`a step of the onboarding says nothing is saved where its second call is answered ${status}`, async () => {
    let tries = 0
    const saving = () => (tries++ === 0 ? ['phone_number'] : status)
    answer((call) => (call.startsWith('GET ') ? readOfSeller(call) : saving()))
    const form = new URLSearchParams({ ...onboarding, first_name: 'Ada', phone_number: '12' })
    const page = await send('/onboarding/person', seller, form)
    const main = mainOf(await page.text())
    assert.deepEqual([page.status, tries], [status, 2])
    assert.doesNotMatch(main, /is saved/)
    assert.match(main, status === 429 ? /Too many attempts/ : /went wrong on our side/)
  })
}

for (const status of [409, 503])
  test(`a new person whose press is answered ${status} keeps its key, so that the next adds nobody else`, async () => {
    answer((call) => (call.startsWith('GET ') ? readOfSeller(call) : status))
    const person = { first_name: 'Ben', last_name: 'Okoro', date_of_birth: '1985-01-31', is_director: 'on' }
    const page = await send('/onboarding/people/new', seller, new URLSearchParams({ ...onboarding, ...person }))
    const html = await page.text()
    assert.equal(page.status, 503)
    assert.match(mainOf(html), /<h1>Add a person[^]*name="form_key" value="key"/)
  })

test('a new person whose date of birth was forgotten after an outage is sent with the first key', async () => {
  const keys: (string | undefined)[] = []
  answer((call, key) => (call.startsWith('GET ') ? readOfSeller(call) : (keys.push(key), 503)))
  const person = { first_name: 'Ben', last_name: 'Okoro', is_director: 'on' }
  let formKey = 'key'
  for (const [birth, status] of [
    ['1985-01-31', 503],
    ['', 422],
    ['1985-01-31', 503],
  ] as const) {
    const form = { ...onboarding, ...person, date_of_birth: birth, form_key: formKey }
    const page = await send('/onboarding/people/new', seller, new URLSearchParams(form))
    assert.equal(page.status, status)
    formKey = /name="form_key" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  }
  assert.equal(keys.length, 2)
  assert.ok(keys[0])
  assert.equal(keys[1], keys[0])
})

test('a new person whose press is refused for good gets another key: that refusal is kept under this one', async () => {
  answer((call) => (call.startsWith('GET ') ? readOfSeller(call) : 'reused'))
  const person = { first_name: 'Ben', last_name: 'Okoro', date_of_birth: '1985-01-31', is_director: 'on' }
  const page = await send('/onboarding/people/new', seller, new URLSearchParams({ ...onboarding, ...person }))
  const html = mainOf(await page.text())
  assert.equal(page.status, 409)
  assert.match(html, /value="Ben"/)
  assert.match(html, /name="form_key" value="(?!key")[^"]+"/)
})

for (const [path, secret] of [
  ['people/per_a', { id_number: '22212345678' }],
  ['people/per_a', { date_of_birth: '1990-04-12' }],
  ['company', { tax_id: '12345678-0001' }],
] as const) {
  const [[name, value] = ['', '']] = Object.entries(secret)
  test(`a form of the onboarding is given back only if its ${name} is empty`, async () => {
    const read = async (fields: Record<string, string>) =>
      mainOf(
        await (await send(`/onboarding/${path}`, seller, new URLSearchParams({ ...onboarding, ...fields }))).text(),
      )
    assert.ok((await read({ [name]: '' })).includes('value="Grace &amp; Co"'))
    const html = await read(secret)
    assert.ok(!html.includes(value) && !html.includes('<form'), html)
  })
}

test('a form of another site is not given back, nor one with a password', async () => {
  const foreign = await fetch(`${base}/onboarding/business`, {
    method: 'POST',
    headers: { cookie: seller, 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams(onboarding),
  })
  assert.doesNotMatch(await foreign.text(), /Grace|<form/)
  const about = `ti_${'0'.repeat(34)}`
  const joining = { about, full_name: 'Grace', password: 'a long secret' }
  const cookie = `invitation_token=${about}_secret_${'a'.repeat(40)}`
  const page = await send('/dashboard/invitation', cookie, new URLSearchParams(joining))
  assert.equal(page.status, 503)
  assert.doesNotMatch(mainOf(await page.text()), /a long secret|<form|charged/)
})

const portal = { about: `cs_${'0'.repeat(34)}`, product: 'prod_b', terms: 'those that were shown', form_key: 'key' }
const subscription = '/v1/customer-portal/subscriptions/sub_a'

for (const path of ['', '/plans', '/preview-change']) {
  test(`a plan is not changed while a call that says what it costs is refused: sub_a${path}`, async () => {
    const preview = `POST ${subscription}/preview-change`
    const away = [`GET ${subscription}${path}`, `GET ${subscription}${path}?limit=100`, `POST ${subscription}${path}`]
    const isKnown = (call: string) => calls.length <= 4 && !away.includes(call) // who it is, and three reads
    const known = { merchant: {}, flow: null, items: [], pagination: { next_cursor: null } }
    const calls: string[] = answer((call) => (isKnown(call) ? known : 429))
    const cookie = `portal_token=${portal.about}_secret_${'a'.repeat(40)}`
    const form = new URLSearchParams({ ...portal, step: 'confirm' })
    const page = await send('/portal/subscriptions/sub_a/plan', cookie, form)
    assert.equal(page.status, 429)
    assert.ok(calls.includes(preview))
    assert.ok(!calls.includes(`POST ${subscription}/change-plan`), 'nothing is charged')
  })
}

for (const [step, isKept] of [
  ['pay', true],
  ['confirm', false],
  ['code', false],
] as const) {
  test(`a buyer whose ${step} meets an outage ${isKept ? 'sends it again' : 'sees what became of it'}`, async () => {
    const id = `chk_${'0'.repeat(34)}`
    const session = {
      payment_status: 'requires_confirmation',
      payment_method: 'card',
      payment_id: null,
      total: '25.00',
    }
    const about = aboutOf(session as unknown as Session)
    const isFirstRead = (call: string) => call.endsWith('/public') && calls.length === 1 && !isKept
    const calls: string[] = answer((call) => (isFirstRead(call) ? { ...session, locale: null } : 503))
    const form = new URLSearchParams({ step, about, form_key: 'key', method: 'card:USD_CARD', email: 'a@example.com' })
    const page = await send(`/checkout/${id}_secret_${'a'.repeat(40)}`, '', form)
    const html = await page.text()
    assert.equal(page.status, 503)
    assert.ok(calls.includes(`POST /v1/checkout-sessions/${id}/${isKept ? 'pay' : 'confirm'}`))
    assert.equal(html.includes('name="step" value="again"'), isKept)
    assert.equal(html.includes('http-equiv="refresh"'), !isKept)
  })
}

for (const [status, what] of [
  [409, 'is still being carried out'],
  [429, 'meets the limit'],
] as const) {
  test(`a buyer whose press ${what} keeps its key for another press`, async () => {
    answer((call) => (call.endsWith('/pay') ? status : 503))
    const form = new URLSearchParams({ step: 'pay', form_key: 'key', method: 'card:USD_CARD' })
    const page = await send(`/checkout/chk_${'0'.repeat(34)}_secret_${'a'.repeat(40)}`, '', form)
    assert.match(await page.text(), /name="form_key" value="key"/)
  })
}

/** What the pages read of the API, where they show a form again. */
const at = '2026-11-29T09:00:00Z'
const made = { created_at: at, updated_at: at, sent_at: at, expires_at: at, frozen_time: at, completed_at: null }
const none = { items: [], total: 0, pagination: { next_cursor: null, prev_cursor: null } }
const destination = { id: 'pd_a', name: 'Bank', currency: 'GBP', account_number: '55779911', phone_number: null }
const delivery = { ...made, delivery_id: 'dlv_a', endpoint_id: 'we_a', event_id: 'evt_a', event_type: 'payout.paid' }
const reads: Record<string, object> = {
  '/api/v1/auth/me': {
    ...me,
    role: 'owner',
    scopes: ['refunds:write', 'payouts:write', 'conversions:write', 'webhooks:write'],
  },
  '/v1/payments/pay_a': { payment_id: 'pay_a', amount: '25.00', currency: 'USD', refunded_amount: '0.00' },
  '/v1/payouts/destinations': { ...none, items: [{ ...destination, wallet_address: null }] },
  '/v1/team/invitations/ti_a': {
    ...made,
    invitation_id: 'ti_a',
    status: 'pending',
    role: 'viewer',
    email: 'g@example.com',
  },
  '/v1/webhooks/endpoints/we_a': {
    ...made,
    endpoint_id: 'we_a',
    url: 'https://example.com',
    enabled: true,
    events: ['*'],
    failing_since: null,
    disabled_reason: null,
    disabled_at: null,
    warned_at: null,
    missed_since: null,
    stats_24h: {},
    metadata: {},
  },
  '/v1/webhooks/deliveries/dlv_a': { ...delivery, attempts: [], request_body: null, next_attempt_at: null },
  '/v1/webhooks/deliveries/dlv_a/timeline': { items: [], as_of: at, waiting_on: null },
  '/v1/webhooks/events/evt_a': {
    ...made,
    id: 'evt_a',
    type: 'payout.paid',
    resource_id: 'pay_a',
    data: {},
    deliveries: [],
  },
  '/v1/test-helpers/clocks/clk_a': { ...made, clock_id: 'clk_a', name: 'Trial', status: 'ready', advances_to: null },
}

const amount = { step: 'send', amount: '5.00' }
const account = { kind: 'bank_account.GBP', name: 'Bank', bank_code: '601613', account_number: '55779911' }
for (const [path, fields] of [
  ['payments/pay_a/refund', amount],
  ['payouts/new', { ...amount, destination: 'pd_a', source: '' }],
  ['conversions/new', { ...amount, from: 'USD', to: 'NGN', side: 'from', quote_id: 'cq_a' }],
  ['destinations/new', { ...account, step: 'send' }],
  ['settings/team/invitations', { email: 'g@example.com', role: 'viewer' }],
  ['settings/team/invitations/ti_a/resend', {}],
  ['webhooks/new', { url: 'https://example.com', which: 'all', account_scope: 'own' }],
  ['webhooks/we_a/rotate', {}],
  ['webhooks/we_a/test', { type: 'payout.paid' }],
  ['webhooks/deliveries/dlv_a/resend', {}],
  ['events/evt_a/resend', {}],
  ['test-clocks', { name: 'Trial' }],
  ['test-clocks/clk_a/attach', { kind: 'checkout_id', ids: 'chk_a' }],
] as const) {
  for (const [status, what] of [
    [409, 'is still being carried out'],
    [429, 'meets the limit'],
    [503, 'gets no answer'],
  ] as const) {
    test(`a form whose press ${what} keeps its key for another press: ${path}`, async () => {
      answer((call) => (call.startsWith('GET ') ? (reads[call.slice(4).replace(/\?.*/, '')] ?? none) : status))
      const form = new URLSearchParams({ ...fields, shown_to: 'sandbox.usr_a', form_key: 'a-key' })
      const page = await send(`/dashboard/${path}`, signedIn, form)
      const html = await page.text()
      const keys = [...html.matchAll(/name="form_key" value="([^"]*)"/g)].map(([, key]) => key)
      assert.ok(keys.includes('a-key'), `${page.status}: ${keys}`)
      assert.equal(page.status, status === 429 ? 429 : 503)
      assert.ok(!html.includes('sent before'))
      const words = status === 429 ? 'Too many attempts' : 'not known whether this was'
      const isAskedAgain = new RegExp(`${words}[^]*name="step" value="send"`).test(html)
      assert.equal(isAskedAgain, 'step' in fields)
    })
  }
}

for (const [path, fields] of [
  ['settings/team/invitations', { email: 'h@example.com', role: 'viewer' }],
  ['test-clocks', { name: 'Another' }],
] as const) {
  test(`a form that was sent before with other values is told so in words for people: ${path}`, async () => {
    answer((call) => (call.startsWith('GET ') ? (reads[call.slice(4).replace(/\?.*/, '')] ?? none) : 'reused'))
    const form = new URLSearchParams({ ...fields, shown_to: 'sandbox.usr_a', form_key: 'a-key' })
    const page = await send(`/dashboard/${path}`, signedIn, form)
    const html = await page.text()
    assert.equal(page.status, 409)
    assert.match(html, /This form was sent before with other values\. Check below what it has done\./)
    assert.doesNotMatch(html, /Idempotency-Key|value="a-key"/)
  })
}
