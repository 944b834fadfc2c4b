import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { whileLocked } from '../support/locked.ts'
import { cards, sale, transferSale } from '../support/merchant.ts'
import { addSeller, changesOf } from '../support/platform.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'
import { dayMs } from '../../domain/duration.ts'

// People of a merchant refund a payment on its page: the form, then the question whether it is meant.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const site = '/dashboard' as const
const hostile = '</textarea><script>alert(1)</script>"&'
const { merchant, accountId } = await withApi(stack).addMerchant()

async function sell(amount = '25.00', reference = 'order-1'): Promise<string> {
  const session = await merchant.createCheckout({ ...sale, amount, reference })
  return String((await merchant.payByCard(session, cards.success, 'USD_CARD'))['payment_id'])
}

type Refunds = { total: number; items: Record<string, unknown>[] }
const refundsOf = async (id: string) =>
  (await merchant.call('GET', `/api/v1/payments/refunds?charge_id=${id}`)).body as unknown as Refunds

const addressOf = (id: string) => `${pages.base}/dashboard/payments/${id}`

async function open(page: Page, id: string): Promise<void> {
  await page.goto(addressOf(id))
  await page.getByRole('link', { name: 'Refund…' }).click()
  await heading(page, /^Refund USD/)
}

for (const [viewport, script] of [
  [phone, false],
  [desktop, true],
] as const) {
  test(`a developer refunds a part, then the rest, ${viewport.width} wide, script ${script}`, async () => {
    const id = await sell()
    await visit(
      await logins.addPerson({ role: 'developer', accountId }),
      async (page) => {
        await open(page, id)
        await looked(page, 'refund')
        await type(page.getByLabel('Amount in USD'), '10.5')
        await type(page.getByLabel('Reason'), hostile)
        await page.getByLabel('The customer').check()
        await press(page, 'Continue')
        await heading(page, 'Refund this payment?')
        const asked = await looked(page, 'refund-confirm')
        assert.match(asked, /Refunded now\s+USD\s10\.50[\s\S]*The customer: it is deducted/)
        assert.match(asked, /The money leaves your balance at once\. A refund can’t be undone\./)
        assert.ok(asked.includes(hostile), 'the reason is text')
        assert.equal((await refundsOf(id)).total, 0, 'nothing is refunded before the second press')
        await press(page, 'Change it')
        assert.equal(await page.getByLabel('Reason').inputValue(), hostile)
        await press(page, 'Continue')
        await press(page, 'Refund now')
        await page.getByText('The refund is on its way.').waitFor()
        const { items } = await refundsOf(id)
        assert.deepEqual(
          items.map((each) => [each['requested_amount'], each['fee_bearer'], each['reason'], each['reference']]),
          [['10.50', 'CUSTOMER', hostile, 'order-1']],
        )
        await until(async () => (await refundsOf(id)).items[0]?.['status'] === 'succeeded', 'it is paid back')
        await page.goto(addressOf(id))
        const shown = await looked(page, 'payment-refunded')
        assert.match(shown, /Partly refunded[\s\S]*Refunded\s+USD\s10\.50[\s\S]*USD\s10\.50\s+Paid back/)
        await open(page, id)
        await press(page, 'Continue')
        assert.match(await page.locator('main').innerText(), /Refunded now\s+Everything that is left/)
        await press(page, 'Refund now')
        await page.getByText('The refund is on its way.').waitFor()
        assert.equal((await refundsOf(id)).total, 2)
        await until(async () => (await refundsOf(id)).items[0]?.['status'] === 'succeeded', 'the rest is paid back')
        await page.goto(addressOf(id))
        assert.equal(await page.getByRole('link', { name: 'Refund…' }).count(), 0, 'nothing is left')
        await page.goto(`${addressOf(id)}/refund`)
        await page.waitForURL(addressOf(id))
      },
      { viewport, script, site },
    )
  })
}

test('the question about a short payment does not say that its money leaves the balance', async () => {
  const session = await merchant.createCheckout(transferSale)
  const { payment_id: id } = await merchant.payByTransfer(session)
  await merchant.deposit(id, { amount: '2000.00' })
  await merchant.cancel(session.checkout_id)
  await visit(
    await logins.addPerson({ role: 'admin', accountId }),
    async (page) => {
      await page.goto(`${addressOf(id)}/refund`)
      await press(page, 'Continue')
      const asked = await looked(page, 'refund-confirm-short')
      assert.doesNotMatch(asked, /The money leaves your balance/)
      assert.match(asked, /its money is not in your balance\. Only the fee of the refund[\s\S]*can’t be undone\./)
      await press(page, 'Refund now')
      await page.getByText('The refund is on its way.').waitFor()
      assert.equal((await refundsOf(id)).total, 1)
    },
    { viewport: phone, site },
  )
})

test('the refund of a split sale takes back the seller’s share only where that is chosen', async () => {
  const seller = await addSeller(withApi(stack), accountId)
  const transfer_data = { destination: seller.accountId, amount: '50.00' }
  const session = await merchant.createCheckout({ ...sale, amount: '100.00', transfer_data })
  const id = String((await merchant.payByCard(session, cards.success, 'USD_CARD'))['payment_id'])
  await until(async () => (await changesOf(seller.merchant)).length === 1, 'the seller has the share')
  await visit(
    await logins.addPerson({ role: 'admin', accountId }),
    async (page) => {
      const refund = async (takesBack: boolean) => {
        await open(page, id)
        await type(page.getByLabel('Amount in USD'), '10.00')
        if (takesBack) await page.getByLabel('The seller gives back the same part of their share').check()
        await looked(page, 'refund-split')
        await press(page, 'Continue')
        const asked = await page.locator('main').innerText()
        assert.equal(/The seller’s share\s+Goes back in proportion/.test(asked), takesBack)
        await press(page, 'Refund now')
        await page.getByText('The refund is on its way.').waitFor()
      }
      await refund(false)
      assert.equal((await changesOf(seller.merchant)).length, 1, 'the seller keeps the share')
      await refund(true)
      await until(async () => (await changesOf(seller.merchant)).length === 2, 'a part of it goes back')
      const [, back] = await changesOf(seller.merchant)
      assert.match(String(back?.[1]), /^-5\.\d\d$/)
      await page.goto(addressOf(id))
      const told = await page.locator('main').innerText()
      assert.match(told, /Moved to the seller\s+USD\s50\.00\s+Given back by the seller\s+USD\s5\.\d\d/)
    },
    { viewport: phone, site },
  )
})

test('only what a sale has passed on is shown as moved, and a short payment offers no share back', async () => {
  const seller = await addSeller(withApi(stack), accountId)
  const split = { transfer_data: { destination: seller.accountId, amount: '20.00' } }
  const failed = await merchant.payByCard(await merchant.createCheckout({ ...sale, ...split }), cards.declined)
  const session = await merchant.createCheckout({ ...transferSale, ...split })
  const { payment_id: short } = await merchant.payByTransfer(session)
  await merchant.cancel(session.checkout_id)
  await merchant.deposit(short, { amount: '1000.00' })
  assert.equal((await merchant.getPayment(short))['status'], 'underpaid')
  await visit(
    await logins.addPerson({ role: 'admin', accountId }),
    async (page) => {
      await page.goto(addressOf(String(failed['payment_id'])))
      const told = await page.locator('main').innerText()
      assert.match(told, /Failed[\s\S]*Agreed share of the seller\s+USD\s20\.00/)
      assert.doesNotMatch(told, /Moved to the seller/)
      await page.goto(`${addressOf(short)}/refund`)
      await heading(page, /^Refund NGN/)
      assert.doesNotMatch(await looked(page, 'refund-split-short'), /seller/)
      const accepted = await merchant.call('POST', `/v1/payments/${short}/accept`, {})
      assert.equal(accepted.status, 200, accepted.text)
      await page.reload()
      await page.getByLabel('The seller gives back the same part of their share').waitFor()
      await page.goto(addressOf(short))
      // 1,000.00 of 5,000.00 were accepted: the same part of the share, in the currency that was paid.
      assert.match(
        await looked(page, 'payment-passed-on'),
        /of the seller\s+NGN\s20\.00[\s\S]*to the seller\s+NGN\s4\.00/,
      )
    },
    { viewport: phone, site },
  )
})

/** Asks for 5 dollars back, up to the question whether that is meant. What its button would send. */
async function confirming(page: Page, id: string) {
  await open(page, id)
  await type(page.getByLabel('Amount in USD'), '5')
  await press(page, 'Continue')
  const key = await page.locator('input[name="form_key"]').inputValue()
  const form = { form_key: key, amount: '5', reason: '', fee_bearer: '', step: 'send' }
  return { form, headers: { 'sec-fetch-site': 'same-origin' } }
}

test('a form that is sent twice, at once or later, is one refund', async () => {
  const id = await sell()
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      const { form, headers } = await confirming(page, id)
      const send = () => page.request.post(`${addressOf(id)}/refund`, { headers, form, maxRedirects: 0 })
      const answers = await Promise.all([send(), send(), send()])
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [303, 303, 303],
      )
      await press(page, 'Refund now')
      await page.getByText('The refund is on its way.').waitFor()
      assert.equal((await refundsOf(id)).total, 1)
      const other = await page.request.post(`${addressOf(id)}/refund`, { headers, form: { ...form, amount: '6' } })
      assert.equal(other.status(), 409)
      assert.match(await other.text(), /sent before with other values/)
      assert.equal((await refundsOf(id)).total, 1)
      const late = { ...form, form_key: form.form_key.replace(/^\d{13}/, String(Date.now() - dayMs)) }
      const asked = await page.request.post(`${addressOf(id)}/refund`, { headers, form: late })
      assert.match(await asked.text(), /Refund this payment\?/, 'a question of yesterday is asked again')
      assert.equal((await refundsOf(id)).total, 1)
    },
    { viewport: phone, site },
  )
})

test('whoever goes back to the question sees it again and refunds once; after signing out it is gone', async () => {
  const id = await sell()
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await open(page, id)
      await press(page, 'Continue')
      for (let presses = 0; presses < 2; presses++) {
        await heading(page, 'Refund this payment?')
        await press(page, 'Refund now')
        await page.getByText('The refund is on its way.').waitFor()
        await page.goBack()
      }
      await heading(page, 'Refund this payment?')
      assert.equal((await refundsOf(id)).total, 1)
      await press(page, 'Sign out')
      await page.getByText('You are signed out.').waitFor()
      await assert.rejects(page.goBack(), /ERR_CACHE_MISS/)
    },
    { viewport: desktop, script: true, site },
  )
})

test('a refund whose outcome is not known keeps its key, so that a further press refunds it once', async () => {
  const id = await sell()
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      const { form, headers } = await confirming(page, id)
      const again = await whileLocked(stack, 'refunds', async () => {
        const answer = await page.request.post(`${addressOf(id)}/refund`, { headers, form, timeout: 60_000 })
        assert.equal(answer.status(), 503)
        return answer.text()
      })
      assert.match(again, /It is not known whether this was refunded\./)
      assert.equal(/name="form_key" value="([^"]+)"/.exec(again)?.[1], form.form_key)
      await press(page, 'Refund now')
      await page.getByText('The refund is on its way.').waitFor()
      assert.equal((await refundsOf(id)).total, 1)
    },
    { viewport: phone, site },
  )
})

test('two people who refund the whole payment at once refund it once, and the second is told', async () => {
  const id = await sell()
  const people = [
    await logins.addPerson({ role: 'owner', accountId }),
    await logins.addPerson({ role: 'admin', accountId }),
  ] as const
  await visit(
    people[0],
    async (page) => {
      await open(page, id)
      await press(page, 'Continue')
      await visit(
        people[1],
        async (other) => {
          await open(other, id)
          await press(other, 'Continue')
          await press(other, 'Refund now')
          await other.getByText('The refund is on its way.').waitFor()
        },
        { viewport: desktop, site },
      )
      await press(page, 'Refund now')
      await page
        .getByText(/cannot be refunded|0\.00 USD are left to refund/)
        .first()
        .waitFor()
      assert.equal((await refundsOf(id)).total, 1)
    },
    { viewport: desktop, site },
  )
})

test('a payment of which nothing is left says so and why, and advises no smaller amount', async () => {
  const [disputed, refunded] = [await sell(), await sell()]
  const dispute = await merchant.call('POST', `/v1/test-helpers/payments/${disputed}/dispute`, {})
  assert.ok(dispute.status < 300, dispute.text)
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      const refused = async () => {
        await press(page, 'Continue')
        await press(page, 'Refund now')
        await heading(page, /^Refund USD/)
        assert.doesNotMatch(await page.locator('main').innerText(), /smaller amount/)
        return page.locator('#amount-error').innerText()
      }
      await open(page, disputed)
      assert.equal(await refused(), '0.00 USD are left to refund: its buyer has disputed it.')
      await open(page, refunded)
      await merchant.refund(refunded)
      assert.equal(await refused(), '0.00 USD are left to refund.')
      await looked(page, 'refund-nothing-left')
    },
    { viewport: phone, site },
  )
})

test('a wrong amount is told at its field, and what was typed stays', async () => {
  const id = await sell()
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await open(page, id)
      for (const [typed, words] of [
        ['1,050', /Enter the amount with a point before the cents/],
        ['ten', /Enter an amount/],
        ['-5', /Enter an amount/],
        ['1e3', /Enter an amount/],
        ['9999', /^[1-9][\d.]+ USD are left to refund\.$/],
        ['1.005', /with a point before the cents/],
        ['0', /Enter an amount, such as 25\.00/],
      ] as const) {
        await type(page.getByLabel('Amount in USD'), typed)
        await type(page.getByLabel('Reason'), 'Too small')
        await press(page, 'Continue')
        const isAsked = await page.getByRole('heading', { name: 'Refund this payment?' }).isVisible()
        assert.equal(isAsked, ['9999', '0'].includes(typed), `the question shows what was typed: ${typed}`)
        if (isAsked) await press(page, 'Refund now')
        await heading(page, /^Refund USD/)
        assert.match(await page.locator('#amount-error').innerText(), words, typed)
        assert.equal(await page.getByLabel('Amount in USD').inputValue(), typed)
        assert.equal(await page.getByLabel('Reason').inputValue(), 'Too small')
      }
      await looked(page, 'refund-wrong')
      assert.equal((await refundsOf(id)).total, 0)
    },
    { viewport: phone, site },
  )
})

test('a viewer, a form of another site and a forged payment refund nothing', async () => {
  const id = await sell()
  const form = { form_key: 'k', amount: '5', step: 'send' }
  await visit(
    await logins.addPerson({ role: 'viewer', accountId }),
    async (page) => {
      const shown = await page.goto(`${addressOf(id)}/refund`)
      assert.equal(shown?.status(), 403)
      const headers = { 'sec-fetch-site': 'same-origin' }
      assert.equal((await page.request.post(`${addressOf(id)}/refund`, { headers, form })).status(), 403)
    },
    { viewport: phone, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      const headers = { 'sec-fetch-site': 'same-origin' }
      assert.equal((await page.request.post(`${addressOf(id)}/refund`, { headers, form })).status(), 404)
    },
    { viewport: phone, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      assert.equal((await page.request.post(`${addressOf(id)}/refund`, { headers, form })).status(), 403)
    },
    { viewport: phone, site },
  )
  assert.equal((await refundsOf(id)).total, 0)
})
