import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { languageCodes } from '../../domain/language.ts'
import { catalogues } from '../../web/words/catalogues.ts'
import { graveBarriersOn } from '../support/barriers.ts'
import { confirm, desktop, heading, payIn, phone, useCheckoutPages } from '../support/checkout-pages.ts'
import { cards } from '../support/merchant.ts'
import { newCustomer, saveCard, sellTo } from '../support/saved-card.ts'
import { laterCards } from '../support/subscription.ts'

// The checkout page offers a known customer their saved cards, above another card.

const open = await useCheckoutPages()
const { merchant } = open.stack
const pictures = process.env['PICTURES']
if (pictures) mkdirSync(pictures, { recursive: true })

const known = async (...numbers: string[]) => {
  const customer = await newCustomer(merchant)
  const ids = []
  for (const number of numbers) ids.push(await saveCard(merchant, customer, number))
  return { customer, ids }
}
const sell = (customer: string, body: object = {}) =>
  sellTo(merchant, customer, { payment_method_options: { card: {} }, success_url: `${open.shopUrl()}/thanks`, ...body })
const pay = (page: Page) => page.getByRole('button', { name: 'Pay $25.00' }).click()
const radio = (page: Page, name: string | RegExp) => page.getByRole('radio', { name })

async function assertReadable(page: Page, state: string) {
  const grave = await graveBarriersOn(page)
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 90)).join(', ')}`),
    [],
    state,
  )
}

for (const look of [
  { viewport: phone, script: false, colorScheme: 'light' },
  { viewport: phone, script: true, colorScheme: 'dark' },
  { viewport: desktop, script: true, colorScheme: 'light' },
] as const) {
  const name = `${look.viewport === phone ? 'phone' : 'desktop'}, script ${look.script ? 'on' : 'off'}`
  test(`one press pays with the saved card that is chosen first, once its code is typed, ${name}`, async () => {
    const { customer } = await known(cards.success, cards.threeDs)
    const session = await sell(customer)
    await open.visit(
      session.checkout_url,
      async (page) => {
        await heading(page, 'How would you like to pay?')
        const names = await page.locator('.methods .name').allInnerTexts()
        assert.deepEqual(
          names.map((text) => text.replaceAll(/\s+/g, ' ')),
          ['Visa ••0446 Expires 12/40', 'Visa ••4242 Expires 12/40', 'Another card'],
        )
        assert.ok(await radio(page, 'Visa ••0446').isChecked())
        if (pictures)
          await page.screenshot({ path: `${pictures}/saved-${name.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
        if (look.script) await assertReadable(page, 'choose')
        await radio(page, 'Visa ••4242').check()
        const code = page.locator('.method:has(input:checked)').getByLabel('Security code')
        await pay(page)
        await page.locator('.error', { hasText: 'Enter the 3 or 4 digits' }).waitFor()
        assert.equal(await code.getAttribute('aria-invalid'), 'true')
        assert.ok(await radio(page, 'Visa ••4242').isChecked(), 'the choice is kept')
        if (look.script) await assertReadable(page, 'error')
        await code.fill('123')
        await pay(page)
        await heading(page, 'Payment complete')
        await page.locator('.receipt').getByText('Visa ••4242').waitFor()
      },
      look,
    )
  })
}

test('the card that is typed pays as before, below the saved ones', async () => {
  const { customer } = await known(cards.success)
  const session = await sell(customer)
  await open.visit(
    session.checkout_url,
    async (page) => {
      await radio(page, 'Another card').check()
      await page.getByLabel('Card number').fill(cards.success)
      await page.getByLabel('Expiry').fill('11/39')
      await page.locator('.method:has(input:checked)').getByLabel('Security code').fill('123')
      await pay(page)
      await heading(page, 'Payment complete')
    },
    { script: true },
  )
  const rows = await open.stack.sql('select saved_method_id from payments where checkout_id = ?', [session.checkout_id])
  assert.deepEqual(rows, [{ saved_method_id: null }])
})

test('a customer pays by keyboard alone', async () => {
  const { customer } = await known(cards.success)
  const session = await sell(customer)
  await open.visit(
    session.checkout_url,
    async (page) => {
      await radio(page, 'Visa ••4242').focus()
      await page.keyboard.press('Tab')
      await page.keyboard.type('123')
      await page.keyboard.press('Enter')
      await heading(page, 'Payment complete')
    },
    { script: true },
  )
})

test('where the buyer pays a fee, the saved card is confirmed on a second page', async () => {
  const { customer } = await known(cards.success)
  await open.withFee(async () => {
    const session = await sell(customer)
    await open.visit(session.checkout_url, async (page) => {
      await page.locator('.method:has(input:checked)').getByLabel('Security code').fill('123')
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading(page, 'Check and confirm')
      await page.getByText('Paying with Visa ••4242').waitFor()
      await confirm(page)
      await heading(page, 'Payment complete')
    })
  })
})

test('the bank asks the owner of a saved card for a code, and a wrong security code is declined', async () => {
  const { customer } = await known(laterCards.asksFor3ds)
  const session = await sell(customer)
  await open.visit(
    session.checkout_url,
    async (page) => {
      const code = page.locator('.method:has(input:checked)').getByLabel('Security code')
      await code.fill('000')
      await pay(page)
      await page.getByRole('alert').getByText('Your bank declined the card').waitFor()
      await code.fill('123')
      await pay(page)
      await heading(page, 'Enter the code from your bank')
      await page.getByLabel('Code').fill('123456')
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading(page, 'Payment complete')
    },
    { script: true },
  )
})

test('a card that was removed since is refused in words, and another card pays', async () => {
  const { customer, ids } = await known(cards.success, cards.threeDs)
  const session = await sell(customer)
  await open.visit(session.checkout_url, async (page) => {
    await radio(page, 'Visa ••4242').check()
    await page.locator('.method:has(input:checked)').getByLabel('Security code').fill('123')
    await open.stack.sql('update saved_payment_methods set detached_at = now() where id = ?', [ids[0] ?? ''])
    await pay(page)
    await page.locator('.error', { hasText: 'This saved card can no longer be used here' }).waitFor()
    assert.equal(await radio(page, 'Visa ••4242').count(), 0)
    await page.locator('.method:has(input:checked)').getByLabel('Security code').fill('123')
    await pay(page)
    await heading(page, 'Payment complete')
  })
})

test('another currency shows the cards of that currency, and the page keeps what was chosen', async () => {
  const customer = await newCustomer(merchant)
  await saveCard(merchant, customer, cards.success)
  await saveCard(merchant, customer, cards.threeDs, 'NGN_CARD')
  const session = await sell(customer)
  await open.visit(
    session.checkout_url,
    async (page) => {
      assert.equal(await radio(page, 'Visa ••0446').count(), 0)
      await payIn(page, 'NGN')
      assert.ok(await radio(page, 'Visa ••0446').isChecked())
      assert.equal(await radio(page, 'Visa ••4242').count(), 0)
      await payIn(page, 'USD')
      assert.equal(await page.locator('.methods input:checked').count(), 1)
    },
    { script: true },
  )
})

test('a page has the brand, four digits and the date of a saved card, and never sends its code back', async () => {
  const { customer } = await known(cards.success)
  const session = await sell(customer)
  await open.visit(session.checkout_url, async (page) => {
    await page.locator('.method:has(input:checked)').getByLabel('Security code').fill('9')
    await pay(page)
    await page.locator('.error').first().waitFor()
    const html = await page.content()
    assert.doesNotMatch(html, /tok_|4242 ?4242|value="9"/)
  })
})

for (const code of languageCodes) {
  test(`${code}: the saved cards, another card and what is wrong are in the language of the session`, async () => {
    const { customer } = await known(cards.success)
    const session = await sell(customer, { locale: code })
    const words = catalogues[code]
    await open.visit(session.checkout_url, async (page) => {
      await page.getByText(words['saved.expires'].replace('{date}', '12/40')).waitFor()
      await page.getByText(words['method.other.card'], { exact: true }).waitFor()
      await page.getByText(words['saved.code'].replace('{card}', 'Visa ••4242')).waitFor()
      await page.locator('main form > button[value=pay]').click()
      await page.locator('.error', { hasText: words['wrong.cvc'] }).waitFor()
    })
  })
}
