import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { callFor } from '../../api/http/caller-address.ts'
import { createPages } from '../../web/pages.ts'
import { fromAnywhere } from '../support/api.ts'
import { createCheckedApp } from '../support/answers.ts'
import { choose, openMenu } from '../support/dashboard.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { createLogins, type Person, totpAt } from '../support/login.ts'
import { type } from '../support/review-desk.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

const phone = { width: 360, height: 740 }
const wrong = '000000'

const stack = await useStack({ workers: false })
const api = await useApi(stack)

/** The pages on the stack, behind one proxy, so that every visitor can have another IP address. */
function openPages(publicUrl: string) {
  const config = { ...stack.services.config, trustedProxyHops: 1 }
  const address = () => server.address()
  const pages = createPages({ address, callFor: (ctx) => callFor(ctx, 1), now: () => Date.now(), publicUrl })
  const server = createCheckedApp({ ...stack.services, config }, pages).listen(0, '127.0.0.1')
  return server
}
const urlOf = (server: { address(): unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const logins = createLogins(stack)
const servers = [openPages(''), openPages('https://pay.example.com')] as const
await Promise.all(servers.map((server) => once(server, 'listening')))
const base = urlOf(servers[0])
const browser = await launchBrowser()
atEnd(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})
atEnd(() => browser.close())

type Options = { script?: boolean; viewport?: typeof phone }
type Visit = { page: Page; context: BrowserContext }

/** A visit from a new IP address. It may load nothing from outside, show no secret in a URL and log nothing. */
async function visit(work: (visit: Visit) => Promise<void>, { script = false, viewport = phone }: Options = {}) {
  const context = await browser.newContext({ javaScriptEnabled: script, viewport, extraHTTPHeaders: fromAnywhere() })
  const watch = { origins: [base], secrets: /sk_|rt_|eyJ|chal_|@|%40/ }
  await watchPage(context, watch, (page) => work({ page, context }))
}

async function heading(page: Page, name: string | RegExp) {
  await page.getByRole('heading', { level: 1, name }).waitFor({ timeout: 20_000 })
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(pixels <= (page.viewportSize()?.width ?? 0), `${name}: the page is ${pixels} pixels wide`)
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function typePassword(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(`${base}/dashboard`)
  await page.getByLabel('Email').pressSequentially(email)
  await page.getByLabel('Password').pressSequentially(password)
  await press(page, 'Continue')
}

async function typeCode(page: Page, code: string) {
  await page.getByRole('textbox', { name: /code$/i }).pressSequentially(code)
  await press(page, 'Sign in')
}

async function signInAtHome(page: Page, person: Person) {
  await typePassword(page, person)
  await heading(page, 'Enter your code')
  await typeCode(page, totpAt(person.totpSecret, Date.now()))
  await heading(page, 'Home')
}

/** Signs in and goes to the keys. */
async function signIn(page: Page, person: Person) {
  await signInAtHome(page, person)
  await choose(page, 'API keys')
}

async function createKey(page: Page, name: string, days = '') {
  await type(page.getByLabel('Name'), name)
  await type(page.getByLabel('Expires in (days)'), days)
  await press(page, 'Create key')
}

/** The owner of an organization that has no keys yet. */
const newOwner = async () => logins.addPerson({ accountId: await api.addAccount() })
const fieldError = async (page: Page, label: string) => {
  const input = page.getByRole('textbox', { name: label, exact: true })
  assert.equal(await input.getAttribute('aria-invalid'), 'true')
  const ids = (await input.getAttribute('aria-describedby'))?.split(' ') ?? []
  return page.locator(`#${ids[0]}`).innerText()
}

for (const script of [false, true]) {
  test(`the owner signs in, makes a key, sees it once and revokes it, script ${script ? 'on' : 'off'}`, async () => {
    const owner = await newOwner()
    await visit(
      async ({ page }) => {
        await signIn(page, owner)
        await heading(page, 'API keys')
        assert.equal(page.url(), `${base}/dashboard/keys`)
        await page.getByText('No keys yet.').waitFor()
        await createKey(page, '<b>Web</b> shop', '30')
        await heading(page, 'Your new key')
        assert.equal(page.url(), `${base}/dashboard/keys`)
        const key = await page.getByRole('textbox', { name: '<b>Web</b> shop, test key' }).inputValue()
        assert.match(key, /^sk_sandbox_/)
        assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), script ? 1 : 0)
        assert.equal((await fetch(`${base}/v1/payments`, { headers: { authorization: `Bearer ${key}` } })).status, 200)
        await page.reload()
        await heading(page, 'API keys')
        await page.getByRole('alert').getByText('You already have an active key of this kind').waitFor()
        assert.ok(!(await page.content()).includes(key))
        await page.goto(`${base}/dashboard/keys`)
        assert.ok(!(await page.content()).includes(key))
        const row = page.getByRole('row').filter({ hasText: '<b>Web</b> shop' })
        assert.match(await row.innerText(), /Active[\s\S]*Created[\s\S]*Last used[\s\S]*Expires[\s\S]*20\d\d/)
        await row.getByRole('link', { name: 'Revoke <b>Web</b> shop' }).click()
        await heading(page, 'Revoke <b>Web</b> shop?')
        assert.equal(
          (await stack.sql('select 1 from api_keys where created_by = ? and is_active', [owner.id])).length,
          1,
        )
        await press(page, 'Revoke the key')
        await page.getByRole('status').getByText('Key revoked').waitFor()
        assert.match(await row.innerText(), /Inactive/)
        await until(async () => {
          const { status } = await fetch(`${base}/v1/payments`, { headers: { authorization: `Bearer ${key}` } })
          return status === 401
        }, 'the revoked key is refused')
      },
      { script },
    )
  })
}

test('a wrong password and a wrong code are reported beside their input, and the page repeats no secret', async () => {
  const person = await logins.addPerson()
  await visit(async ({ page }) => {
    await typePassword(page, { ...person, password: 'a-wrong-password' })
    assert.equal(await fieldError(page, 'Password'), 'The email or password is incorrect.')
    assert.equal(await page.getByLabel('Email').inputValue(), person.email)
    assert.ok(!(await page.content()).includes('a-wrong-password'))
    await page.getByLabel('Password').pressSequentially(person.password)
    await press(page, 'Continue')
    await heading(page, 'Enter your code')
    await typeCode(page, wrong)
    assert.match(await fieldError(page, 'Code'), /^This code is incorrect/)
    assert.equal(await page.getByLabel('Code', { exact: true }).evaluate((input) => input.matches(':focus')), true)
    await typeCode(page, totpAt(person.totpSecret, Date.now()))
    await heading(page, 'Home')
  })
})

test('the page says in plain words that there were too many attempts or that the email is locked', async () => {
  const person = await logins.addPerson()
  for (let failure = 0; failure < 5; failure++) await logins.sendPassword({ ...person, password: 'a-wrong-password' })
  await visit(async ({ page }) => {
    await typePassword(page, person)
    await page.getByRole('alert').getByText('Too many failed attempts, so this email is locked').waitFor()
    const tooMany = page.getByRole('alert').getByText('Too many attempts. Try again in')
    // The count starts again with each minute, so this tries, one attempt after another, until the limit is reached.
    for (let attempt = 0; attempt < 12 && !(await tooMany.isVisible()); attempt++) {
      await typePassword(page, person)
      await page.getByRole('alert').waitFor()
    }
    assert.ok(await tooMany.isVisible())
  })
})

test('a backup code signs in, once', async () => {
  const person = await logins.addPerson()
  const [code = ''] = person.backupCodes
  const withBackup = async (page: Page) => {
    await typePassword(page, person)
    await page.getByRole('link', { name: 'Use a backup code' }).click()
    await heading(page, 'Enter a backup code')
    await typeCode(page, code)
  }
  await visit(async ({ page }) => {
    await withBackup(page)
    await heading(page, 'Home')
  })
  await visit(async ({ page }) => {
    await withBackup(page)
    assert.match(await fieldError(page, 'Backup code'), /already used or expired/)
    await heading(page, 'Enter a backup code')
  })
})

test('a mailed code signs in, and another one is sent on request, but not at once', async () => {
  const person = await logins.addPerson({ method: 'email_otp' })
  await visit(async ({ page }) => {
    await typePassword(page, person)
    const first = await logins.codeTo(person.email)
    await press(page, 'Send a new code')
    await page.getByRole('alert').getByText('Too many attempts. Try again in').waitFor()
    await stack.sql(`update login_challenges set sent_at = sent_at - interval '31 s' where user_id = ?`, [person.id])
    await press(page, 'Send a new code')
    await page.getByRole('status').getByText('We’ve sent you a new code').waitFor()
    const second = await logins.codeTo(person.email)
    if (second !== first) {
      await typeCode(page, first)
      assert.match(await fieldError(page, 'Code'), /^This code is incorrect/)
    }
    await typeCode(page, second)
    await heading(page, 'Home')
  })
})

test('after signing out the old cookies no longer work', async () => {
  const owner = await newOwner()
  await visit(async ({ page, context }) => {
    await signIn(page, owner)
    await heading(page, 'API keys')
    const cookies = await context.cookies(`${base}/dashboard`)
    assert.deepEqual(
      cookies.map(({ name, httpOnly, sameSite, path, expires }) => ({ name, httpOnly, sameSite, path, expires })),
      ['dashboard_access', 'dashboard_refresh'].map((name) => ({
        name,
        httpOnly: true,
        sameSite: 'Strict',
        path: '/dashboard',
        expires: -1,
      })),
    )
    assert.deepEqual(await context.cookies(`${base}/checkout/x`), [])
    await openMenu(page)
    await press(page, 'Sign out')
    await page.getByRole('status').getByText('You are signed out.').waitFor()
    assert.deepEqual(await context.cookies(), [])
    const header = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    await until(async () => {
      const answer = await fetch(`${base}/dashboard/keys`, { headers: { cookie: header }, redirect: 'manual' })
      return answer.headers.get('location') === '/dashboard/login?ended=1&next=%2Fdashboard%2Fkeys'
    }, 'the old cookies no longer work')
  })
})

test('an expired access token is renewed silently, also for two tabs at once', async () => {
  const owner = await newOwner()
  await visit(async ({ page, context }) => {
    await signIn(page, owner)
    await heading(page, 'API keys')
    const refreshToken = async () => (await context.cookies()).find(({ name }) => name === 'dashboard_refresh')?.value
    const old = await refreshToken()
    await context.clearCookies({ name: 'dashboard_access' })
    const tab = await context.newPage()
    await Promise.all([page.goto(`${base}/dashboard/keys`), tab.goto(`${base}/dashboard/keys`)])
    for (const each of [page, tab]) await heading(each, 'API keys')
    assert.notEqual(await refreshToken(), old)
    await createKey(page, 'After the renewal')
    await heading(page, 'Your new key')
    assert.deepEqual(await logins.audited(owner.id), ['login.succeeded', 'api_key.created'])
  })
})

test('a form that another site sends does nothing', async () => {
  const owner = await newOwner()
  const attack = `<form method="post" action="${base}/dashboard/keys"><input name="key_name" value="Theirs">
    <input name="env" value="test"><button>Send</button></form>`
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(attack)
  }).listen(0)
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  const context = await browser.newContext({ extraHTTPHeaders: fromAnywhere() })
  const page = await context.newPage()
  try {
    await signIn(page, owner)
    await heading(page, 'API keys')
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${port}/`)
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().startsWith(base)),
        press(page, 'Send'),
      ])
      assert.equal(answer.status(), 403)
      await page.getByRole('alert').getByText('not sent from our own page').waitFor()
    }
    assert.deepEqual(await stack.sql('select id from api_keys where created_by = ?', [owner.id]), [])
  } finally {
    await context.close()
    site.closeAllConnections()
    site.close()
  }
})

test('without Fetch Metadata the Origin must be ours, and a request with neither is refused', async () => {
  const post = async (headers: Record<string, string>, path = 'login') => {
    const body = new URLSearchParams({ email: 'ada@example.com', password: 'a-wrong-password' })
    const sent = { ...fromAnywhere(), ...headers }
    return fetch(`${base}/dashboard/${path}`, { method: 'POST', body, headers: sent, redirect: 'manual' })
  }
  for (const path of ['login', 'login/code', 'keys', 'keys/key_1/revoke', 'logout']) {
    for (const origin of ['https://evil.example', 'null', `${base}.evil.example`]) {
      assert.equal((await post({ origin }, path)).status, 403, `${path} from ${origin}`)
    }
    assert.equal((await post({}, path)).status, 403, path)
  }
  assert.equal((await post({ origin: base })).status, 401)
})

test('a person who may not manage keys sees why, and can sign out', async () => {
  const developer = await logins.addPerson({ role: 'developer' })
  await visit(async ({ page }) => {
    await signInAtHome(page, developer)
    await openMenu(page)
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
    await page.goto(`${base}/dashboard/keys`)
    await page.getByRole('alert').getByText('Only owners and admins').waitFor()
    await openMenu(page)
    await press(page, 'Sign out')
    await heading(page, 'Sign in')
  })
})

test('an invalid form for a new key is shown again with what was typed', async () => {
  const owner = await newOwner()
  await visit(async ({ page }) => {
    await signIn(page, owner)
    await page.getByLabel('Live').check()
    await createKey(page, 'Web shop', 'soon')
    assert.match(await fieldError(page, 'Expires in (days)'), /^Enter a whole number of days/)
    assert.equal(await page.getByLabel('Name').inputValue(), 'Web shop')
    assert.equal(await page.getByLabel('Live').isChecked(), true)
    await createKey(page, 'Web shop', '7')
    await page.getByLabel('Web shop, test key').waitFor()
  })
})

test('no page is cached or framed, nothing is loaded from outside, and https cookies are secure', async () => {
  const page = await fetch(`${base}/dashboard/login`)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; /)
  assert.doesNotMatch(policy, /unsafe|http|\*/)
  const headers = ['cache-control', 'referrer-policy', 'x-frame-options']
  assert.deepEqual(
    headers.map((name) => page.headers.get(name)),
    ['no-store', 'same-origin', 'DENY'],
  )
  assert.doesNotMatch(await page.text(), /<style|<script>|style=|\son\w+=/)
  for (const path of ['', '/keys', '/login/code']) {
    const answer = await fetch(`${base}/dashboard${path}`, { redirect: 'manual' })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(answer.headers.get('location') ?? '', /^\/dashboard\/login/)
  }
  const person = await logins.addPerson()
  const signedIn = await fetch(`${urlOf(servers[1] as (typeof servers)[0])}/dashboard/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...fromAnywhere(), origin: 'https://pay.example.com' },
    body: new URLSearchParams({ email: person.email, password: person.password }),
  })
  assert.equal(signedIn.headers.get('location'), '/dashboard/login/code')
  const [cookie = ''] = signedIn.headers.getSetCookie()
  assert.match(
    cookie,
    /^dashboard_challenge=chal_[^;]+; path=\/dashboard; expires=[^;]+; samesite=strict; secure; httponly$/i,
  )
})
