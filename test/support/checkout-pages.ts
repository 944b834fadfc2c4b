import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConsoleMessage, Page } from 'playwright-core'
import { launchBrowser, watchPage } from './browser.ts'
import { cards, sale } from './merchant.ts'
import { openPages } from './pages.ts'
import { changeAccount } from './rows.ts'
import { type Stack, type StackOptions, startStack } from './stack.ts'
import { use } from './use.ts'

type Viewport = { width: number; height: number }
const smallPhone: Viewport = { width: 360, height: 740 }
/** The narrowest screen in use; also stands for a page that is zoomed to twice its size. */
export const tinyPhone: Viewport = { width: 320, height: 568 }
export const phone: Viewport = { width: 390, height: 844 }
export const desktop: Viewport = { width: 1280, height: 900 }

type Pages = Awaited<ReturnType<typeof openPages>>
type Visit = {
  script?: boolean
  viewport?: Viewport
  at?: Pages
  permissions?: string[]
  /** The language of the browser. */
  locale?: string
  colorScheme?: 'light' | 'dark'
  /** Other origins from which the page may load something, such as that of a card provider. */
  origins?: readonly string[]
  /** Prepares the page before it is opened. */
  prepare?: (page: Page) => Promise<void>
}

/** A stack with its pages, a shop to return to, and a browser for its buyers. */
async function openCheckout(options: StackOptions) {
  const shop = createServer((_request, response) => response.end('<link rel="icon" href="data:,"><h1>Thank you</h1>'))
  shop.listen(0, '127.0.0.1')
  const stack: Stack = await startStack(options)
  const pages = await openPages(stack)
  const browser = await launchBrowser()
  const shopUrl = () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  let visitors = 0
  const prefer = (feePreference: 'customer_pays' | 'org_pays') =>
    changeAccount(stack, stack.organizationId, { feePreference })

  return {
    stack,
    pages,
    browser,
    shopUrl,
    createCheckout: (body: object = {}) =>
      stack.merchant.createCheckout({ ...sale, success_url: `${shopUrl()}/thanks?id={CHECKOUT_ID}`, ...body }),

    /** Works while the buyers of new sessions pay the fee: then a card has a page on which it is confirmed. */
    async withFee<T>(work: () => Promise<T>): Promise<T> {
      await prefer('customer_pays')
      return work().finally(() => prefer('org_pays'))
    },

    /** One buyer's visit, watched by `watchPage`. */
    async visit(
      checkoutUrl: string,
      work: (page: Page) => Promise<void>,
      {
        script = false,
        viewport = smallPhone,
        at = pages,
        permissions = [],
        origins = [],
        prepare,
        ...look
      }: Visit = {},
    ) {
      const context = await browser.newContext({
        javaScriptEnabled: script,
        viewport,
        permissions,
        ...look,
        extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${++visitors}` },
      })
      // The browser logs each answer that is an error, such as that to an invalid form, and each that never came.
      const ours = [`${at.base}/checkout/`, `${at.base}/l/`, ...origins]
      const isExpected = (message: ConsoleMessage) =>
        /status of [45]|net::ERR_/.test(message.text()) && ours.some((path) => message.location().url.startsWith(path))
      await watchPage(context, { origins: [at.base, shopUrl(), ...origins], isExpected }, async (page) => {
        await prepare?.(page)
        await page.goto(at.addressOf(checkoutUrl))
        await work(page)
      })
    },

    async close() {
      await browser.close()
      pages.stop()
      await stack.stop()
      shop.closeAllConnections()
      shop.close()
    },
  }
}

/** One stack with pages for all tests of a file. */
export const useCheckoutPages = (options: StackOptions = {}) =>
  use(
    () => openCheckout(options),
    (opened) => opened.close(),
  )

export type CheckoutPages = Awaited<ReturnType<typeof openCheckout>>

export async function typeBuyer(page: Page) {
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Ada Buyer')
}

/** The button of a form: it pays, or a page follows. */
const onward = /^(Continue$|Pay )/

export const go = (page: Page) => page.getByRole('button', { name: onward }).click()

export async function typeCard(
  page: Page,
  number: string = cards.success,
  expiry = '12/40',
  button: string | RegExp = onward,
) {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill(expiry)
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: button }).click()
}

/** With JavaScript the page changes at once; without it a button changes it. */
export async function payIn(page: Page, currency: string) {
  await page.getByLabel('Pay in').selectOption(currency)
  const change = page.getByRole('button', { name: 'Change' })
  if ((await change.count()) > 0) await change.click()
  await page.locator(`input[name=shown][value=${currency}]`).waitFor({ state: 'attached' })
}

/** Chooses a payment method by its name on the page. */
export const choose = (page: Page, name: string) => page.getByRole('radio', { name }).check()

export const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm and pay' }).click()

/** Waits for the page with this heading, which must not be wider than the screen. */
export async function heading(page: Page, name: string) {
  await page.getByRole('heading', { level: 1, name }).waitFor({ timeout: 20_000 })
  await page.waitForLoadState() // on a busy machine the text may come before its styles
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(pixels <= (page.viewportSize()?.width ?? 0), `${name}: the page is ${pixels} pixels wide`)
}
