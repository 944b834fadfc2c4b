import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type LanguageCode, languageCodes } from '../../domain/language.ts'
import { newProduct } from '../support/cart.ts'
import { desktop, heading, phone, useCheckoutPages } from '../support/checkout-pages.ts'
import { assertInLanguage, hostileName, locales, textIn } from '../support/languages.ts'
import { cards, transferSale } from '../support/merchant.ts'
import { createLink, openPrice } from '../support/payment-link.ts'

// The pages of a sale in each language: by the session's language or by the browser's, with and without a script, on a
// phone and a desktop. Names that look like markup or like an insertion are shown as they are. With SHOTS=folder each
// page is saved as an image.

const shots = process.env['SHOTS']
if (shots) mkdirSync(shots, { recursive: true })
const open = await useCheckoutPages()
const { merchant } = open.stack

await merchant.call('PATCH', '/v1/account', { display_name: hostileName, support_email: 'help@example.com' })

const sizes = { phone, desktop }
const others = languageCodes.filter((code) => code !== 'en')

/** Asserts that a page is in one language, and saves it as an image where that is asked for. */
async function looked(page: Page, code: LanguageCode, name: string, hasScript = true): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${code}-${name}.png`, fullPage: true })
  await assertInLanguage(page, { code, name, hasScript })
}

const press = (page: Page) => page.locator('main form > button[name=step]').last().click()
const type = async (page: Page, values: Record<string, string>) => {
  for (const [id, value] of Object.entries(values)) await page.locator(`#${id}`).fill(value)
}
const buyer = { email: 'ada@example.com', name: '<i>Ada</i> {name}' }
const card = { number: cards.success, expiry: '12/40', cvc: '123' }

async function cart() {
  const product = await newProduct(merchant, { name: hostileName, amount: '25.00' })
  const product_cart = [{ product_id: product, quantity: 1 }]
  return { amount: undefined, currency: undefined, description: undefined, product_cart }
}

for (const code of languageCodes) {
  for (const [size, viewport] of Object.entries(sizes)) {
    const script = size === 'desktop'
    test(`${code}: errors at the fields, then a card is paid, ${size}, script ${script ? 'on' : 'off'}`, async () => {
      const session = await open.createCheckout({ ...(await cart()), locale: locales[code] })
      const work = async (page: Page) => {
        await heading(page, textIn(code, 'heading.pay'))
        await looked(page, code, `${size}-choose`, script)
        await press(page)
        for (const [id, key] of [
          ['email', 'wrong.email'],
          ['name', 'wrong.name'],
          ['number', 'wrong.number'],
        ] as const) {
          await page.locator(`#${id}-error`).getByText(textIn(code, key)).waitFor()
        }
        await page.getByRole('alert').getByText(textIn(code, 'problem.fields')).waitFor()
        await looked(page, code, `${size}-errors`, script)
        await type(page, { ...buyer, ...card, number: cards.declined })
        await press(page)
        await page.getByRole('alert').getByText(textIn(code, 'failed.card_declined')).waitFor()
        await type(page, card)
        await press(page)
        await heading(page, textIn(code, 'paid.title'))
        await page.locator('.receipt').getByText(buyer.name).waitFor()
        await looked(page, code, `${size}-paid`, script)
      }
      // The browser speaks another language: that of the session counts.
      await open.visit(session.checkout_url, work, { script, viewport, locale: code === 'en' ? 'fr-FR' : 'en-US' })
      assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'completed')
    })
  }

  test(`${code}: the browser’s language is used for a link, its amount, a transfer and a wallet`, async () => {
    const link = await createLink(merchant, { name: hostileName, price: openPrice })
    const atLink = `${open.pages.base}/l/${link.url.split('/').at(-1)}`
    const work = async (page: Page) => {
      await page.goto(atLink)
      await page.getByText(textIn(code, 'link.next')).waitFor()
      await type(page, { amount: 'x' })
      await page.getByRole('button').click()
      await page.locator('#amount-error').waitFor()
      await looked(page, code, 'link')
      await type(page, { amount: '5.00' })
      await page.getByRole('button').click()
      await heading(page, textIn(code, 'heading.pay'))

      const transfer = await open.createCheckout({ ...transferSale, customer: buyer })
      await merchant.payByTransfer(transfer)
      await page.goto(open.pages.addressOf(transfer.checkout_url))
      await heading(page, textIn(code, 'transfer.title'))
      assert.equal(await page.locator('.copy').first().innerText(), textIn(code, 'script.copy'))
      await looked(page, code, 'transfer')

      const wallet = await open.createCheckout({ amount: '1000.00', currency: 'KES', customer: buyer })
      await page.goto(open.pages.addressOf(wallet.checkout_url))
      await page.locator('#phone').fill('1')
      await press(page)
      await page.locator('#phone-error').waitFor()
      await looked(page, code, 'wallet')
      await merchant.payByPhone(wallet, { phone_number: '+254700000005' })
      await page.goto(open.pages.addressOf(wallet.checkout_url))
      await heading(page, textIn(code, 'prompt.title'))
      await looked(page, code, 'prompt')
      await merchant.cancel(wallet.checkout_id)
      await heading(page, textIn(code, 'ended.cancelled'))
      await looked(page, code, 'cancelled')
    }
    const start = await open.createCheckout()
    const permissions = ['clipboard-write']
    await open.visit(start.checkout_url, work, { script: true, viewport: phone, locale: locales[code], permissions })
  })
}

test('a first view has at most 150 KB and 12 requests, all of them to us', async () => {
  const session = await open.createCheckout({ ...(await cart()), locale: 'pt' })
  const work = async (page: Page) => {
    await page.unrouteAll()
    const sizesOf: number[] = []
    page.on('response', async (response) => void sizesOf.push((await response.body().catch(() => '')).length))
    await page.reload({ waitUntil: 'networkidle' })
    const kilobytes = sizesOf.reduce((sum, bytes) => sum + bytes, 0) / 1024
    assert.ok(sizesOf.length >= 3 && sizesOf.length <= 12, `${sizesOf.length} requests`)
    assert.ok(kilobytes > 10 && kilobytes <= 150, `${kilobytes} KB`)
  }
  await open.visit(session.checkout_url, work, { script: true, viewport: phone })
})

test('an amount with a comma is read in a language that writes one, whatever the browser speaks', async () => {
  const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', maximum_amount: '50.00' }
  const product = await newProduct(merchant, { name: 'Tip', ...custom })
  const group = await merchant.call('POST', '/v1/product-groups', { name: 'Tips', products: [product] })
  const { product_group_id } = group.body
  const plain = { amount: undefined, currency: undefined, description: undefined }
  const session = await open.createCheckout({ ...plain, product_group_id, customer: buyer, locale: 'fr' })
  await open.visit(
    session.checkout_url,
    async (page) => {
      await page.getByRole('radio').first().check()
      await type(page, { [`amount_${product}`]: '7,25', ...card })
      await press(page)
      await heading(page, textIn('fr', 'confirm.title'))
      assert.match(await page.locator('.bill').innerText(), /7,25\s\$\sUSD/)
    },
    { locale: 'en-US' },
  )
})

test('a page that does not exist is in the browser’s language too', async () => {
  const { checkout_url } = await open.createCheckout()
  for (const code of others) {
    const answer = await fetch(`${open.pages.addressOf(checkout_url)}x`, {
      headers: { 'accept-language': `${locales[code]},en;q=0.5`, 'x-forwarded-for': `198.51.100.${code.length}` },
    })
    assert.equal(answer.status, 404)
    assert.ok((await answer.text()).includes(`<h1>${textIn(code, 'missing.title')}</h1>`))
  }
})

/** In a page: the left edges of the first and the last letter of an element. */
const edgesOf = (place: string): string => `(() => {
  const node = document.querySelector('${place}').firstChild
  const leftOf = (at) => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect().left
  }
  return [leftOf(0), leftOf(node.length - 1)]
})()`

test('what is written from right to left is shown so on a page in English, and typed so', async () => {
  const name = 'שלום כהן (AB) 5'
  const product_cart = [{ product_id: await newProduct(merchant, { name }), quantity: 1 }]
  const { checkout_url: url } = await merchant.createCheckout({
    product_cart,
    description: name,
    success_url: open.shopUrl(),
  })
  await open.visit(url, async (page) => {
    for (const place of ['.description', '.items .name']) {
      const [first = 0, last = 0] = await page.evaluate<number[]>(edgesOf(place))
      assert.ok(first > last, `${place}: its first letter is at ${first}, its last one at ${last}`)
    }
    assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('#name')).unicodeBidi`), 'plaintext')
  })
})
