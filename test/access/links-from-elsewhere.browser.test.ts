import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { fromAnywhere } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { heading, useDesk } from '../support/review-desk.ts'
import { atEnd } from '../support/use.ts'

// Somebody who is signed in follows a link of a mail, a chat or Temporal's UI. The browser sends no strict cookie with
// it.
const desk = await useDesk()
const { logins, pages } = desk
const browser = await launchBrowser()
const mail = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const link = `${pages.base}${searchParams.get('to') ?? ''}`
  response.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,"><a href="${link}">Open</a>`)
})
mail.listen(0)
await once(mail, 'listening')
// Another site: `localhost` and `127.0.0.1` are not the same.
const mailUrl = (to: string) => `http://localhost:${(mail.address() as AddressInfo).port}/?to=${encodeURIComponent(to)}`
atEnd(() => browser.close())
atEnd(() => void mail.close())

const sites = [
  { home: '/dashboard', to: '/dashboard/payments?status=failed', title: 'Payments', role: 'owner' },
  { home: '/ops', to: '/ops/stuck', title: 'Overdue', role: 'reviewer' },
] as const

for (const { home, to, title, role } of sites) {
  for (const javaScriptEnabled of [true, false]) {
    test(`${home}: a link of another site opens a page, ends no login, script ${javaScriptEnabled}`, async () => {
      const person = role === 'owner' ? await logins.addPerson() : await desk.addReviewer()
      const { access_token, refresh_token } = await logins.logIn(person)
      const context = await browser.newContext({ javaScriptEnabled, extraHTTPHeaders: fromAnywhere() })
      const rules = { domain: '127.0.0.1', path: home, httpOnly: true, sameSite: 'Strict' } as const
      await context.addCookies([
        { name: `${home.slice(1)}_access`, value: access_token, ...rules },
        { name: `${home.slice(1)}_refresh`, value: refresh_token, ...rules },
      ])
      const page = await context.newPage()
      await page.goto(mailUrl(to))
      await page.getByRole('link').click()
      await heading(page, title)
      assert.equal(page.url(), pages.base + to)
      await page.goto(pages.base + to)
      await heading(page, title)
      await context.close()
    })
  }
}

test('whoever is not signed in comes from another site to the login', async () => {
  const page = await browser.newPage({ extraHTTPHeaders: fromAnywhere() })
  await page.goto(mailUrl('/dashboard/payments'))
  await page.getByRole('link').click()
  await heading(page, 'Sign in')
  await page.context().close()
})

test('a page that was asked for without cookies leaves those of the browser alone', async () => {
  for (const path of ['/dashboard/payments', '/ops/stuck']) {
    const answer = await fetch(pages.base + path, { redirect: 'manual', headers: fromAnywhere() })
    assert.equal(answer.status, 303)
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
})
