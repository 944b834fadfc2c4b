import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { barriersOn, describeBarriers } from './barriers.ts'
import { launchBrowser, watchPage } from './browser.ts'
import type { Merchant } from './merchant.ts'
import { openPages } from './pages.ts'
import { liftRateLimits } from './rows.ts'
import type { Stack } from './stack.ts'
import { atEnd } from './use.ts'

export const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
/** The folder for a screenshot of each page; none are made unless it is set. */
const pictures = process.env['PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })

type Look = { script?: boolean; viewport?: (typeof sizes)['phone']; isDark?: boolean; path?: string }
type Visit = { page: Page; context: BrowserContext; url: string }

/** A link to the hosted page of an account, as the API answers it. */
export async function openLink(merchant: Merchant, accountId: string, urls: object = {}): Promise<string> {
  const body = { return_url: 'https://example.com/done', refresh_url: 'https://example.com/new', ...urls }
  const { status, text, body: link } = await merchant.call('POST', `/v1/accounts/${accountId}/onboarding-link`, body)
  assert.equal(status, 201, text)
  return String(link['url'])
}

/** The token in a link. */
export const tokenOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? ''

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
export const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click()
export const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

/** A page fits its screen and has no barrier that axe finds. */
export async function inspect(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize() ?? sizes.phone
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(pixels <= viewport.width, `${name}: the page is ${pixels} pixels wide`)
  if (pictures) await page.screenshot({ path: `${pictures}/${name}-${viewport.width}.png`, fullPage: true })
  assert.deepEqual(describeBarriers(await barriersOn(page)), [], name)
}

/** The pages of a stack, a platform's own site, and a browser in which sellers visit them. */
export async function useSellers(stack: Stack) {
  await liftRateLimits(stack)
  const pages = await openPages(stack)
  const browser = await launchBrowser()
  const site = createServer(({ url }, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<link rel="icon" href="data:,"><h1>The platform: ${url === '/new' ? 'new link' : 'done'}</h1>`),
  )
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  // Another site: `localhost` and `127.0.0.1` are not the same.
  const siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
  atEnd(() => pages.stop())
  atEnd(() => browser.close())
  atEnd(() => void site.close())
  let visitors = 0

  const linkTo = async (accountId: string): Promise<string> =>
    pages.addressOf(
      await openLink(stack.merchant, accountId, { return_url: `${siteUrl}/done`, refresh_url: `${siteUrl}/new` }),
    )

  /** A visit by a link. No address but the first has the token, and nothing is loaded from outside. */
  async function visitBy(url: string, work: (visit: Visit) => Promise<void>, look: Look = {}): Promise<void> {
    const { script = false, viewport = sizes.phone, isDark = false, path } = look
    const context = await browser.newContext({
      javaScriptEnabled: script,
      viewport,
      colorScheme: isDark ? 'dark' : 'light',
      extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${++visitors}` },
    })
    await watchPage(context, { origins: [pages.base, siteUrl] }, async (page) => {
      await page.goto(url)
      await page.waitForURL((address) => !address.href.includes('_secret_'))
      if (path !== undefined) await page.goto(`${pages.base}/onboarding${path}`)
      await work({ page, context, url })
      assert.doesNotMatch(page.url(), /_secret_/)
    })
  }

  return {
    pages,
    browser,
    siteUrl,
    linkTo,
    visitBy,
    /** A seller's visit by a new link. */
    visit: async (accountId: string, work: (visit: Visit) => Promise<void>, look: Look = {}): Promise<void> =>
      visitBy(await linkTo(accountId), work, look),
  }
}
