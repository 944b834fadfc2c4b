import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { graveBarriersOn } from './barriers.ts'
import { fromAnywhere, withApi } from './api.ts'
import { launchBrowser, watchPage } from './browser.ts'
import { endow } from './conversion.ts'
import { createLogins, type Person, totpAt } from './login.ts'
import { openPages } from './pages.ts'
import { startStack } from './stack.ts'
import { until } from './until.ts'
import { use } from './use.ts'

const shots = process.env['SCREENSHOTS']
type Viewport = { width: number; height: number }
export const smallPhone: Viewport = { width: 320, height: 568 }
export const phone: Viewport = { width: 390, height: 844 }
export const desktop: Viewport = { width: 1280, height: 900 }

/** Pages without JavaScript, which axe cannot check; they are the same pages. */
const withoutScript = new WeakSet<Page>()

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Clears the input and types key by key, as people do. */
export async function type(input: Locator, text: string): Promise<void> {
  await input.clear()
  await input.pressSequentially(text)
}

/** Waits for the page with this heading, which must not be wider than the screen. */
export async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(pixels <= (page.viewportSize()?.width ?? 0), `${name}: the page is ${pixels} pixels wide`)
}

/** The text of a page, after a check that it has no serious accessibility problem. */
export async function looked(page: Page, name: string): Promise<string> {
  if (shots) await page.screenshot({ path: `${shots}/ops-${name}-${page.viewportSize()?.width}.png`, fullPage: true })
  if (withoutScript.has(page)) return page.locator('main').innerText()
  const serious = await graveBarriersOn(page)
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`),
    [],
  )
  return page.locator('main').innerText()
}

type Options = { script?: boolean; viewport?: Viewport; site?: '/ops' | '/dashboard' }

/** A stack with its pages, money to pay out, and a browser for staff and for people of organizations. */
async function openReviewDesk() {
  const stack = await startStack()
  await withApi(stack).lift()
  const logins = createLogins(stack)
  const pages = await openPages(stack)
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  await endow(stack, owner.accountId, '90000000.00', 'NGN')
  const browser = await launchBrowser()
  const isWithRail = async (id: string) => (await stack.merchant.getPayout(id)).status === 'processing'

  async function signInByForm(page: Page, person: Person, site: string): Promise<void> {
    await page.goto(pages.base + site)
    await type(page.getByLabel('Email'), person.email)
    await type(page.getByLabel('Password'), person.password)
    await press(page, 'Continue')
    await heading(page, 'Enter your code')
    await type(page.getByRole('textbox', { name: /code$/i }), totpAt(person.totpSecret, Date.now()))
    await press(page, 'Sign in')
  }

  const formsUsed = new Set<string>()

  /**
   * The first visitor of a site signs in by its form, with and without script. Every later one signs in by calls and
   * brings the cookies: two pages fewer to draw for each.
   */
  async function signIn(page: Page, person: Person, site: string): Promise<void> {
    const form = `${site} ${withoutScript.has(page)}`
    if (!formsUsed.has(form)) {
      formsUsed.add(form)
      return signInByForm(page, person, site)
    }
    const { access_token, refresh_token } = await logins.logIn(person)
    const rules = { domain: new URL(pages.base).hostname, path: site, httpOnly: true, sameSite: 'Strict' } as const
    const prefix = site.slice(1)
    await page.context().addCookies([
      { name: `${prefix}_access`, value: access_token, ...rules },
      { name: `${prefix}_refresh`, value: refresh_token, ...rules },
    ])
    await page.goto(pages.base + site)
  }

  /** A visit of somebody who has not signed in, from a random address, watched by `watchPage`. */
  async function visitAsNobody(
    work: (page: Page) => Promise<void>,
    { script = true, viewport = phone }: Options = {},
  ): Promise<void> {
    const context = await browser.newContext({ javaScriptEnabled: script, viewport, extraHTTPHeaders: fromAnywhere() })
    await watchPage(context, { origins: [pages.base] }, async (page) => {
      if (!script) withoutScript.add(page)
      await work(page)
    })
  }

  return {
    stack,
    logins,
    pages,
    visitAsNobody,
    owner,
    addReviewer: (fullName = 'A Person') => logins.addPerson({ role: 'reviewer', accountId: null, fullName }),
    /**
     * A visit of a person who signs in first, at the review desk if no other site is named. It comes from a random
     * address and is watched by `watchPage`.
     */
    visit: (person: Person, work: (page: Page) => Promise<void>, options: Options = {}) =>
      visitAsNobody(async (page) => {
        await signIn(page, person, options.site ?? '/ops')
        await work(page)
      }, options),
    /** A payout in naira that the rail has had for two hours without an answer. */
    async stuckPayout(destination: string, amount: string): Promise<string> {
      const { id } = await stack.merchant.payOut(destination, { amount })
      await until(() => isWithRail(id), 'it is with the rail')
      await stack.sql(`update payouts set submitted_at = submitted_at - interval '2 hours' where id = ?`, [id])
      return id
    },
    async heldPayout(destination: string, amount: string): Promise<string> {
      const { id } = await stack.merchant.payOut(destination, { amount, reference: 'sandbox_hold' })
      await until(async () => (await stack.merchant.getPayout(id)).status === 'pending', 'it is held')
      return id
    },
    async close() {
      await browser.close()
      pages.stop()
      await stack.stop()
    },
  }
}

/** One review desk for all tests of a file. */
export const useDesk = () => use(openReviewDesk, (opened) => opened.close())
