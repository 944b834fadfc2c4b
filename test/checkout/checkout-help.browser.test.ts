import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQR from 'jsqr'
import type { Page } from 'playwright-core'
import { newProduct } from '../support/cart.ts'
import {
  choose,
  confirm,
  desktop,
  go,
  heading,
  useCheckoutPages,
  payIn,
  typeBuyer,
  typeCard,
} from '../support/checkout-pages.ts'
import { cards, transferSale } from '../support/merchant.ts'
import { changeSession } from '../support/rows.ts'
import { addImage } from '../support/upload.ts'

// How the page helps its buyers, beyond taking a payment.

const open = await useCheckoutPages()

const merchant = () => open.stack.merchant
const buyer = { customer: { email: 'ada@example.com', name: 'Ada Buyer' } }
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id')
const free = { price_type: 'free', amount: null }
const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', maximum_amount: '50.00' }

async function selection(products: object[]) {
  const made = await Promise.all(products.map((over) => newProduct(merchant(), { ...over })))
  const { body } = await merchant().call('POST', '/v1/product-groups', { name: 'Sizes', products: made })
  const { product_group_id } = body
  return open.createCheckout({ amount: undefined, currency: undefined, description: undefined, product_group_id })
}

test('a purchase works without a mouse', async () => {
  const session = await open.withFee(() => open.createCheckout())
  const work = async (page: Page) => {
    const { keyboard } = page
    const tabTo = async (id: string) => {
      for (let presses = 0; (await focused(page)) !== id; presses++) {
        assert.ok(presses < 12, `Tab does not lead to ${id}`)
        await keyboard.press('Tab')
        assert.notEqual(await page.evaluate(`getComputedStyle(document.activeElement).visibility`), 'hidden')
      }
    }
    await tabTo('email')
    await keyboard.type('ada@example.com')
    await tabTo('name')
    await keyboard.type('Ada Buyer')
    await tabTo('method-USD_CARD')
    await keyboard.press('ArrowDown')
    assert.equal(await focused(page), 'method-CRYPTO')
    await keyboard.press('ArrowUp')
    await tabTo('number')
    await keyboard.type('4242424242424242')
    assert.equal(await page.locator('#number').inputValue(), '4242 4242 4242 4242')
    await tabTo('expiry')
    await keyboard.type('1240')
    assert.equal(await page.locator('#expiry').inputValue(), '12/40')
    await tabTo('cvc')
    await keyboard.type('123')
    await keyboard.press('Enter')
    await heading(page, 'Check and confirm')
    await keyboard.press('Tab')
    const outline = await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)
    assert.equal(outline, 'solid')
    await keyboard.press('Enter')
    await heading(page, 'Payment complete')
  }
  await open.visit(session.checkout_url, work, { script: true, viewport: desktop })
})

test('errors are listed with links, and the first wrong field has the focus', async () => {
  const session = await open.createCheckout()
  await open.visit(session.checkout_url, async (page) => {
    await page.getByLabel('Email').fill('ada@localhost')
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await typeCard(page, '4242 4242 4242 4241', '13/40')
    const links = page.getByRole('alert').getByRole('link')
    assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))), [
      '#email',
      '#number',
      '#expiry',
    ])
    assert.match(await page.title(), /^Error: /)
    assert.equal(await page.locator('[autofocus]').getAttribute('id'), 'email')
    for (const id of ['email', 'number', 'expiry']) {
      const field = page.locator(`#${id}`)
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.match((await field.getAttribute('aria-describedby')) ?? '', new RegExp(`${id}-error`))
    }
    await links.last().click()
    assert.match(page.url(), /#expiry$/)
  })
})

test('without a script a product is picked, its amount is checked, and a free product needs no card', async () => {
  const image = await addImage(merchant())
  const session = await selection([
    { name: 'Print', images: [image] },
    { name: 'Tip', ...custom },
  ])
  await open.visit(session.checkout_url, async (page) => {
    const picture = page.locator('.picks img')
    assert.equal(await picture.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth), 1)
    await typeBuyer(page)
    const amount = page.getByLabel('Amount in USD')
    assert.equal(await amount.isVisible(), false)
    await page.getByRole('radio', { name: 'Tip' }).check()
    await page.getByText('From $3.00 to $50.00.').waitFor()
    await amount.fill('2')
    await typeCard(page)
    await page.locator('.error').getByText('Enter an amount from $3.00 to $50.00.').waitFor()
    assert.equal(await amount.inputValue(), '2')
    assert.equal(await page.getByRole('radio', { name: 'Tip' }).isChecked(), true)
    await amount.fill('7.25')
    await typeCard(page)
    await heading(page, 'Check and confirm')
    await confirm(page)
    await heading(page, 'Payment complete')
    assert.match(await page.locator('.receipt').innerText(), /Tip\s+\$7\.25/)
  })
  const gift = await selection([{ name: 'Print' }, { name: 'Preview', ...free }])
  await open.visit(gift.checkout_url, async (page) => {
    await typeBuyer(page)
    await page.getByRole('radio', { name: 'Preview' }).check()
    assert.equal(await page.getByLabel('Card number').isVisible(), false)
    await go(page)
    await heading(page, 'Your order is complete')
  })
})

test('a buyer who may pick another product reads no price of the one before', async () => {
  const session = await open.withFee(() =>
    selection([
      { name: 'Small', amount: '1000.00', currency: 'NGN' },
      { name: 'Large', amount: '5000.00', currency: 'NGN' },
    ]),
  )
  await open.visit(session.checkout_url, async (page) => {
    const prices = page.locator('.summary .amount, .summary .items, .summary .bill, .methods .price')
    await typeBuyer(page)
    await choose(page, 'Small')
    await typeCard(page, cards.declined)
    await heading(page, 'Check and confirm')
    await page.getByRole('link', { name: 'Pay another way, or change your details' }).click()
    await page.getByRole('radio', { name: 'Small', checked: true }).waitFor()
    assert.deepEqual(await prices.allInnerTexts(), [])
    await heading(page, 'Choose and pay')
    await page.getByRole('link', { name: 'Back to my previous choice' }).click()
    await confirm(page)
    await page.getByRole('alert').getByText('Your bank declined the card').waitFor()
    assert.deepEqual(await prices.allInnerTexts(), [])
    await choose(page, 'Large')
    await choose(page, 'Bank transfer')
    await go(page)
    await heading(page, 'Send a bank transfer')
    assert.match(await page.locator('.summary').innerText(), /Large\s+₦5,000\.00/)
  })
})

test('another currency is chosen without a script: its payment methods, rate and total are shown', async () => {
  const session = await open.createCheckout(buyer)
  await open.visit(session.checkout_url, async (page) => {
    assert.equal(await page.getByRole('radio', { name: 'Bank transfer' }).count(), 0)
    await payIn(page, 'NGN')
    await page.getByText('1 USD = 1,600 NGN').first().waitFor()
    await page.getByText('₦40,000.00, no fee').first().waitFor()
    assert.match(await page.locator('.summary .amount').innerText(), /^₦40,000\.00\sNGN$/)
    assert.equal(await page.getByRole('radio', { name: 'Crypto' }).count(), 0)
    await typeCard(page, '4242 4242 4242 4241')
    await page.locator('.error').first().waitFor()
    await page.getByText('1 USD = 1,600 NGN').first().waitFor() // after an error the chosen currency is still shown
    await typeCard(page)
    await heading(page, 'Check and confirm')
    assert.match(
      await page.locator('.bill').innerText(),
      /\$25\.00\s+At 1\sUSD = 1,600\sNGN\s+₦40,000\.00\s+You pay\s+₦40,000\.00\sNGN/,
    )
    await confirm(page)
    await heading(page, 'Payment complete')
    assert.match(await page.locator('.receipt').innerText(), /Visa ••4242[\s\S]+Total\s+₦40,000\.00\sNGN/)
  })
})

test('a card is saved with consent, after its bank’s code, and nothing is charged', async () => {
  const body = { ...buyer, setup: true, amount: undefined, currency: undefined }
  const session = await open.createCheckout(body)
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'Save your card')
    await page.getByText('By saving your card you allow Demo Organization to charge it later').waitFor()
    await typeCard(page, cards.threeDs, '12/40', 'Save card')
    await heading(page, 'Check and save')
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByLabel('Code', { exact: true }).fill('123456')
    await go(page)
    await heading(page, 'Your card is saved')
    assert.match(await page.locator('.receipt').innerText(), /••0446/)
  })
  const payments = await open.stack.sql('select id from payments where checkout_id = ?', [session.checkout_id])
  assert.deepEqual(payments, [])
})

test('the QR code contains the address that is shown, and the address can be copied, or selected', async () => {
  const session = await open.createCheckout(buyer)
  const { next_action } = await merchant().payByCrypto(session)
  const work = async (page: Page) => {
    const image = (await page.locator('.qr svg').screenshot()).toString('base64')
    const drawer = await open.browser.newPage()
    const { data, width, height } = await drawer.evaluate<{
      data: number[]
      width: number
      height: number
    }>(`(async () => {
      const png = await (await fetch('data:image/png;base64,${image}')).blob()
      const bitmap = await createImageBitmap(png)
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      pen.drawImage(bitmap, 0, 0)
      const { data, width, height } = pen.getImageData(0, 0, bitmap.width, bitmap.height)
      return { data: [...data], width, height }
    })()`)
    await drawer.close()
    assert.equal(jsQR.default(new Uint8ClampedArray(data), width, height)?.data, next_action['address'])
    await page.getByRole('button', { name: 'Copy address' }).click()
    await page.getByText('Address copied').waitFor({ state: 'attached' })
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), next_action['address'])
    await page.getByRole('button', { name: 'Copy exact amount' }).click()
    await page.getByText('Exact amount copied').waitFor({ state: 'attached' })
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), '25.000000')
    await page.evaluate(`{ navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')) }`)
    await page.getByRole('button', { name: 'Copy address' }).click()
    const selected = await page.evaluate<string>('getSelection().toString()')
    assert.equal(selected.trim(), next_action['address'])
  }
  const permissions = ['clipboard-read', 'clipboard-write']
  await open.visit(session.checkout_url, work, { script: true, viewport: desktop, permissions })
})

/**
 * Lets the page of a session say that the server's clock shows this time. Its script learns no later time: that would
 * be the real one, and the page's own clock is moved by the test.
 */
const serverSays = (page: Page, at: number) =>
  page.route('**/checkout/**', async (route) => {
    if (route.request().resourceType() === 'fetch') return route.abort()
    const response = await route.fetch()
    const body = (await response.text()).replace(/data-now="[^"]*"/, `data-now="${new Date(at).toISOString()}"`)
    await route.fulfill({ response, body })
  })

test('the time left is that of the server, whatever the clock of the buyer’s device shows', async () => {
  const session = await open.createCheckout({ ...transferSale, ...buyer })
  await merchant().payByTransfer(session)
  for (const aheadMs of [3 * 3_600_000, -3 * 3_600_000]) {
    const work = async (page: Page) => {
      await page.clock.install({ time: Date.now() + aheadMs })
      await page.reload()
      assert.match(await page.locator('.left').innerText(), /^(1:00:00|[45]\d:\d\d) left$/)
    }
    await open.visit(session.checkout_url, work, { script: true })
  }
})

test('the time left counts down, and a screen reader announces it seldom, and rightly after a sleep', async () => {
  const session = await open.createCheckout({ ...transferSale, ...buyer })
  await merchant().payByTransfer(session)
  const work = async (page: Page) => {
    const at = new Date(session.expires_at).getTime() - 700_000
    await serverSays(page, at)
    await page.clock.install({ time: at - 60_000 })
    await page.clock.pauseAt(at)
    await page.reload()
    const [left, voice] = [page.locator('.left'), page.locator('[aria-live]')]
    assert.deepEqual([await left.innerText(), await voice.innerText()], ['11:40 left', ''])
    await page.clock.fastForward(638_000)
    assert.deepEqual([await left.innerText(), await voice.innerText()], ['1:02 left', '2 minutes left'])
    await page.clock.runFor(1_000)
    assert.deepEqual([await left.innerText(), await voice.innerText()], ['1:01 left', '2 minutes left'])
    await page.clock.runFor(1_000)
    assert.equal(await voice.innerText(), '1 minute left')
    await page.clock.runFor(20_000)
    assert.deepEqual([await left.innerText(), await voice.innerText()], ['0:40 left', '1 minute left'])
    await page.clock.fastForward(41_000)
    assert.deepEqual([await left.innerText(), await voice.innerText()], ['The time is up', '1 minute left'])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await open.visit(session.checkout_url, work, { script: true })
})

test('a receipt says what was paid, and stays if the buyer asks for it or opens it again', async () => {
  const product_cart = [{ product_id: await newProduct(merchant(), { name: 'Mug', amount: '4.50' }), quantity: 2 }]
  const plain = { amount: undefined, currency: undefined, description: undefined }
  const session = await open.createCheckout({ ...buyer, ...plain, product_cart })
  const { payment_id } = await merchant().payByCard(session)
  const work = async (page: Page) => {
    const receipt = await page.locator('.receipt').innerText()
    for (const words of ['Demo Organization', 'Visa ••4242', 'ada@example.com', String(payment_id), 'Mug']) {
      assert.ok(receipt.includes(words), words)
    }
    assert.match(receipt, /2 × \$4\.50[\s\S]+\$9\.00/)
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), true)
    assert.equal(await page.locator('#going').count(), 1)
    await page.getByRole('link', { name: 'Stay on this page' }).click()
    await page.waitForURL('**?receipt=1')
    assert.equal(await page.locator('#going').count(), 0)
    await page.goBack()
    await heading(page, 'Payment complete')
    await page.reload()
    assert.equal(await page.locator('#going').count(), 0)
    await open.stack.sql(`update checkouts set completed_at = completed_at - interval '3 minutes' where id = ?`, [
      session.checkout_id,
    ])
    await page.goto(open.pages.addressOf(session.checkout_url))
    assert.equal(await page.locator('#going').count(), 0)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(0, 0, 0)')
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
    assert.equal(await page.locator('.receipt').isVisible(), true)
  }
  await open.visit(session.checkout_url, work, { script: true })
  await open.visit(session.checkout_url, async (page) => {
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1)
    await page.getByRole('link', { name: 'Stay on this page' }).click()
    assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0)
  })
})

test('a sandbox sale says that no money moves, a live one does not', async () => {
  const session = await open.createCheckout(buyer)
  const read = async () => (await fetch(open.pages.addressOf(session.checkout_url))).text()
  assert.match(await read(), /Test mode:/)
  await changeSession(open.stack, session.checkout_id, { environment: 'live' })
  const text = await read()
  assert.match(text, /A test sale/)
  assert.doesNotMatch(text, /Test mode:/)
})

test('the receipt page of a transfer shows neither the payer’s account number nor the bank’s session id', async () => {
  const session = await open.createCheckout({ ...transferSale, ...buyer })
  const { payment_id } = await merchant().payByTransfer(session)
  await merchant().deposit(payment_id)
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'Payment complete')
    const [row] = await open.stack.sql<{ method_details: Record<string, unknown> }>(
      'select method_details from payments where id = ?',
      [payment_id],
    )
    const text = await page.content()
    const secret = Object.entries(row?.method_details ?? {}).filter(([key]) => /account_number|session/.test(key))
    assert.ok(secret.length > 0)
    for (const [key, value] of secret) assert.ok(!text.includes(String(value)), key)
  })
})
