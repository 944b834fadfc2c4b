import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fromAnywhere, withApi } from '../support/api.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { endow } from '../support/conversion.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { type Person, totpAt } from '../support/login.ts'
import { cards, sale } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { desktop, phone, useDesk } from '../support/review-desk.ts'
import { changeDestination } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useReceiverForEachTest } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// A person without a mouse does a day's work on the dashboard: only Tab, Enter, Space and what is typed. Nothing here
// clicks, or puts the focus anywhere.

const desk = await useDesk()
const { stack, pages, logins } = desk
const receiver = useReceiverForEachTest()
const browser = await launchBrowser()
atEnd(() => browser.close())

const destinationName = 'Our bank in Lagos'

/** What has the focus: its role, its name, and whether people see that it has the focus. */
type Stop = { role: string; name: string; isSeen: boolean; html: string }

/** Reads the focus without moving it. It is seen if it has an outline and stands on the screen. */
const stopOf = (page: Page): Promise<Stop> =>
  page.evaluate<Stop>(`(() => {
    const one = document.activeElement
    const named = one.labels?.[0] ?? (one.getAttribute('aria-label') ? null : one)
    const name = (named ? named.innerText : one.getAttribute('aria-label')).replace(/\\s+/g, ' ').trim()
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    const { width, height, bottom, top, left, right } = one.getBoundingClientRect()
    const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    const isOnScreen = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    const role = one.tagName === 'A' ? 'link' : one.tagName === 'BUTTON' ? 'button' : one.tagName.toLowerCase()
    return { role, name, isSeen: isOutlined && isOnScreen, html: one.outerHTML.slice(0, 200) }
  })()`)

/** Waits until the browser has put the focus of a new page on its first field, and asserts that people see it there. */
async function focused(page: Page, name: string): Promise<void> {
  // The browser does so when it first draws the page, which may be after the page has loaded.
  await until(async () => (await stopOf(page)).name === name, `the focus is on ${name} of ${page.url()}`)
  assert.ok((await stopOf(page)).isSeen, `nobody sees that ${name} has the focus`)
}

const stopsMax = 120

/** Presses Tab until this has the focus. At each stop on the way people see where they are. */
async function tabTo(page: Page, role: Stop['role'], name: string | RegExp): Promise<void> {
  const isIt = (stop: Stop) =>
    stop.role === role && (name instanceof RegExp ? name.test(stop.name) : stop.name === name)
  const passed: string[] = []
  for (let stops = 0; stops < stopsMax; stops++) {
    await page.keyboard.press('Tab')
    const stop = await stopOf(page)
    if (stop.role === 'body') continue // the end of the page: the next Tab begins at its top again
    assert.ok(stop.isSeen, `nobody sees that this has the focus, on ${page.url()}: ${stop.html}`)
    if (isIt(stop)) return
    passed.push(`${stop.role} ${stop.name}`)
  }
  assert.fail(`Tab does not reach ${role} ${String(name)} on ${page.url()}, only ${passed.join(' | ')}`)
}

/** Presses Enter on a link or a button, and waits for the page that it leads to. */
async function enter(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  await tabTo(page, role, name)
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
  await page.waitForLoadState()
}

/** Goes past the menu to the content, by the link that shows itself at the first Tab. */
async function skipToContent(page: Page): Promise<void> {
  await tabTo(page, 'link', 'Skip to the content')
  await page.keyboard.press('Enter')
}

/** Goes to a page of the menu. On a phone the menu is opened first, by Space. */
async function choose(page: Page, name: string): Promise<void> {
  if (page.viewportSize()?.width === phone.width) {
    await tabTo(page, 'summary', 'Menu')
    await page.keyboard.press('Space')
  }
  await enter(page, 'link', name)
  await skipToContent(page)
}

async function typeInto(page: Page, label: string | RegExp, text: string): Promise<void> {
  await tabTo(page, 'input', label)
  await page.keyboard.type(text)
}

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const told = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function signIn(page: Page, { email, password, totpSecret }: Person): Promise<void> {
  await page.goto(`${pages.base}/dashboard`)
  await focused(page, 'Email')
  await page.keyboard.type(email)
  await typeInto(page, 'Password', password)
  await enter(page, 'button', 'Continue')
  await title(page, 'Enter your code')
  await focused(page, 'Code')
  await page.keyboard.type(totpAt(totpSecret, Date.now()))
  await enter(page, 'button', 'Sign in')
  await title(page, 'Home')
}

async function refund(page: Page): Promise<void> {
  await choose(page, 'Payments')
  await enter(page, 'link', /^USD\s25\.00$/)
  await skipToContent(page)
  await enter(page, 'link', 'Refund…')
  await title(page, /^Refund USD/)
  await skipToContent(page)
  await typeInto(page, /^Amount in USD/, '10.50')
  await enter(page, 'button', 'Continue')
  await title(page, 'Refund this payment?')
  await skipToContent(page)
  await enter(page, 'button', 'Refund now')
  await told(page, 'The refund is on its way.')
}

async function resend(page: Page): Promise<void> {
  await choose(page, 'Webhooks')
  await enter(page, 'link', receiver.url)
  await skipToContent(page)
  await enter(page, 'link', 'customer.created')
  await skipToContent(page)
  await enter(page, 'button', 'Send again')
}

async function payOut(page: Page): Promise<void> {
  // From the destination, the form has it chosen.
  await choose(page, 'Destinations')
  await enter(page, 'link', destinationName)
  await skipToContent(page)
  await enter(page, 'link', /^Send a payout/)
  await title(page, 'Send a payout')
  await skipToContent(page)
  await typeInto(page, /^Amount that arrives/, '1500.50')
  await enter(page, 'button', 'Continue')
  await title(page, 'Send this payout?')
  await skipToContent(page)
  await enter(page, 'button', 'Send now')
  await told(page, 'The payout is accepted.')
}

/** Revokes the key, and makes a new one that may only read. Returns the new key. */
async function rollKey(page: Page): Promise<string> {
  await choose(page, 'API keys')
  await enter(page, 'link', /^Revoke /)
  await skipToContent(page)
  await enter(page, 'button', 'Revoke the key')
  await title(page, 'API keys')
  await skipToContent(page)
  await typeInto(page, 'Name', 'Till')
  await enter(page, 'button', 'Create key')
  await title(page, 'Your new key')
  return page.getByRole('textbox', { name: 'Till, test key' }).inputValue()
}

for (const [name, viewport, script] of [
  ['a desktop', desktop, true],
  ['a phone, without script', phone, false],
] as const) {
  test(`signing in, a refund, a delivery sent again, a payout and a new key by keyboard alone: ${name}`, async () => {
    const { merchant, accountId } = await withApi(stack).addMerchant()
    const owner = { accountId, environment: 'sandbox' as const }
    await endow(stack, accountId, '100000.00', 'NGN')
    const destination = await addDestination(stack, owner, { ends: '0001' })
    await changeDestination(stack, destination, { name: destinationName })
    const endpoints = withEndpoints(merchant)
    const endpoint = await endpoints.add({ url: receiver.url, events: ['customer.created'] })
    await merchant.call('POST', '/v1/customers', { email: 'ada@example.com', name: 'Ada' })
    await endpoints.ended(endpoint)
    const session = await merchant.createCheckout({ ...sale, amount: '25.00' })
    await merchant.payByCard(session, cards.success, 'USD_CARD')
    const read = async (path: string, key = merchant.apiKey) => {
      const headers = { authorization: `Bearer ${key}`, ...fromAnywhere() }
      const answer = await fetch(merchant.baseUrl + path, { headers })
      return { status: answer.status, body: (await answer.json()) as { items: Record<string, unknown>[] } }
    }
    const person = await logins.addPerson({ role: 'owner', accountId })

    const context = await browser.newContext({
      javaScriptEnabled: script,
      viewport,
      extraHTTPHeaders: fromAnywhere(),
    })
    await watchPage(context, { origins: [pages.base] }, async (page) => {
      await signIn(page, person)
      await refund(page)
      const [refunded] = (await read('/api/v1/payments/refunds')).body.items
      assert.equal(refunded?.['requested_amount'], '10.50')
      const before = receiver.received.length
      await resend(page)
      await until(async () => receiver.received.length === before + 1, 'the delivery has come again')
      await payOut(page)
      assert.equal((await read('/v1/payouts')).body.items[0]?.['amount'], '1500.50')
      const key = await rollKey(page)
      assert.equal((await read('/v1/payments', key)).status, 200)
      await until(async () => (await read('/v1/payments')).status === 401, 'the old key is revoked')
    })
  })
}
