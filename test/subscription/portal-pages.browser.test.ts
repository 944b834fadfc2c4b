import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { barriersOn, describeBarriers } from '../support/barriers.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { cards } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { openPortal } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { type Shown, subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// The pages of the portal in a browser: with and without script, by keyboard, on a phone and a desktop.
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
/** Where a screenshot of each page is put, if it is set. */
const pictures = process.env['PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })

const stack = await useStack({ invariants: 'at the end' })
await liftRateLimits(stack)
const pages = await openPages(stack)
const browser = await launchBrowser()
const plans = subscriptionsOf(stack)
const shop = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,"><h1>The shop</h1>'),
)
await once(shop.listen(0, '127.0.0.1'), 'listening')
// Another site: `localhost` and `127.0.0.1` are not the same.
const shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`
atEnd(() => pages.stop())
atEnd(() => browser.close())
atEnd(() => void shop.close())

let visitors = 0
type Look = { script?: boolean; viewport?: (typeof sizes)['phone']; flow?: object; path?: string }
type Visit = { page: Page; context: BrowserContext; token: string }

/** A customer's visit to the portal. No address but the first has the token, and nothing is loaded from outside. */
async function visit({ customer }: Shown, work: (visit: Visit) => Promise<void>, look: Look = {}): Promise<void> {
  const { script = false, viewport = sizes.phone, flow = null, path } = look
  const session = await openPortal(stack.merchant, customer.id, { flow, return_url: `${shopUrl}/account` })
  const context = await browser.newContext({
    javaScriptEnabled: script,
    viewport,
    extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${++visitors}` },
  })
  await watchPage(context, { origins: [pages.base, shopUrl] }, async (page) => {
    await page.goto(pages.addressOf(session.url))
    await page.waitForURL((url) => !url.href.includes('_secret_'))
    if (path !== undefined) await page.goto(`${pages.base}/portal${path}`)
    await work({ page, context, token: session.token })
    assert.doesNotMatch(page.url(), /_secret_/)
  })
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).click()
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

async function inspect(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize() ?? sizes.phone
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(pixels <= viewport.width, `${name}: the page is ${pixels} pixels wide`)
  assert.deepEqual(describeBarriers(await barriersOn(page)), [], name)
  if (pictures) await page.screenshot({ path: `${pictures}/${name}-${viewport.width}.png`, fullPage: true })
}

/** Two plans of one group, and a subscription of the first. */
async function subscribed(number = cards.success, quantity = 1): Promise<Shown & { pro: string }> {
  const { product_id: basic } = await plans.createProduct({ name: 'Basic' })
  const { product_id: pro } = await plans.createProduct({ name: 'Pro with everything', amount: '50.00' })
  await plans.ok('POST', '/v1/product-groups', { name: 'Plans', products: [basic, pro] })
  const opened = await plans.createSession(basic, { product_cart: [{ product_id: basic, quantity }] })
  await stack.dispatched()
  await stack.merchant.payByCard(opened, number)
  const { recurring } = (await stack.merchant.getCheckout(opened.checkout_id)) as { recurring: Record<string, string> }
  return { ...(await plans.read(String(recurring['subscription_id']))), pro }
}

test('a link from another site opens the portal, and the token is in no later address or Referer', async () => {
  const sub = await subscribed()
  const { url } = await openPortal(stack.merchant, sub.customer.id, { return_url: `${shopUrl}/account` })
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const referers: string[] = []
  page.on('request', (request) => void referers.push(request.headers()['referer'] ?? ''))
  await page.goto(shopUrl)
  await page.setContent(`<a href="${pages.addressOf(url)}">My account</a>`)
  await page.getByRole('link').click()
  await heading(page, 'Your subscriptions')
  assert.match(page.url(), /\/portal$/)
  await page.reload()
  await follow(page, 'Invoices')
  await heading(page, 'Your invoices')
  await follow(page, /^Back to/)
  await heading(page, 'The shop')
  assert.doesNotMatch(referers.join(), /_secret_/)
  const [cookie] = await context.cookies(`${pages.base}/portal`)
  assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: 'Strict', path: '/portal' })
  await context.close()
})

for (const script of [false, true]) {
  test(`a customer cancels with a reason and keeps the subscription after all, script ${script}`, async () => {
    const sub = await subscribed()
    await visit(
      sub,
      async ({ page }) => {
        await heading(page, 'Your subscriptions')
        await says(page, /It renews on/)
        await says(page, 'Paid with Visa ••4242')
        await follow(page, /^Cancel/)
        await heading(page, 'Cancel Basic')
        await page.getByLabel('It is too expensive').check()
        await page.getByLabel(/Anything else/).fill('I <b>move</b> away')
        await press(page, 'Continue')
        await heading(page, 'Cancel Basic?')
        assert.equal(
          (await plans.read(sub.subscription_id))['cancel_at_period_end'],
          false,
          'not before it is confirmed',
        )
        await says(page, 'I <b>move</b> away')
        await press(page, 'Back')
        assert.ok(await page.getByLabel('It is too expensive').isChecked())
        await press(page, 'Continue')
        await press(page, 'Cancel the subscription')
        await says(page, 'Your subscription is canceled.')
        const words = { reason: 'too_expensive', comment: 'I <b>move</b> away', by: 'customer' }
        assert.deepEqual((await plans.read(sub.subscription_id))['cancellation'], words)
        await says(page, /You can use it until/)
        await press(page, /^Keep the subscription/)
        await says(page, 'Your subscription goes on.')
        assert.equal((await plans.read(sub.subscription_id))['cancellation'], null)
      },
      { script },
    )
  })

  test(`a plan is switched after a look at what it costs, script ${script}`, async () => {
    const sub = await subscribed()
    await visit(
      sub,
      async ({ page }) => {
        await follow(page, /^Change plan/)
        await heading(page, 'Change your plan')
        await press(page, 'See what it costs')
        await heading(page, 'Change to Pro with everything?')
        await says(page, 'To pay now')
        assert.equal((await plans.read(sub.subscription_id))['amount'], '25.00', 'not before it is confirmed')
        await press(page, /^Pay \$.* and change$/)
        await says(page, 'Your plan is changed.')
        await says(page, 'Pro with everything')
      },
      { script },
    )
    assert.equal((await plans.read(sub.subscription_id))['amount'], '50.00')
    await plans.until(sub.subscription_id, ({ latest_invoice_id: id }) => id !== sub.latest_invoice_id)
  })

  test(`a new card is saved and used for the subscription, the old one is removed, script ${script}`, async () => {
    const sub = await subscribed()
    const flow = { type: 'payment_method_update', subscription_id: sub.subscription_id }
    await visit(
      sub,
      async ({ page }) => {
        await heading(page, 'Change the card')
        await press(page, 'Add a new card')
        await page.waitForURL(/\/checkout\//)
        await page.getByLabel('Card number').fill(cards.success)
        await page.getByLabel('Expiry').fill('12/40')
        await page.getByLabel(/Security code/).fill('123')
        await stack.dispatched()
        await press(page, 'Save card')
        await heading(page, 'Check and save')
        await press(page, 'Save card')
        await heading(page, 'Your card is saved')
        await page.getByRole('link', { name: /^Continue to/ }).click()
        await heading(page, 'Change the card')
        await says(page, 'Your card is saved.')
        await press(page, 'Use this card')
        await says(page, 'Your card is changed.')
        await follow(page, 'Cards')
        await heading(page, 'Your cards')
        assert.equal(await page.getByText('In use').count(), 1)
        await follow(page, /^Remove/)
        await heading(page, 'Remove Visa ••4242?')
        await press(page, 'Remove the card')
        await says(page, 'The card is removed.')
        assert.equal(await page.getByRole('link', { name: /^Remove/ }).count(), 0)
      },
      { script, flow },
    )
    assert.notEqual((await plans.read(sub.subscription_id)).payment_method_id, sub.payment_method_id)
  })

  test(`the details are corrected until they fit, script ${script}`, async () => {
    const sub = await subscribed()
    const work = async ({ page }: Visit) => {
      await page.getByLabel('Name').fill('Ada Changed')
      await page.getByLabel('Phone number').fill('0802 345')
      await page.getByLabel('City').fill('Lagos')
      await press(page, 'Save')
      await says(page, 'Please correct the following.')
      assert.equal(await page.getByLabel('Phone number').getAttribute('aria-invalid'), 'true')
      assert.equal(await page.getByLabel('City').inputValue(), 'Lagos')
      await page.getByLabel('Phone number').fill('+234 802 345 6789')
      await page.getByLabel('Address', { exact: true }).fill('12 Marina Road')
      await page.getByLabel('Country').selectOption('NG')
      await press(page, 'Save')
      await says(page, 'Your details are saved.')
      await page.getByLabel('Phone number').fill('')
      await page.getByLabel('City').fill('Ikeja')
      await press(page, 'Save')
      await says(page, 'Your phone number can be replaced, but not removed.')
      await page.getByLabel('Phone number').fill('+234 802 345 6789')
      await page.getByLabel('City').fill('Lagos')
      await press(page, 'Save')
      await says(page, 'Your details are saved.')
    }
    await visit(sub, work, { script, path: '/details' })
    const customer = await plans.ok('GET', `/v1/customers/${sub.customer.id}`)
    assert.partialDeepStrictEqual(customer, {
      name: 'Ada Changed',
      phone_number: '+2348023456789',
      billing_address: { line1: '12 Marina Road', city: 'Lagos', country: 'NG', state: null },
    })
  })
}

test('a plan that became dearer after its price was shown is not paid before the new price is confirmed', async () => {
  const sub = await subscribed()
  await visit(sub, async ({ page }) => {
    await follow(page, /^Change plan/)
    await press(page, 'See what it costs')
    await heading(page, 'Change to Pro with everything?')
    await plans.ok('PATCH', `/v1/products/${sub.pro}`, { amount: '500.00' })
    await press(page, /^Pay \$2\d\.\d\d and change$/)
    await says(page, 'The price or the date has changed since you opened this page')
    assert.equal((await plans.read(sub.subscription_id))['amount'], '25.00', 'nothing is changed or charged')
    await press(page, /^Pay \$47\d\.\d\d and change$/)
    await says(page, 'Your plan is changed.')
  })
  assert.equal((await plans.read(sub.subscription_id))['amount'], '500.00')
  await plans.until(sub.subscription_id, ({ latest_invoice_id: id }) => id !== sub.latest_invoice_id)
})

test('a plan is offered at the price of everything that is paid for', async () => {
  const sub = await subscribed(cards.success, 3)
  await visit(sub, async ({ page }) => {
    await follow(page, /^Change plan/)
    await says(page, 'Pro with everything × 3')
    await says(page, '$150.00 USD each month')
    await press(page, 'See what it costs')
    await says(page, 'From then on: Pro with everything × 3, $150.00 USD each month.')
  })
})

test('a paused subscription ends at once, and the page says so', async () => {
  const sub = await subscribed()
  await plans.act(sub.subscription_id, 'pause', { at_period_end: false })
  await visit(sub, async ({ page }) => {
    await follow(page, /^Cancel/)
    await press(page, 'Continue')
    await press(page, 'Cancel the subscription')
    await says(page, 'Your subscription has ended.')
  })
})

test('everything can be done by keyboard', async () => {
  const sub = await subscribed()
  const work = async ({ page }: Visit) => {
    const reach = async (name: string) => {
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate<string>(
          'document.activeElement.innerText || document.activeElement.value || ""',
        )
        if (focused.startsWith(name)) return
      }
      throw new Error(`${name} is not reached`)
    }
    await reach('Cancel')
    await page.keyboard.press('Enter')
    await heading(page, 'Cancel Basic')
    await reach('too_expensive')
    await page.keyboard.press('ArrowDown')
    await reach('Continue')
    await page.keyboard.press('Enter')
    await heading(page, 'Cancel Basic?')
    await reach('Cancel the subscription')
    await page.keyboard.press('Enter')
    await says(page, 'Your subscription is canceled.')
  }
  await visit(sub, work, { script: true })
  assert.partialDeepStrictEqual((await plans.read(sub.subscription_id))['cancellation'], { by: 'customer' })
})

test('every page fits a phone and a desktop and has no barrier that axe finds, also in a light colour', async () => {
  const sub = await subscribed()
  const [other, ended] = [await plans.createProduct({ name: 'Newsletter' }), await plans.createProduct()]
  for (const { product_id: id } of [other, ended]) {
    const opened = await plans.createSession(id, { customer: { id: sub.customer.id } })
    await stack.dispatched()
    await stack.merchant.payByCard(opened)
  }
  const { items } = await plans.ok<{ items: Shown[] }>('GET', `/v1/subscriptions?customer_id=${sub.customer.id}`)
  await plans.act(String(items[0]?.subscription_id), 'cancel', { at_period_end: false })
  await plans.act(String(items[1]?.subscription_id), 'cancel', { at_period_end: true })
  const one = `/subscriptions/${sub.subscription_id}`
  const titles: Record<string, string> = {
    '?all=1': 'Your subscriptions',
    '/invoices': 'Your invoices',
    '/cards': 'Your cards',
    '/details': 'Your details',
    [`${one}/plan`]: 'Change your plan',
    [`${one}/card`]: 'Change the card',
    [`${one}/cancel`]: 'Cancel Basic',
  }
  for (const viewport of Object.values(sizes)) {
    await plans.ok('PATCH', '/v1/account', { accent_color: viewport === sizes.phone ? '#ffd400' : null })
    const work = async ({ page }: Visit) => {
      for (const [path, title] of Object.entries(titles)) {
        await page.goto(`${pages.base}/portal${path}`)
        await heading(page, title)
        await inspect(page, title.toLowerCase().replaceAll(' ', '-'))
      }
      await press(page, 'Continue')
      await heading(page, 'Cancel Basic?')
      await page.locator('button.second').hover()
      await inspect(page, 'cancel-confirm')
      await page.goto(`${pages.base}/portal${one}/plan`)
      await press(page, 'See what it costs')
      await heading(page, /^Change to/)
      await inspect(page, 'plan-confirm')
      await page.goto(`${pages.base}/portal/details`)
      await page.getByLabel('Phone number').fill('1')
      await press(page, 'Save')
      await says(page, 'Please correct')
      await inspect(page, 'details-wrong')
    }
    await visit(sub, work, { script: true, viewport })
  }
})

test('an expired token says so, and a form of another site or of another portal changes nothing', async () => {
  const [one, other] = [await subscribed(), await subscribed()]
  await visit(one, async ({ page, token }) => {
    await page.goto(`${pages.base}/portal/details`)
    await page.getByLabel('Name').fill('Changed')
    const { url } = await openPortal(stack.merchant, other.customer.id)
    const second = await page.context().newPage()
    await second.goto(pages.addressOf(url))
    await heading(second, 'Your subscriptions')
    await press(page, 'Save')
    await heading(page, 'Nothing was changed')
    await stack.sql(`update customer_sessions set expires_at = now() - interval '1 second' where customer_id = ?`, [
      other.customer.id,
    ])
    await page.goto(`${pages.base}/portal`)
    await heading(page, 'This page has expired')
    await page.goto(`${pages.base}/portal/${token.slice(0, -1)}`)
    await heading(page, 'This page has expired')
    await page.goto(`${pages.base}/portal/nonsense`)
  })
  for (const { customer } of [one, other]) {
    assert.equal((await plans.ok('GET', `/v1/customers/${customer.id}`))['name'], 'Ada Buyer')
  }
  const { token, customer_session_id: id } = await openPortal(stack.merchant, one.customer.id)
  const post = (headers: Record<string, string>) =>
    fetch(`${pages.base}/portal/subscriptions/${one.subscription_id}/cancel`, {
      method: 'POST',
      body: new URLSearchParams({ step: 'confirm', about: id, form_key: 'x' }),
      headers: { cookie: `portal_token=${token}`, ...headers },
      redirect: 'manual',
    })
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example.com' }, {}]) {
    assert.equal((await post(headers as Record<string, string>)).status, 403)
  }
  assert.equal((await plans.read(one.subscription_id))['cancel_at_period_end'], false)
})

test('a session for one thing begins there and shows nothing else', async () => {
  const sub = await subscribed()
  const flow = { type: 'subscription_cancel', subscription_id: sub.subscription_id }
  const work = async ({ page }: Visit) => {
    await heading(page, 'Cancel Basic')
    assert.equal(await page.getByRole('link', { name: 'Your details' }).count(), 0)
    await follow(page, 'Subscriptions')
    assert.equal(await page.getByRole('link', { name: /^Change (plan|card)/ }).count(), 0)
    await page.getByRole('link', { name: /^Cancel/ }).waitFor()
  }
  await visit(sub, work, { flow })
})
