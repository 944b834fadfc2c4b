import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeBarriers, graveBarriersOn } from '../support/barriers.ts'
import { newProduct } from '../support/cart.ts'
import {
  type CheckoutPages,
  choose,
  desktop,
  go,
  heading,
  useCheckoutPages,
  payIn,
  phone,
  typeBuyer,
  typeCard,
} from '../support/checkout-pages.ts'
import { cards, transferSale } from '../support/merchant.ts'
import { addImage } from '../support/upload.ts'

// Every state of the page, on a phone and a desktop, in light and in dark: nothing sticks out, and the checker of
// accessibility finds nothing serious. With SHOTS=folder each state is saved as an image.

const shots = process.env['SHOTS']
const open = await useCheckoutPages()
if (shots) mkdirSync(shots, { recursive: true })

const buyer = { customer: { email: 'ada@example.com', name: 'Ada Buyer' } }
const kes = { amount: '1000.00', currency: 'KES', ...buyer }
type Session = Awaited<ReturnType<CheckoutPages['createCheckout']>>
/** `act` leads to the state, or types what belongs to it. */
type State = {
  session: () => Promise<Session>
  title: string
  act?: (page: Page, session: Session) => Promise<void>
}

const sell = (body: object = {}) => open.createCheckout({ ...buyer, cancel_url: `${open.shopUrl()}/cart`, ...body })
const merchant = () => open.stack.merchant
const set = (session: Session, values: string) =>
  open.stack.sql(`update checkouts set ${values} where id = ?`, [session.checkout_id])
const paymentOf = async ({ checkout_id }: Session) =>
  (await open.stack.sql<{ payment_id: string }>('select payment_id from checkouts where id = ?', [checkout_id]))[0]
    ?.payment_id ?? ''

const { withFee } = open

async function cart(names: string[]) {
  const image = await addImage(merchant())
  const made = names.map((name, index) =>
    newProduct(merchant(), { name, amount: `${index + 4}.50`, ...(index % 2 === 0 && { images: [image] }) }),
  )
  const ids = await Promise.all(made)
  const product_cart = ids.map((product_id, index) => ({ product_id, quantity: index + 1 }))
  return sell({ amount: undefined, currency: undefined, description: undefined, product_cart })
}

async function selection() {
  const image = await addImage(merchant())
  const products = await Promise.all([
    newProduct(merchant(), { name: 'Print at home', amount: '12.00', images: [image] }),
    newProduct(merchant(), { name: 'Framed, with glass and a hook for the wall', amount: '48.00' }),
    newProduct(merchant(), {
      name: 'Pay what you want',
      price_type: 'custom',
      amount: null,
      minimum_amount: '3.00',
      maximum_amount: '500.00',
      suggested_amount: '20.00',
    }),
    newProduct(merchant(), { name: 'Preview', price_type: 'free', amount: null }),
  ])
  const { body } = await merchant().call('POST', '/v1/product-groups', { name: 'Prints', products })
  const { product_group_id } = body
  return open.createCheckout({ amount: undefined, currency: undefined, description: undefined, product_group_id })
}

const saveCard = () =>
  open.createCheckout({ ...buyer, setup: true, amount: undefined, currency: undefined, description: 'Your plan' })
const paid = (session: Session) => merchant().payByCard(session)
const basket = ['Poster', 'Postcards', 'A very long name of a thing that hardly fits on one line of a phone', 'Mug']

const states: Record<string, State> = {
  choose: { session: () => withFee(() => open.createCheckout()), title: 'How would you like to pay?' },
  'choose-cart': {
    session: () => withFee(() => cart([...basket, 'Sticker', 'Tote bag', 'Cap'])),
    title: 'How would you like to pay?',
    act: (page) => choose(page, 'Crypto'),
  },
  'choose-currency': {
    session: () => withFee(() => open.createCheckout()),
    title: 'How would you like to pay?',
    act: (page) => payIn(page, 'NGN'),
  },
  'confirm-currency': {
    session: () => withFee(() => cart(basket)),
    title: 'Check and confirm',
    async act(page) {
      await payIn(page, 'NGN')
      await typeCard(page)
    },
  },
  'paid-currency': {
    async session() {
      const session = await withFee(() => cart(basket))
      await merchant().payByCard(session, cards.success, 'NGN_CARD')
      return session
    },
    title: 'Payment complete',
  },
  setup: { session: () => saveCard(), title: 'Save your card' },
  'setup-confirm': {
    session: () => saveCard(),
    title: 'Check and save',
    act: (page) => typeCard(page, cards.success, '12/40', 'Save card'),
  },
  'setup-paid': {
    async session() {
      const session = await saveCard()
      await paid(session)
      return session
    },
    title: 'Your card is saved',
  },
  'setup-processing': {
    async session() {
      const session = await saveCard()
      await set(session, `payment_status = 'processing'`)
      return session
    },
    title: 'Your card is being saved',
    act: (page) => page.getByText('Nothing is charged.').waitFor(),
  },
  'setup-expired': {
    async session() {
      const session = await saveCard()
      await set(session, `status = 'expired', payment_status = 'canceled'`)
      return session
    },
    title: 'This page has expired',
    act: (page) => page.getByText('Your card was not saved.').waitFor(),
  },
  'choose-unread': {
    session: () => open.createCheckout(),
    title: 'How would you like to pay?',
    async act(page) {
      await page.route('**/checkout/**', (route) => route.abort())
      await go(page)
      await page.getByRole('alert').waitFor()
      await page.unrouteAll()
    },
  },
  'choose-country': {
    session: () => sell({ amount: '5000', currency: 'XOF' }),
    title: 'How would you like to pay?',
    async act(page) {
      await page.getByLabel('Mobile money number').fill('1')
      await go(page)
      await page.locator('.error').waitFor()
    },
  },
  'choose-phone': { session: () => sell(kes), title: 'How would you like to pay?' },
  'choose-pick': {
    session: selection,
    title: 'Choose and pay',
    act: (page) => page.getByRole('radio', { name: 'Pay what you want' }).check(),
  },
  'choose-errors': {
    session: selection,
    title: 'Choose and pay',
    async act(page) {
      await page.getByRole('radio', { name: 'Pay what you want' }).check()
      await page.getByLabel('Amount in USD').fill('2')
      await page.getByLabel('Email').fill('ada@localhost')
      await page.getByLabel('Name', { exact: true }).fill('Ada')
      await typeCard(page, '4242 4242 4242 4241', '13/40')
      await page.locator('.error').first().waitFor()
    },
  },
  'choose-declined': {
    async session() {
      const session = await sell()
      await merchant().payByCard(session, cards.declined)
      return session
    },
    title: 'How would you like to pay?',
  },
  confirm: { session: () => withFee(() => cart(basket)), title: 'Check and confirm', act: (page) => typeCard(page) },
  'code-otp': {
    async session() {
      const session = await sell()
      await merchant().payByCard(session, cards.threeDs)
      return session
    },
    title: 'Enter the code from your bank',
    async act(page) {
      await page.getByLabel('Code', { exact: true }).fill('12')
      await go(page)
      await page.locator('.error').waitFor()
    },
  },
  redirect: {
    async session() {
      const session = await sell()
      await merchant().payByCard(session, cards.threeDs)
      const action = JSON.stringify({ type: 'redirect', url: 'https://bank.example.com/3ds' })
      await open.stack.sql('update payments set next_action = ? where id = ?', [action, await paymentOf(session)])
      return session
    },
    title: 'Continue to your bank',
  },
  'code-pin': {
    async session() {
      const session = await sell({ amount: '90.00', currency: 'GHS' })
      await merchant().payByPhone(session, {
        payment_method: 'MOMO_GHS',
        phone_number: '+233200000001',
        provider: 'vodafone',
      })
      return session
    },
    title: 'Enter your wallet code',
  },
  transfer: {
    session: () => withFee(() => sell(transferSale)),
    title: 'Send a bank transfer',
    async act(page) {
      await choose(page, 'Bank transfer')
      await go(page)
    },
  },
  'transfer-short': {
    async session() {
      const session = await sell(transferSale)
      const { payment_id } = await merchant().payByTransfer(session)
      await merchant().deposit(payment_id, { amount: '1250.50' })
      return session
    },
    title: 'Send the rest',
  },
  'transfer-closed': {
    async session() {
      const session = await sell(transferSale)
      await merchant().payByTransfer(session)
      // As Paystack's, which lives for 8 hours at most: the session goes on.
      const closed = `jsonb_set(next_action, '{expires_at}', to_jsonb('2026-01-01T00:00:00.000Z'::text))`
      await open.stack.sql(`update payments set next_action = ${closed} where id = ?`, [await paymentOf(session)])
      return session
    },
    title: 'This account has closed',
    async act(page) {
      assert.equal(await page.getByText('Account number').count(), 0)
      assert.match(String(await page.getByRole('link', { name: 'Pay another way' }).getAttribute('href')), /\?other=1$/)
    },
  },
  crypto: {
    async session() {
      const session = await sell()
      await merchant().payByCrypto(session)
      return session
    },
    title: 'Send USDT',
  },
  'crypto-short': {
    async session() {
      const session = await sell()
      const { payment_id } = await merchant().payByCrypto(session, 'ETH_ETH')
      await merchant().deposit(payment_id, { amount: '0.00500000' })
      return session
    },
    title: 'Send the rest',
  },
  prompt: {
    async session() {
      const session = await sell(kes)
      await merchant().payByPhone(session, { phone_number: '+254700000005' })
      return session
    },
    title: 'Approve the payment on your phone',
  },
  processing: {
    async session() {
      const session = await sell()
      await set(session, `payment_status = 'processing'`)
      return session
    },
    title: 'Your payment is being processed',
  },
  'processing-coins': {
    async session() {
      const session = await sell()
      await merchant().payByCrypto(session)
      await set(session, `payment_status = 'processing'`)
      const details = JSON.stringify({ asset: 'USDT_TRC20', tx_hash: 'hash', confirmations: 1 })
      await open.stack.sql('update payments set method_details = ? where id = ?', [details, await paymentOf(session)])
      return session
    },
    title: 'Your payment is being processed',
  },
  paid: {
    async session() {
      const session = await withFee(() => cart(basket))
      await paid(session)
      return session
    },
    title: 'Payment complete',
  },
  'paid-surplus': {
    async session() {
      const session = await sell(transferSale)
      const { payment_id } = await merchant().payByTransfer(session)
      await merchant().deposit(payment_id, { amount: '5250.00' })
      return session
    },
    title: 'Payment complete',
  },
  'paid-free': {
    session: () => open.createCheckout({ amount: '0.00' }),
    title: 'Your order is complete',
    async act(page) {
      await typeBuyer(page)
      await page.getByRole('button', { name: 'Complete' }).click()
    },
  },
  expired: {
    async session() {
      const session = await sell()
      await set(session, `status = 'expired', payment_status = 'canceled'`)
      return session
    },
    title: 'This page has expired',
  },
  cancelled: {
    async session() {
      const session = await sell(transferSale)
      await merchant().payByTransfer(session)
      await merchant().cancel(session.checkout_id)
      return session
    },
    title: 'This payment was canceled',
  },
  'cancelled-received': {
    async session() {
      const session = await sell(transferSale)
      const { payment_id } = await merchant().payByTransfer(session)
      await merchant().deposit(payment_id, { amount: '1250.50' })
      await merchant().payByCard(session, cards.declined, 'NGN_CARD')
      await merchant().cancel(session.checkout_id)
      return session
    },
    title: 'This payment was canceled',
    act: (page) => page.getByText('We have received ₦1,250.50 from you. ₦3,749.50 was missing').waitFor(),
  },
  missing: {
    async session() {
      const session = await sell()
      return { ...session, checkout_url: `${session.checkout_url.slice(0, -3)}abc` }
    },
    title: 'This page does not exist',
  },
}

/** The serious and critical findings of the accessibility checker. */
async function findings(page: Page): Promise<string[]> {
  return describeBarriers(await graveBarriersOn(page))
}

/** Each size and each colour scheme once; all four combinations for images. */
const looks = [
  { size: 'phone', viewport: phone, colorScheme: 'light' },
  { size: 'desktop', viewport: desktop, colorScheme: 'dark' },
  ...(shots ? [{ size: 'phone', viewport: phone, colorScheme: 'dark' } as const] : []),
  ...(shots ? [{ size: 'desktop', viewport: desktop, colorScheme: 'light' } as const] : []),
] as const

for (const [name, { session, title, act }] of Object.entries(states)) {
  test(`${name}: fits on a phone and a desktop, and is accessible`, async () => {
    const made = await session()
    const work = async (page: Page) => {
      await act?.(page, made)
      for (const { size, viewport, colorScheme } of looks) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await heading(page, title)
        if (shots) await page.screenshot({ path: `${shots}/${name}-${size}-${colorScheme}.png`, fullPage: true })
        assert.deepEqual(await findings(page), [], `${name}, ${size}, ${colorScheme}`)
      }
    }
    await open.visit(made.checkout_url, work, { script: true })
  })
}
