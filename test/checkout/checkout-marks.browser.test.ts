import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { brandOf } from '../../domain/checkout/card.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { providersOf } from '../../domain/checkout/mobile-money.ts'
import { cardMarks, coinMarks, providerMarks } from '../../web/checkout/marks.ts'
import { graveBarriersOn } from '../support/barriers.ts'
import { choose, desktop, heading, payIn, phone, useCheckoutPages } from '../support/checkout-pages.ts'

// The marks of card brands, wallets and coins: beside the names, never in place of them, and nothing from outside.

const open = await useCheckoutPages()
const pictures = process.env['PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })

const shownIn = (page: Page, field: string) =>
  page
    .locator(`[data-marks=${field}] li:visible`)
    .evaluateAll((items: { dataset: { code: string } }[]) => items.map(({ dataset }) => dataset.code))

async function assertReadable(page: Page, state: string) {
  const grave = await graveBarriersOn(page)
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 90)).join(', ')}`),
    [],
    state,
  )
}

const everything = { card: {}, mobile_money: {}, crypto: {}, bank_transfer: {} }

test('every wallet that exists, every coin and every brand that is recognized has a mark', () => {
  const currencies = ['GHS', 'KES', 'RWF', 'TZS', 'UGX', 'XAF', 'XOF', 'ZMW'] as const
  const wallets = [...new Set(currencies.flatMap((currency) => providersOf(currency)))]
  assert.ok(wallets.length >= 12)
  assert.deepEqual(
    providerMarks(wallets).map(({ code }) => code),
    wallets,
  )
  assert.deepEqual(
    coinMarks(assetKeys).map(({ code }) => code),
    [...new Set(assetKeys.map((key) => key.split('_')[0]))],
  )
  assert.deepEqual(
    cardMarks.map(({ name }) => name),
    ['Visa', 'Mastercard', 'American Express', 'Verve'],
  )
})

test('a brand is told by the first digits, those of Verve to their last number', () => {
  const known: [string, string][] = [
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['2223003122003222', 'mastercard'],
    ['378282246310005', 'amex'],
    ['5060990000000000', 'verve'],
    ['5061980000000000', 'verve'],
    ['5061990000000000', 'unknown'],
    ['5060980000000000', 'unknown'],
    ['5078650000000000', 'verve'],
    ['5079640000000000', 'verve'],
    ['5079650000000000', 'unknown'],
    ['6500020000000000', 'verve'],
    ['6500270000000000', 'verve'],
    ['6500280000000000', 'unknown'],
    ['6011111111111117', 'unknown'],
  ]
  for (const [number, brand] of known) assert.equal(brandOf(number), brand, number)
})

const looks = [
  { viewport: phone, colorScheme: 'light' },
  { viewport: desktop, colorScheme: 'dark' },
] as const

for (const look of looks) {
  test(`brands are listed, and told while a number is typed, in ${look.colorScheme}`, async () => {
    const session = await open.createCheckout({ payment_method_options: everything })
    await open.visit(
      session.checkout_url,
      async (page) => {
        await heading(page, 'How would you like to pay?')
        if (pictures) await page.screenshot({ path: `${pictures}/marks-${look.colorScheme}.png`, fullPage: true })
        await assertReadable(page, 'choose')
        await choose(page, 'Card')
        const brands = page.getByRole('img', { name: /^(Visa|Mastercard|American Express|Verve)$/ })
        assert.equal(await brands.count(), 4)
        const number = page.getByLabel('Card number')
        await number.pressSequentially('4242')
        assert.deepEqual(await shownIn(page, 'number'), ['visa'])
        await page.locator('[aria-live]', { hasText: 'Visa' }).waitFor({ state: 'attached' })
        if (pictures) await page.screenshot({ path: `${pictures}/typed-${look.colorScheme}.png`, fullPage: true })
        await number.fill('')
        assert.equal((await shownIn(page, 'number')).length, 4)
        await number.fill('506099')
        assert.deepEqual(await shownIn(page, 'number'), ['verve'])
        // a number of no brand that we know hides none of them
        await number.fill('6011')
        assert.equal((await shownIn(page, 'number')).length, 4)
        await payIn(page, 'KES')
        await page.getByLabel('Provider').selectOption('airtel')
        assert.deepEqual(await shownIn(page, 'provider'), ['airtel'])
        await page.getByLabel('Provider').selectOption('mpesa')
        assert.deepEqual(await shownIn(page, 'provider'), ['mpesa'])
        await assertReadable(page, 'mobile money')
        if (pictures) await page.screenshot({ path: `${pictures}/wallets-${look.colorScheme}.png`, fullPage: true })
        await payIn(page, 'USD')
        await choose(page, 'Crypto')
        await page.getByLabel('Coin and network').selectOption('USDC_BEP20')
        assert.deepEqual(await shownIn(page, 'asset'), ['USDC'])
        await assertReadable(page, 'crypto')
        if (pictures) await page.screenshot({ path: `${pictures}/coins-${look.colorScheme}.png`, fullPage: true })
      },
      { script: true, ...look },
    )
  })
}

test('without a script all marks are listed, each with a name or beside one', async () => {
  const session = await open.createCheckout({ payment_method_options: { card: {} } })
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'How would you like to pay?')
    for (const name of ['Visa', 'Mastercard', 'American Express', 'Verve'])
      await page.getByRole('img', { name, exact: true }).first().waitFor()
    assert.equal(await page.locator('svg.emblem:not([aria-label]):not([aria-hidden])').count(), 0)
  })
})

test('the page asks nobody for the marks: they are in it', async () => {
  const session = await open.createCheckout({ payment_method_options: everything })
  await open.visit(
    session.checkout_url,
    async (page) => {
      await page.unrouteAll()
      const asked: string[] = []
      page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
      await page.reload({ waitUntil: 'networkidle' })
      assert.ok((await page.locator('svg.emblem').count()) > 8)
      assert.ok(asked.length <= 12, asked.join())
      assert.deepEqual(
        asked.filter((path) => !/^\/(checkout\/|assets\/(checkout\.(css|js)|icon\.svg))/.test(path)),
        [],
      )
    },
    { script: true },
  )
})
