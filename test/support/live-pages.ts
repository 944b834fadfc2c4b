import assert from 'node:assert/strict'
import type { Frame, Page } from 'playwright-core'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { chargeData } from '../doubles/paystack/callbacks.ts'
import { serveStripeJs, stripeOrigins } from '../doubles/stripe/stripe-js.ts'
import { withApi } from './api.ts'
import { phone, useCheckoutPages } from './checkout-pages.ts'
import { addLiveMerchant } from './live.ts'
import { callbacksTo, useLiveProviders } from './live-providers.ts'
import { buyer, createMerchant, sale } from './merchant.ts'
import { atEnd } from './use.ts'

type Session = Awaited<ReturnType<ReturnType<typeof createMerchant>['createCheckout']>>
type Look = { script?: boolean; viewport?: typeof phone; colorScheme?: 'light' | 'dark'; isBlocked?: () => boolean }

/**
 * The pages of a live merchant, for all tests of a file. The rails are the real ones, with doubles of the providers
 * behind them; in the browser Stripe is answered for by a double of its script, and Paystack by a page.
 */
export async function useLivePages() {
  const { stripe, paystack, providers } = await useLiveProviders()
  const open = await useCheckoutPages({ providers })
  const { stack } = open
  const api = withApi(stack)
  atEnd(async () => api.close())
  await api.lift()
  const { merchant: live } = await addLiveMerchant(stack, api)
  const merchant = createMerchant(stack.baseUrl, live.apiKey)

  const { send, stripeCallback, paystackCallback } = callbacksTo(stack, stripe)

  /** The page of Paystack, with the way back that the order names. */
  function paystackPage({ checkout_url }: Session) {
    const order = paystack.calls.findLast(({ path }) => path === '/transaction/initialize')
    const back = String(order?.body['callback_url'])
    assert.ok(back.endsWith(new URL(checkout_url).pathname))
    return { contentType: 'text/html', body: `<h1>Paystack</h1><a href="${back}">Pay and return</a>` }
  }

  const paymentOf = async ({ checkout_id }: Session) =>
    (await stack.sql<{ id: string }>('select payment_id as id from checkouts where id = ?', [checkout_id]))[0]?.id ?? ''

  return {
    open,
    stack,
    merchant,
    stripe,
    paymentOf,
    /** A sale in dollars by card alone, to a known buyer, unless the body says else. */
    sell: (body: object = {}) =>
      merchant.createCheckout({
        ...sale,
        customer: buyer,
        payment_method_options: { card: { currencies: ['USD'] } },
        success_url: `${open.shopUrl()}/thanks`,
        ...body,
      }),
    /** Stripe calls back about what has happened there last. */
    async callBackFromStripe() {
      const event = stripe.books.events.at(-1)
      assert.ok(event)
      assert.equal(await send('stripe', stripeCallback(event)), 200)
    },
    /** The buyer of a session enters a card at Paystack, which pays; then Paystack calls back. */
    async payAtPaystack(session: Session) {
      const reference = chargeReference(await paymentOf(session))
      paystack.enterCard(reference, `AUTH_${session.checkout_id}`, null)
      const transaction = paystack.book.transactions.get(reference)
      assert.ok(transaction)
      assert.equal(await send('paystack', paystackCallback('charge.success', chargeData(transaction))), 200)
    },

    /** Visits the page of a session. Asserts that its secret stays with us. Returns what reached Stripe. */
    async visit(
      session: Session,
      work: (page: Page) => Promise<void>,
      { script = true, viewport = phone, colorScheme = 'light', isBlocked }: Look = {},
    ) {
      let seen: Awaited<ReturnType<typeof serveStripeJs>> | undefined
      const prepare = async (page: Page) => {
        seen = await serveStripeJs(page, stripe, isBlocked && { isBlocked })
        await page.route('https://checkout.paystack.com/**', (route) => route.fulfill(paystackPage(session)))
      }
      const origins = [...stripeOrigins, 'https://checkout.paystack.com']
      await open.visit(session.checkout_url, work, { script, viewport, colorScheme, origins, prepare })
      assert.ok(seen)
      const { addresses, referrers } = seen
      const secret = session.client_secret.split('_secret_')[1] ?? ''
      assert.ok(secret.length > 19 && !JSON.stringify([addresses, referrers]).includes(secret))
      const fromUs = referrers.filter((each) => each !== '' && !each.startsWith('https://hooks.stripe.com/'))
      assert.deepEqual(fromUs, [])
      return seen
    },
  }
}

/** Our frame of the form, by its title, and an input of Stripe's in it. */
export const ours = (page: Page, name = 'Card') => page.frameLocator(`iframe[title="${name}"]`)
export const input = (page: Page, name: string, of = 'Card') =>
  ours(page, of).frameLocator(`iframe[title*="${name}"]`).locator('input')

/** Types a card into Stripe's field. */
export async function enter(page: Page, number: string, expiry = '1240', code = '123') {
  await input(page, 'cardNumber').fill(number)
  await input(page, 'cardExpiry').fill(expiry)
  await input(page, 'cardCvc').fill(code)
}

/** The document in our frame. */
export function documentOf(page: Page): Frame {
  const frame = page.frames().find((each) => each.url().includes('/checkout-card-field'))
  assert.ok(frame)
  return frame
}
