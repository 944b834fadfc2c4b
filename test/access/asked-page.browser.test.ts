import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fromAnywhere } from '../support/api.ts'
import type { Person } from '../support/login.ts'
import { desktop, heading, phone, press, useDesk } from '../support/review-desk.ts'

// Somebody who is not signed in asks for a page. The login leads there, and nowhere else.
const desk = await useDesk()
const { logins, pages } = desk

const sites = [
  { home: '/dashboard', to: '/dashboard/payments?status=failed', title: 'Payments', role: 'owner' },
  { home: '/ops', to: '/ops/stuck', title: 'Overdue', role: 'reviewer' },
] as const

async function typePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Continue')
}

async function typeBackup(page: Page, code: string): Promise<void> {
  await page.getByLabel('Backup code').fill(code)
  await press(page, 'Sign in')
}

for (const { home, to, title, role } of sites) {
  for (const [viewport, script] of [
    [phone, false],
    [desktop, true],
  ] as const) {
    test(`${home}: the login leads to the page that was asked for, also after mistakes, script ${script}`, async () => {
      const person = role === 'owner' ? await logins.addPerson() : await desk.addReviewer()
      const [backup = ''] = person.backupCodes
      await desk.visitAsNobody(
        async (page) => {
          await page.goto(pages.base + to)
          await heading(page, 'Sign in')
          await typePassword(page, person.email, 'a-wrong-password')
          await page.getByText('The email or password is incorrect.').waitFor()
          await typePassword(page, person.email, person.password)
          await heading(page, 'Enter your code')
          await page.getByRole('link', { name: 'Use a backup code' }).click()
          await page.getByRole('link', { name: 'Start over' }).click()
          await heading(page, 'Sign in')
          await typePassword(page, person.email, person.password)
          await page.getByRole('link', { name: 'Use a backup code' }).click()
          await typeBackup(page, 'wrong-code')
          await page.getByText('This code is incorrect').waitFor()
          await typeBackup(page, backup)
          await heading(page, title)
          assert.equal(page.url(), pages.base + to)
        },
        { viewport, script },
      )
    })
  }
}

for (const { home, to } of sites) {
  test(`${home}: only whoever had a session is told that it has expired`, async () => {
    const open = async (cookie: string) =>
      (await fetch(pages.base + to, { headers: { ...fromAnywhere(), cookie }, redirect: 'manual' })).headers
    const readLogin = async (headers: Headers) =>
      (await fetch(pages.base + String(headers.get('location')), { headers: fromAnywhere() })).text()
    const next = encodeURIComponent(to)
    const first = await open('')
    assert.equal(first.get('location'), `${home}/login?next=${next}`)
    assert.doesNotMatch(await readLogin(first), /expired/)
    const late = await open(`${home.slice(1)}_refresh=rt_of_a_session_that_is_over`)
    assert.equal(late.get('location'), `${home}/login?ended=1&next=${next}`)
    assert.match(await readLogin(late), /Your session has expired\. Please sign in again\./)
  })
}

for (const { home, to } of sites) {
  test(`${home}: who comes to the code too late, or has no cookies, is told how to go on`, async () => {
    const next = encodeURIComponent(to)
    const headers = { ...fromAnywhere(), 'sec-fetch-site': 'same-origin' }
    for (const body of [null, new URLSearchParams({ next: to, code: '123456' })]) {
      const sent = { method: body ? 'POST' : 'GET', headers, body, redirect: 'manual' } as const
      const answer = await fetch(`${pages.base}${home}/login/code?next=${next}`, sent)
      const location = String(answer.headers.get('location'))
      assert.equal(location, `${home}/login?again=1&next=${next}`)
      const text = await (await fetch(pages.base + location, { headers })).text()
      assert.match(
        text,
        /within 10 minutes, or your browser blocks our cookies\. Enter your email and password again\./,
      )
    }
  })
}

test('the first step of a login replaces an earlier session, so that nobody is told that it has expired', async () => {
  const person = await logins.addPerson()
  const { access_token: access, refresh_token: refresh } = await logins.logIn(person)
  const cookie = `dashboard_access=${access}; dashboard_refresh=${refresh}`
  const headers = { ...fromAnywhere(), 'sec-fetch-site': 'same-origin', cookie }
  const body = new URLSearchParams({ email: person.email, password: person.password })
  const sent = await fetch(`${pages.base}/dashboard/login`, { method: 'POST', redirect: 'manual', headers, body })
  const set = sent.headers.getSetCookie().map((each) => each.split(';')[0])
  assert.match(String(set[0]), /^dashboard_challenge=chal_/)
  assert.deepEqual(set.slice(1), ['dashboard_access=', 'dashboard_refresh='])
})

for (const { home, to } of sites) {
  test(`${home}: who goes back to the code after the login is led to the page that was asked for`, async () => {
    const cookie = `${home.slice(1)}_refresh=rt_of_a_session`
    const address = `${pages.base}${home}/login/code?next=${encodeURIComponent(to)}`
    const { headers } = await fetch(address, { headers: { ...fromAnywhere(), cookie }, redirect: 'manual' })
    assert.equal(headers.get('location'), to)
  })
}

test('a form for a new code by mail keeps the page that was asked for', async () => {
  const person = await logins.addPerson({ method: 'email_otp' })
  await desk.visitAsNobody(async (page) => {
    await page.goto(`${pages.base}/dashboard/customers`)
    await typePassword(page, person.email, person.password)
    await press(page, 'Send a new code')
    await page.locator('[role=status], [role=alert]').first().waitFor() // a second code is sent after a while only
    const asked = await page.locator('input[name=next]').evaluateAll((all) => all.map((each) => each.value))
    assert.deepEqual(asked, ['/dashboard/customers', '/dashboard/customers'])
  })
})

/** What is no page of the dashboard: other sites, what browsers take for one, forms without a page, files. */
const nowhere = [
  'https://evil.example/dashboard/payments',
  '//evil.example/dashboard/payments',
  '/\\evil.example/dashboard/payments',
  '\\\\evil.example/dashboard/payments',
  '/\t/evil.example/dashboard/payments',
  ' //evil.example/dashboard/payments',
  '/%2f/evil.example',
  '%2f%2fevil.example/dashboard/payments',
  '/dashboard/..//evil.example',
  '/dashboard/../ops/stuck',
  '/dashboard/%2e%2e/ops/stuck',
  '/dashboard@evil.example/payments',
  'javascript:alert(1)',
  'payments',
  '/ops/stuck',
  '/checkout/chk_1',
  '/dashboard/login',
  '/dashboard/login/code',
  '/dashboard/logout',
  '/dashboard/nothing',
  '/dashboard/payments.csv',
  '/dashboard/payments/chg_1/receipt',
  '/dashboard/payments\r\nSet-Cookie: a=b',
  `/dashboard/payments?q=${'a'.repeat(2_000)}`,
]

const nextIn = (html: string): string | undefined => /name="next" value="([^"]*)"/.exec(html)?.[1]

test('the login keeps no address that is not of a page of its own site', async () => {
  const read = async (next: string) => {
    const address = `${pages.base}/dashboard/login?${new URLSearchParams({ next })}`
    return nextIn(await (await fetch(address, { headers: fromAnywhere() })).text())
  }
  assert.equal(await read('/dashboard/payments'), '/dashboard/payments')
  for (const next of nowhere) assert.equal(await read(next), undefined, next)
})

/** Sends both forms of the login as a page of ours would, with this address to go to, and returns where they lead. */
async function leadOf(person: Person, next: string): Promise<string | null> {
  const headers = { ...fromAnywhere(), 'sec-fetch-site': 'same-origin' }
  const send = (path: string, form: Record<string, string>, cookie = '') => {
    const body = new URLSearchParams({ ...form, next })
    return fetch(pages.base + path, { method: 'POST', redirect: 'manual', headers: { ...headers, cookie }, body })
  }
  const { email, password, backupCodes } = person
  const opened = await send('/dashboard/login', { email, password })
  const at = opened.headers.get('location') ?? ''
  assert.equal(at, '/dashboard/login/code')
  const cookie = opened.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const code = backupCodes.pop() ?? ''
  const done = await send('/dashboard/login/code', { code, code_type: 'backup' }, cookie)
  return done.headers.get('location')
}

test('whoever sends the login another address comes to the start page', async () => {
  const person = await logins.addPerson()
  for (const next of ['//evil.example/dashboard/payments', '/\\evil.example', '/dashboard/logout']) {
    assert.equal(await leadOf(person, next), '/dashboard', next)
  }
})
