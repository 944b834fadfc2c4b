import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirm, heading } from '../support/checkout-pages.ts'
import { enter, input, ours, useLivePages } from '../support/live-pages.ts'

// Live cards where a page to confirm comes in between, because the buyer bears a fee, and browsers that cannot keep the
// field.

const { stack, merchant, stripe, paymentOf, sell, payAtPaystack, visit } = await useLivePages()
const inNaira = { amount: '5000.00', currency: 'NGN', payment_method_options: { card: { currencies: ['NGN'] } } }

async function withFee<T>(work: () => Promise<T>): Promise<T> {
  const prefer = (fee_preference: string) =>
    merchant.call('PUT', '/v1/accounts/checkout/settings', { enabled_payment_methods: {}, fee_preference })
  assert.equal((await prefer('customer_pays')).status, 200)
  return work().finally(() => prefer('org_pays'))
}

test('with a fee the card of Stripe’s field is confirmed on a second page, and charged with the fee', () =>
  withFee(async () => {
    const session = await sell()
    const seen = await visit(session, async (page) => {
      await enter(page, '4242424242424242')
      await page.getByRole('button', { name: 'Continue' }).click()
      await heading(page, 'Check and confirm')
      assert.equal(await page.locator('iframe').count(), 0)
      assert.equal(stripe.madeFor('payment_intent', await paymentOf(session)).length, 0)
      await confirm(page)
      await heading(page, 'Payment complete')
    })
    assert.equal(seen.numbers.length, 1)
    const [intent] = stripe.madeFor('payment_intent', await paymentOf(session))
    assert.ok(Number(intent?.['amount']) > 2500)
  }))

for (const script of [true, false]) {
  test(`with a fee the buyer sees the total, then enters the card at Paystack, script ${script}`, () =>
    withFee(async () => {
      const session = await sell(inNaira)
      await visit(
        session,
        async (page) => {
          await page.locator('button[value=pay]:not(.unseen)').click()
          await heading(page, 'Check and confirm')
          await page.getByText('You enter your card on our payment provider’s page next.').waitFor()
          assert.equal(await page.getByText('Your bank may then ask you for a code').count(), 0)
          await confirm(page)
          await page.getByRole('heading', { name: 'Paystack' }).waitFor()
          await page.goBack()
          // Who goes back is not sent away again, and finds the link.
          await heading(page, 'Continue to enter your card')
          await page.getByRole('link', { name: 'Continue to enter your card' }).click()
          await page.getByRole('link', { name: 'Pay and return' }).click()
          await heading(page, 'Continue to enter your card')
          await payAtPaystack(session)
          await heading(page, 'Payment complete')
        },
        { script },
      )
      assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    }))
}

test('a press after another tab has confirmed leads to the page of that payment, not straight to its provider', () =>
  withFee(async () => {
    const session = await sell(inNaira)
    await visit(session, async (page) => {
      await page.locator('button[value=pay]:not(.unseen)').click()
      await heading(page, 'Check and confirm')
      const elsewhere = await merchant.pay(session, { payment_method: 'NGN_CARD', confirm: true })
      assert.equal(elsewhere.body['payment_status'], 'requires_action', elsewhere.text)
      await confirm(page)
      await heading(page, 'Continue to enter your card')
      await page.waitForTimeout(1_000) // the page would send the browser on at once
      await heading(page, 'Continue to enter your card')
    })
  }))

test('a browser that cannot keep the field says that the card has to be entered again', async () => {
  const session = await sell({ customer: undefined })
  await visit(session, async (page) => {
    await page.evaluate('delete Element.prototype.moveBefore')
    await page.getByLabel('Name', { exact: true }).fill('Ada Buyer')
    await page.getByLabel('Email').fill('none')
    await enter(page, '4242424242424242')
    await page.getByRole('button', { name: 'Pay $25.00' }).click()
    await page.locator('.error', { hasText: 'Enter an email address' }).waitFor()
    await page.getByText('Please enter your card again.').waitFor()
    await input(page, 'cardNumber').waitFor()
    assert.equal(await input(page, 'cardNumber').inputValue(), '')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Pay $25.00' }).click()
    await ours(page).getByText('Check the card number.').waitFor()
    await enter(page, '4242424242424242')
    await page.getByRole('button', { name: 'Pay $25.00' }).click()
    await heading(page, 'Payment complete')
  })
})

test('where Stripe cannot be asked for a token, nothing is sent, and the next press tries again', async () => {
  const session = await sell()
  const seen = await visit(session, async (page) => {
    await enter(page, '4242424242424242')
    let isAway = true
    await page.route('https://api.stripe.com/v1/payment_methods', (route) =>
      isAway ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Pay $25.00' }).click()
    await ours(page).getByText('Your card could not be checked. You have not been charged.').waitFor()
    assert.equal(await page.locator('[aria-busy]').count(), 0)
    isAway = false
    await page.getByRole('button', { name: 'Pay $25.00' }).click()
    await heading(page, 'Payment complete')
  })
  assert.equal(seen.numbers.length, 1)
})
