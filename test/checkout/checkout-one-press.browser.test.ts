import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { changeSession } from '../support/rows.ts'
import {
  choose,
  confirm,
  go,
  heading,
  phone,
  typeBuyer,
  typeCard,
  useCheckoutPages,
} from '../support/checkout-pages.ts'
import { cards } from '../support/merchant.ts'
import { formOf } from '../support/page-form.ts'

// A card without a fee or a conversion is paid by one press of a button that says the total. Whoever presses twice,
// goes back, has two tabs or changes their mind pays once; who has seen another price sees the new one first.

const open = await useCheckoutPages()
const { merchant } = open.stack

const customer = { email: 'ada@example.com', name: 'Ada' }
const statusesOf = async (id: string) =>
  (
    await open.stack.sql<{ status: string }>('select status from payments where checkout_id = ? order by created_at', [
      id,
    ])
  ).map(({ status }) => status)
const label = (page: Page) => page.locator('button[value=pay]:not(.unseen)').innerText()

const card = { step: 'pay', number: cards.success, expiry: '1240', cvc: '123', method: 'card:USD_CARD' }

test('a form that is sent three times at once pays once', async () => {
  const session = await open.createCheckout({ customer })
  const send = await formOf(open.pages.addressOf(session.checkout_url))
  const sent = await Promise.all([send(card), send(card), send(card)])
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303, 303],
  )
  assert.deepEqual(await statusesOf(session.checkout_id), ['succeeded'])
  assert.equal((await send(card)).status, 303)
  assert.equal((await send({ ...card, cvc: '456' })).status, 303)
  assert.deepEqual(await statusesOf(session.checkout_id), ['succeeded'])
})

test('a price that has changed since is shown before it is charged', async () => {
  const session = await open.createCheckout({ customer })
  await open.visit(session.checkout_url, async (page) => {
    await choose(page, 'Card')
    await changeSession(open.stack, session.checkout_id, { feePreference: 'customer_pays' })
    await typeCard(page)
    await heading(page, 'Check and confirm')
    assert.match(await page.locator('.bill').innerText(), /Fee/)
    assert.deepEqual(await statusesOf(session.checkout_id), [])
    await confirm(page)
    await heading(page, 'Payment complete')
  })
  assert.deepEqual(await statusesOf(session.checkout_id), ['succeeded'])
})

test('a form that claims another price, or claims it for another method, is confirmed first', async () => {
  const session = await open.withFee(() => open.createCheckout({ customer }))
  const address = open.pages.addressOf(session.checkout_url)
  for (const at_once of ['card:USD_CARD 25.00', 'card:USD_CARD 0.01', 'card:USD_CARD ', 'crypto:CRYPTO 25.00']) {
    const send = await formOf(address)
    assert.equal((await send({ ...card, at_once })).status, 303)
    assert.deepEqual(await statusesOf(session.checkout_id), [], at_once)
    assert.match(await (await fetch(address)).text(), /Check and confirm/)
  }
})

test('the button says the total of the chosen method; without a script it does if all cost the same', async () => {
  const same = await open.createCheckout({ customer })
  await open.visit(same.checkout_url, async (page) => assert.equal(await label(page), 'Pay $25.00'))
  const differing = await open.withFee(() => open.createCheckout({ amount: '5000.00', currency: 'NGN', customer }))
  await open.visit(differing.checkout_url, async (page) => assert.equal(await label(page), 'Continue'))
  const work = async (page: Page) => {
    assert.equal(await label(page), 'Continue') // a card with a fee is confirmed on a page of its own
    await choose(page, 'Bank transfer')
    assert.equal(await label(page), 'Pay ₦5,050.00')
    await choose(page, 'Card')
    assert.equal(await label(page), 'Continue')
    await page.getByLabel('Pay in').selectOption('USD')
    await page.locator('input[name=shown][value=USD]').waitFor({ state: 'attached' })
    await choose(page, 'Crypto')
    assert.match(await label(page), /^Pay \$\d/)
  }
  await open.visit(differing.checkout_url, work, { script: true, viewport: phone })
})

test('two tabs and a step back show the payment that was made, and none is made again', async () => {
  const session = await open.createCheckout()
  const work = async (page: Page) => {
    const second = await page.context().newPage()
    await second.goto(page.url())
    await typeBuyer(second)
    await typeBuyer(page)
    await choose(page, 'Card')
    await page.locator('#number').pressSequentially('4242424242424242')
    await page.locator('#expiry').pressSequentially('12/40')
    await page.locator('#cvc').pressSequentially('123')
    await go(page)
    await heading(page, 'Payment complete')
    await page.goBack() // the form is no longer in the history
    await page.goForward()
    await heading(page, 'Payment complete')
    await choose(second, 'Card')
    await typeCard(second)
    await heading(second, 'Payment complete')
  }
  await open.visit(session.checkout_url, work, { script: true, viewport: phone })
  assert.deepEqual(await statusesOf(session.checkout_id), ['succeeded'])
})

for (const script of [false, true]) {
  test(`a card pays once after a change of mind while a wallet is asked, script ${script ? 'on' : 'off'}`, async () => {
    const session = await open.createCheckout({ amount: '1000.00', currency: 'KES', customer })
    const work = async (page: Page) => {
      await page.getByLabel('Mobile money number').fill('+254700000005') // is not answered
      await go(page)
      await heading(page, 'Approve the payment on your phone')
      await page.getByRole('link', { name: 'Try again, or pay another way' }).click()
      await page.getByLabel('Pay in').selectOption('USD')
      if (!script) await page.getByRole('button', { name: 'Change' }).click()
      await page.locator('input[name=shown][value=USD]').waitFor({ state: 'attached' })
      await choose(page, 'Card')
      await typeCard(page)
      await heading(page, 'Check and confirm') // another currency: the rate is seen first
      await confirm(page)
      await heading(page, 'Payment complete')
    }
    await open.visit(session.checkout_url, work, { script, viewport: phone })
    assert.deepEqual(await statusesOf(session.checkout_id), ['canceled', 'succeeded'])
  })
}

test('a card that needs a code is paid by one press and the code, and another card may follow', async () => {
  const session = await open.createCheckout({ customer })
  await open.visit(session.checkout_url, async (page) => {
    await typeCard(page, cards.declined)
    await page.getByRole('alert').getByText('declined').waitFor()
    await typeCard(page, cards.threeDs)
    await heading(page, 'Enter the code from your bank')
    await page.getByRole('link', { name: 'Pay another way' }).click()
    await typeCard(page, cards.success)
    await heading(page, 'Payment complete')
  })
  assert.deepEqual(await statusesOf(session.checkout_id), ['failed', 'canceled', 'succeeded'])
  assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'completed')
})
