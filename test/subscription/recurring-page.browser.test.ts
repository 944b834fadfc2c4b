import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { graveBarriersOn } from '../support/barriers.ts'
import { newProduct } from '../support/cart.ts'
import {
  choose,
  desktop,
  go,
  heading,
  payIn,
  phone,
  tinyPhone,
  typeCard,
  useCheckoutPages,
} from '../support/checkout-pages.ts'
import { changeAccount } from '../support/rows.ts'

// The hosted page of a recurring sale: what is charged, how often, from when, and how to stop. With SHOTS=folder each
// page is saved as an image.
const shots = process.env['SHOTS']
if (shots) mkdirSync(shots, { recursive: true })
const open = await useCheckoutPages()
const { merchant, organizationId } = open.stack
const monthly = { interval: 'month', interval_count: 1 }
const trial = { ...monthly, trial_days: 14 }
const support = 'help@example.com'
const setSupport = (support_email: string | null) => merchant.call('PATCH', '/v1/account', { support_email })
await setSupport(support)
const dayMs = 86_400_000
const dayOf = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))

type Json = Record<string, unknown>
const product = (over: Json = {}) =>
  newProduct(merchant, { name: 'Team plan', amount: '25.00', recurring: monthly, ...over })
const sell = async (over: Json = {}, session: Json = {}) =>
  merchant.createCheckout({
    product_cart: [{ product_id: await product(over) }],
    customer: { email: `${randomUUID()}@example.com`, name: 'Ada Buyer' },
    success_url: `${open.shopUrl()}/thanks`,
    ...session,
  })
type Session = Awaited<ReturnType<typeof sell>>

const textOf = async (page: Page) => (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
async function says(page: Page, ...parts: string[]) {
  const text = await textOf(page)
  for (const part of parts) assert.ok(text.includes(part), `${part} is missing in: ${text}`)
}
const subscriptionOf = async ({ checkout_id: id }: Session) =>
  ((await merchant.getCheckout(id))['recurring'] as Json)['subscription_id']
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

for (const script of [false, true]) {
  test(`a trial: what is charged, when and how to stop, and nothing now; script ${script ? 'on' : 'off'}`, async () => {
    const session = await sell({ recurring: trial })
    const first = dayOf(Date.now() + 14 * dayMs)
    const terms = `14 days free, then $25.00 each month. The first charge is on ${first}.`
    const stop = `You can cancel at any time: write to ${support}.`
    await open.visit(
      session.checkout_url,
      async (page) => {
        await heading(page, 'Start your trial')
        assert.match(await page.title(), /^Start your trial with /)
        await says(page, terms, 'Your card is saved, and ', ' charges it for each period until you cancel.', stop)
        await typeCard(page)
        await heading(page, 'Check and confirm')
        await says(page, terms, stop, 'Nothing is charged now.')
        await press(page, 'Start trial')
        await heading(page, 'Your trial has begun')
        await says(page, `runs until ${first}`, 'Nothing was charged now.', `Next charge ${first}`, stop)
      },
      { script },
    )
    assert.match(String(await subscriptionOf(session)), /^sub_/)
  })

  test(`a plan paid now: the price, the rhythm and the next charge; script ${script ? 'on' : 'off'}`, async () => {
    const session = await sell()
    await open.visit(
      session.checkout_url,
      async (page) => {
        await heading(page, 'How would you like to pay?')
        assert.match(await page.title(), /^Subscribe to /)
        await says(page, '$25.00 each month. The next charge is on ', 'If you pay by card: your card is saved, and ')
        await choose(page, 'Card')
        await typeCard(page)
        await heading(page, 'Check and confirm')
        await says(page, 'Your card is saved, and ', 'You can cancel at any time')
        await press(page, 'Subscribe for $25.00')
        await heading(page, 'Your subscription has begun')
        await says(page, 'has received your payment of $25.00', 'Next charge', 'Subscription $25.00 each month')
        const { next_charge_at: next } = (await merchant.getCheckout(session.checkout_id))['recurring'] as Json
        await says(page, dayOf(Date.parse(String(next))))
      },
      { script },
    )
    assert.match(String(await subscriptionOf(session)), /^sub_/)
  })
}

async function sellPlans() {
  const [month, year] = [await product(), await product({ name: 'A year', amount: '250.00', recurring: yearly })]
  const made = await merchant.call('POST', '/v1/product-groups', { name: 'Plans', products: [month, year] })
  return sell({}, { product_cart: undefined, product_group_id: made.body['product_group_id'] })
}

test('of plans to pick from each says its rhythm, and the pick is charged', async () => {
  const session = await sellPlans()
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'Choose your plan')
    await says(page, '$25.00 each month', '$250.00 each year')
    await choose(page, 'A year')
    await choose(page, 'Card')
    await typeCard(page)
    await says(page, '$250.00 each year')
    await press(page, 'Subscribe for $250.00')
    await heading(page, 'Your subscription has begun')
  })
})

test('a buyer who may pick another plan reads no terms of the one before', async () => {
  const session = await sellPlans()
  await open.visit(session.checkout_url, async (page) => {
    await choose(page, 'Team plan')
    await choose(page, 'Card')
    await typeCard(page)
    await heading(page, 'Check and confirm')
    await says(page, '$25.00 each month. The next charge is on ')
    await page.getByRole('link', { name: 'Pay another way' }).click()
    await page.getByRole('radio', { name: 'Team plan', checked: true }).waitFor()
    await says(page, 'The price of the plan you choose is charged for each period.')
    assert.ok(!(await textOf(page)).includes('The next charge is on '))
    await heading(page, 'Choose your plan')
    await choose(page, 'A year')
    await choose(page, 'Card')
    await typeCard(page)
    await heading(page, 'Check and confirm')
    await says(page, '$250.00 each year. The next charge is on ')
  })
})
const yearly = { interval: 'year', interval_count: 1 }

test('a free plan asks for no card and says that there is nothing to pay', async () => {
  const session = await sell({ price_type: 'free', amount: undefined })
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'Start your subscription')
    await says(page, '$0.00 each month: there is nothing to pay.')
    assert.equal(await page.getByLabel('Card number').count(), 0)
    await press(page, 'Subscribe')
    await heading(page, 'Your subscription has begun')
    await says(page, 'Nothing was charged now.')
    assert.ok(!(await textOf(page)).includes('Next charge'))
  })
})

test('who pays by transfer reads that an invoice comes for each period', async () => {
  const session = await sell(
    { amount: '5000.00', currency: 'NGN' },
    { payment_method_options: { bank_transfer: { currencies: ['NGN'] } } },
  )
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'How would you like to pay?')
    await says(page, 'You get an invoice to pay for each period until you cancel.')
    assert.ok(!(await textOf(page)).includes('saved'))
    await go(page)
    await heading(page, 'Send a bank transfer')
    const [row] = await open.stack.sql<{ id: string }>('select payment_id as id from checkouts where id = ?', [
      session.checkout_id,
    ])
    await merchant.deposit(row?.id ?? '')
    await heading(page, 'Your subscription has begun')
    await says(page, 'Next payment due', 'You get an invoice before')
  })
})

test('without a support email the page says to contact the merchant; fees and another currency are named', async () => {
  await changeAccount(open.stack, organizationId, { feePreference: 'customer_pays' })
  await setSupport(null)
  const session = await sell({ amount: '40000.00', currency: 'NGN' })
  await changeAccount(open.stack, organizationId, { feePreference: 'org_pays' })
  await open.visit(session.checkout_url, async (page) => {
    await says(page, '₦40,000.00 each month plus the payment fee', 'You can cancel at any time: contact ')
    await payIn(page, 'USD')
    await typeCard(page)
    await says(page, 'plus the payment fee, in USD at the rate of that day')
    await press(page, 'Subscribe for')
    await heading(page, 'Your subscription has begun')
  })
  await setSupport(support)
})

test('a trial is started by the keyboard alone', async () => {
  const session = await sell({ recurring: trial })
  await open.visit(
    session.checkout_url,
    async (page) => {
      await page.getByLabel('Card number').focus()
      await page.keyboard.type('4242424242424242')
      await page.keyboard.press('Tab')
      await page.keyboard.type('12/40')
      await page.keyboard.press('Tab')
      await page.keyboard.type('123')
      await page.keyboard.press('Enter')
      await heading(page, 'Check and confirm')
      await page.getByRole('button', { name: 'Start trial' }).focus()
      await page.keyboard.press('Enter')
      await heading(page, 'Your trial has begun')
    },
    { script: true },
  )
})

for (const [name, viewport] of Object.entries({ phone, tinyPhone, desktop })) {
  test(`nothing sticks out and nothing is hard to reach on each page of a trial and a plan: ${name}`, async () => {
    for (const [kind, recurring, button] of [
      ['trial', trial, 'Start trial'],
      ['plan', monthly, 'Subscribe for'],
    ] as const) {
      const session = await sell({ recurring })
      const look = async (page: Page, state: string) => {
        assert.deepEqual(await graveBarriersOn(page), [], `${kind} ${state}`)
        if (shots) await page.screenshot({ path: `${shots}/${kind}-${state}-${name}.png`, fullPage: true })
      }
      await open.visit(
        session.checkout_url,
        async (page) => {
          await heading(page, kind === 'trial' ? 'Start your trial' : 'How would you like to pay?')
          await look(page, 'choose')
          await typeCard(page)
          await heading(page, 'Check and confirm')
          await look(page, 'confirm')
          await press(page, button)
          await heading(page, kind === 'trial' ? 'Your trial has begun' : 'Your subscription has begun')
          await look(page, 'done')
        },
        { script: true, viewport },
      )
    }
  })
}
