import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { Refusal } from '../../domain/refusal.ts'
import { describeBarriers, graveBarriersOn } from '../support/barriers.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { newProduct } from '../support/cart.ts'
import { openPages } from '../support/pages.ts'
import { createLink, type Json, type Link, newLink, opened, openPrice } from '../support/payment-link.ts'
import { changeLink, liftRateLimits } from '../support/rows.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
/** The folder for a screenshot of each page; none are made unless it is set. */
const pictures = process.env['PICTURES']

const stack = await useStack({ invariants: 'at the end' })
if (pictures) mkdirSync(pictures, { recursive: true })
await liftRateLimits(stack)
const pages = await openPages(stack)
const browser = await launchBrowser()
atEnd(() => pages.stop())
atEnd(() => browser.close())

const addressOf = ({ url }: Link, query = '') => `${pages.addressOf(`http://pages${new URL(url).pathname}`)}${query}`
let visitors = 0
const nextVisitor = () => ({ 'x-forwarded-for': `192.0.2.${++visitors}` })

type Look = { script?: boolean; viewport?: (typeof sizes)['phone'] }

/** One buyer's visit. It must load nothing from outside, and leave the console empty. */
async function visit(address: string, work: (page: Page) => Promise<void>, look: Look = {}): Promise<void> {
  const { script = false, viewport = sizes.phone } = look
  const context = await browser.newContext({
    javaScriptEnabled: script,
    viewport,
    extraHTTPHeaders: nextVisitor(),
  })
  await watchPage(context, { origins: [pages.base] }, async (page) => {
    await page.goto(address)
    await work(page)
  })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor({ timeout: 20_000 })
const choosing = (page: Page) => heading(page, 'How would you like to pay?')

/** Checks the width and the accessibility of a page, on a phone and a desktop, with a screenshot of each. */
async function inspect(address: string, name: string, title: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    const work = async (page: Page) => {
      await heading(page, title)
      const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(pixels <= viewport.width, `${name}: the page is ${pixels} pixels wide on a ${size}`)
      assert.deepEqual(describeBarriers(await graveBarriersOn(page)), [])
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${size}.png`, fullPage: true })
    }
    await visit(address, work, { script: true, viewport })
  }
}

const sessionsOf = ({ payment_link_id }: Link) =>
  stack.sql<Json>('select * from checkouts where payment_link_id = ? order by created_at', [payment_link_id])

/** Calls the address without a browser, and follows no redirect. */
const request = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(address, { method, redirect: 'manual', headers: { ...nextVisitor(), ...headers } })

for (const script of [false, true]) {
  test(`a link opens a session and shows its page, script ${script ? 'on' : 'off'}`, async () => {
    const link = await createLink(stack.merchant)
    const work = async (page: Page) => {
      await choosing(page)
      await page.getByText('A poster').waitFor()
      assert.match(page.url(), /\/checkout\/chk_/)
    }
    await visit(addressOf(link), work, { script })
    assert.equal((await sessionsOf(link)).length, 1)
  })

  test(`a buyer who decides the amount is asked for it, until it fits, script ${script ? 'on' : 'off'}`, async () => {
    const link = await createLink(stack.merchant, { name: 'For the <b>choir</b>', price: openPrice })
    const query = '?utm_source=poster&reference=a%22b&customer_email=ada@example.com&amount=&x=1'
    const work = async (page: Page) => {
      const amount = page.getByLabel('Amount in USD')
      await heading(page, 'For the <b>choir</b>')
      await page.getByText('Enter an amount from $3.00 to $50.00.').waitFor()
      assert.equal(await page.locator('.error').count(), 0)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.locator('.error', { hasText: 'from $3.00 to $50.00' }).waitFor()
      await amount.fill('2.50')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL('**amount=2.50**')
      await page.locator('.error', { hasText: 'from $3.00 to $50.00' }).waitFor()
      assert.equal(await amount.inputValue(), '2.50')
      assert.equal(await amount.getAttribute('aria-invalid'), 'true')
      await amount.fill(' 12.5 ')
      await page.getByRole('button', { name: 'Continue' }).click()
      await choosing(page)
      await page.getByText('$12.50').first().waitFor()
    }
    await visit(addressOf(link, query), work, { script })
    const [session, ...more] = await sessionsOf(link)
    assert.deepEqual(more, [])
    assert.partialDeepStrictEqual(session, {
      reference: 'a"b',
      metadata: { utm_source: 'poster' },
      customer_details: {
        email: 'ada@example.com',
        name: null,
      },
    })
  })
}

test('a form whose next page was stopped can be sent again', async () => {
  const link = await createLink(stack.merchant, { price: openPrice })
  const work = async (page: Page) => {
    let calls = 0
    let onCall = () => {}
    // The first call is never answered, as on a network that was lost.
    await page.route('**/l/*?*', (route) => {
      calls++
      onCall()
      return calls > 1 ? route.continue() : undefined
    })
    const called = new Promise<void>((resolve) => (onCall = resolve))
    const devtools = await page.context().newCDPSession(page)
    await page.getByLabel('Amount in USD').fill('12.00')
    const press = () =>
      devtools.send('Runtime.evaluate', { expression: `document.querySelector('form button').click()` })
    await press()
    await called
    await devtools.send('Page.stopLoading')
    await press()
    await choosing(page)
  }
  await visit(addressOf(link), work, { script: true })
})

test('the session has the details of the address, and invalid ones do not keep the buyer from paying', async () => {
  const link = await createLink(stack.merchant, { metadata: { shelf: '7' } })
  const reply = await request(
    addressOf(link, '?customer_email=Ada@Example.com&customer_name=Ada&reference=o-1&utm_id=7'),
  )
  assert.equal(reply.status, 303)
  assert.match(reply.headers.get('location') ?? '', /^\/checkout\/chk_[0-9a-z]{34}_secret_[\w-]{32}$/)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const bad = `customer_email=ada&reference=${'x'.repeat(200)}&customer_name=Ada&utm_term=${'y'.repeat(700)}&amount=1`
  assert.equal((await request(addressOf(link, `?${bad}&utm_term=2&admin=1&metadata[a]=b`))).status, 303)
  assert.equal((await request(addressOf(link, '?utm_source=%00&customer_name=%00'))).status, 303)
  const [first, second, third] = await sessionsOf(link)
  assert.partialDeepStrictEqual(first, {
    customer_details: {
      email: 'ada@example.com',
      name: 'Ada',
    },
    reference: 'o-1',
    customer_id: null,
  })
  assert.deepEqual(first?.['metadata'], { shelf: '7', utm_id: '7' })
  assert.deepEqual([second?.['customer_details'], second?.['reference']], [null, null])
  assert.deepEqual(second?.['metadata'], { shelf: '7', utm_term: 'y'.repeat(500) })
  assert.deepEqual(third?.['metadata'], { shelf: '7' })
})

test('a HEAD request or a prefetch opens no session', async () => {
  const link = await createLink(stack.merchant, { price: { price_type: 'free', currency: 'USD' } })
  assert.equal((await request(addressOf(link), {}, 'HEAD')).status, 200)
  for (const name of ['sec-purpose', 'purpose']) {
    const fetched = await request(addressOf(link), { [name]: 'prefetch;prerender' })
    assert.deepEqual([fetched.status, fetched.headers.get('cache-control')], [204, 'no-store'])
  }
  assert.equal((await request(addressOf(link), {}, 'POST')).status, 405)
  assert.deepEqual(await sessionsOf(link), [])
  assert.equal((await request(`${pages.base}/l/${'0'.repeat(16)}`, {}, 'HEAD')).status, 404)
})

test('a link that no longer sells answers 410 with the reason, in the merchant’s words if there are any', async () => {
  const inactive = await createLink(stack.merchant, { active: false })
  const expired = await createLink(stack.merchant, { inactive_message: 'The fair is over. <i>See you</i>!' })
  await changeLink(stack, expired.payment_link_id, { expiresAt: new Date(Date.now() - 1_000) })
  const completed = await createLink(stack.merchant, { max_completions: 1 })
  await stack.merchant.payByCard(await opened(stack.merchant, completed))
  const product_id = await newProduct(stack.merchant)
  const { price: _price, ...rest } = newLink
  const archived = await createLink(stack.merchant, { ...rest, price: undefined, product_cart: [{ product_id }] })
  await stack.merchant.call('DELETE', `/v1/products/${product_id}`)
  const titles: [Link, string, RegExp][] = [
    [inactive, 'This link is not in use', /You cannot pay here/],
    [expired, 'This link has expired', /The fair is over\. &lt;i&gt;See you/],
    [completed, 'This is no longer available', /has been sold/],
    [archived, 'This is not available', /cannot be used to pay at the moment/],
  ]
  for (const [link, title, words] of titles) {
    const answer = await request(addressOf(link))
    assert.equal(answer.status, 410, title)
    assert.match(await answer.text(), words)
    await inspect(addressOf(link), title.toLowerCase().replaceAll(' ', '-'), title)
    assert.equal((await sessionsOf(link)).length, link === completed ? 1 : 0)
  }
  assert.equal((await request(addressOf(expired), {}, 'HEAD')).status, 410)
})

test('an unknown link is not found', async () => {
  for (const slug of ['0'.repeat(16), 'A'.repeat(16), '..%2f', 'x']) {
    const answer = await request(`${pages.base}/l/${slug}`)
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /This page does not exist/)
  }
})

test('the form for the amount is accessible, with an error and without', async () => {
  const link = await createLink(stack.merchant, { price: openPrice })
  await inspect(addressOf(link), 'amount', 'A poster')
  await inspect(addressOf(link, '?amount=1e9'), 'amount-error', 'A poster')
  const product_id = await newProduct(stack.merchant, {
    price_type: 'custom',
    amount: null,
    suggested_amount: '6.00',
  })
  const cart = await createLink(stack.merchant, { price: undefined, product_cart: [{ product_id }] })
  const html = await (await request(addressOf(cart))).text()
  assert.match(html, /value="6\.00"/)
  assert.match(await (await request(addressOf(cart, '?amount=x'))).text(), /Enter an amount, such as 25\.00\./)
})

test('a buyer of several reads that the amount is for each before they enter it', async () => {
  const product_id = await newProduct(stack.merchant, { price_type: 'custom', amount: null })
  const product_cart = [{ product_id, quantity: 3 }, { product_id: await newProduct(stack.merchant) }]
  const link = await createLink(stack.merchant, { price: undefined, product_cart })
  await inspect(addressOf(link), 'amount-each', 'A poster')
  const words = 'Enter the amount for one. You are buying 3. The next page shows the total.'
  await visit(addressOf(link), async (page) => {
    await page.locator('#amount-hint').getByText(words).waitFor()
    await page.getByLabel('Amount in USD').fill('30')
    await page.getByRole('button', { name: 'Continue' }).click()
    await choosing(page)
    await page.getByText('3 × $30.00').waitFor()
    await page.getByText('$95.00').first().waitFor()
  })
  const single = await createLink(stack.merchant, { price: openPrice })
  assert.equal((await (await request(addressOf(single))).text()).includes('the amount for one'), false)
})

test('a buyer whose amount is too little for the payment methods is asked for another one', async () => {
  const link = await createLink(stack.merchant, {
    price: { price_type: 'custom', currency: 'XOF', maximum_amount: '1000000' },
    payment_method_options: { card: { currencies: ['USD'] } },
  })
  const answer = await request(addressOf(link, '?amount=2'))
  assert.equal(answer.status, 400)
  assert.match(await answer.text(), /This amount cannot be paid here\. Enter another one\./)
  assert.equal((await request(addressOf(link, '?amount=200'))).status, 303)
})

/** Opens a link while no rate is known, so that its page waits; `then` happens before the rates are known again. */
async function waitedFor(link: Link, then: () => Promise<unknown>, work: (page: Page) => Promise<void>): Promise<void> {
  const { rates } = stack.services
  const known = rates.rate
  rates.rate = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE', 'no rate is known', [], 1))
  const context = await browser.newContext({ extraHTTPHeaders: nextVisitor() })
  try {
    const page = await context.newPage()
    await page.goto(addressOf(link))
    await heading(page, 'Please wait a moment')
    await then()
    rates.rate = known
    await work(page)
  } finally {
    rates.rate = known
    await context.close()
  }
}
const cardFields = { 'Card number': '4242424242424242', Expiry: '12/40', 'Security code': '123' }
const euros = { price_type: 'fixed', amount: '25.00', currency: 'EUR' }

test('the page that waits goes on by itself, and opens one session', async () => {
  const link = await createLink(stack.merchant, { price: euros })
  await waitedFor(link, () => Promise.resolve(), choosing)
  assert.equal((await sessionsOf(link)).length, 1)
})

test('the page that waits says so if the link is switched off meanwhile', async () => {
  const link = await createLink(stack.merchant, { price: euros })
  const close = () => stack.merchant.call('PATCH', `/v1/payment-links/${link.payment_link_id}`, { active: false })
  await waitedFor(link, close, (page) => heading(page, 'This link is not in use'))
})

test('the pages of links load nothing from outside, cannot be framed, and are not cached', async () => {
  const link = await createLink(stack.merchant, { name: '<script>alert(1)</script>', price: openPrice })
  const page = await request(addressOf(link, '?utm_a=%3Cscript%3E'))
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; /)
  assert.doesNotMatch(policy, /unsafe|http|\*/)
  const headers = ['cache-control', 'referrer-policy', 'x-frame-options', 'x-content-type-options', 'x-robots-tag']
  assert.deepEqual(
    headers.map((name) => page.headers.get(name)),
    ['no-store', 'no-referrer', 'DENY', 'nosniff', 'noindex, nofollow'],
  )
  const html = await page.text()
  assert.match(html, /&lt;script&gt;alert/)
  assert.doesNotMatch(html, /<style|<script>|style=|\son\w+=/)
  assert.equal((html.match(/<h1/g) ?? []).length, 1)
})

test('the rate limit counts each buyer, and no session is made beyond it', async () => {
  const link = await createLink(stack.merchant)
  const from = nextVisitor()
  // A new minute may begin meanwhile, with a new count.
  let [reply, made] = [await request(addressOf(link), from), 0]
  for (; reply.status === 303 && made < 260; made++) reply = await request(addressOf(link), from)
  assert.equal(reply.status, 429)
  assert.match(await reply.text(), /Too many attempts/)
  assert.equal((await sessionsOf(link)).length, made)
  assert.equal((await request(addressOf(link))).status, 303)
})

for (const script of [false, true]) {
  test(`a prefilled invalid email is shown and can be corrected, script ${script ? 'on' : 'off'}`, async () => {
    const link = await createLink(stack.merchant, { price: openPrice })
    const work = async (page: Page) => {
      // Typed as the buyer does, without cents or with a comma between thousands.
      await page.getByLabel('Amount in USD').pressSequentially(script ? '$ 12.5' : '12,5')
      await page.getByRole('button', { name: 'Continue' }).click()
      if (!script) {
        await page.locator('.error').getByText('with a point before the cents').waitFor()
        assert.equal(await page.getByLabel('Amount in USD').inputValue(), '12,5')
        await page.getByLabel('Amount in USD').fill('12.50')
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      await choosing(page)
      const email = page.getByLabel('Email')
      assert.equal(await email.inputValue(), 'bad')
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Zoë Ångström-d’Été')
      await page.locator('#email-error').getByText('Enter an email address').waitFor()
      await page.getByRole('alert').getByText('Please correct the following').waitFor()
      await email.fill('zoe@example.com')
      if (script) {
        assert.doesNotMatch(page.url(), /customer_/)
        await page.getByLabel('Pay in').selectOption('NGN')
        await page.locator('input[name=shown][value=NGN]').waitFor({ state: 'attached' })
        await page.getByLabel('Pay in').selectOption('USD')
        await page.locator('input[name=shown][value=USD]').waitFor({ state: 'attached' })
        assert.equal(await page.locator('.error').count(), 0)
        assert.equal(await email.inputValue(), 'zoe@example.com')
      }
      for (const [label, text] of Object.entries(cardFields)) await page.getByLabel(label).pressSequentially(text)
      // Without a script the button cannot follow the chosen method, but each method shows what the press pays.
      await page.getByRole('button', { name: 'Pay $12.50' }).click()
      await heading(page, 'Payment complete')
      await page.locator('.receipt').getByText('zoe@example.com').waitFor()
    }
    await visit(
      addressOf(link, '?customer_email=bad&customer_name=Zo%C3%AB+%C3%85ngstr%C3%B6m-d%E2%80%99%C3%89t%C3%A9'),
      work,
      { script },
    )
    assert.equal((await sessionsOf(link)).length, 1)
  })
}
