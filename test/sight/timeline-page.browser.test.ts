import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { withApi } from '../support/api.ts'
import { choose, openMenu } from '../support/dashboard.ts'
import { cards } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { desktop, heading, looked, press, type, useDesk } from '../support/review-desk.ts'
import { changeDestination } from '../support/rows.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'

// What has happened to a resource and what it waits for, as staff and as people of a merchant see it in a browser.
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const narrow = { width: 360, height: 740 }
const long = 'Marie-Françoise Éléonore de La Rochefoucauld-Montmorency'
const desk = await useDesk()
const { stack, pages, visit } = desk
const silent = await addDestination(stack, desk.owner, { ends: '0003' })
await changeDestination(stack, silent, { name: `Fournisseurs ${long}`, accountName: long })

const items = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const awaited = (page: Page) => items(page).last()
const minutesShown = async (page: Page) => Number(/\(in (\d+) minutes\)/.exec(await awaited(page).innerText())?.[1])

async function findId(page: Page, id: string): Promise<void> {
  await type(page.getByLabel('Id', { exact: true }), id)
  await press(page, 'Find')
}

async function lookUp(page: Page, id: string): Promise<void> {
  await type(page.getByLabel('Id'), id)
  await press(page, 'Show')
}

for (const viewport of [narrow, desktop]) {
  test(`a payout’s page tells what has happened, and what is awaited, ${viewport.width} wide`, async () => {
    const id = await desk.heldPayout(silent, '1000.00')
    await visit(
      await desk.addReviewer(long),
      async (page) => {
        await page.clock.install()
        await page.goto(`${pages.base}/ops/payouts/${id}`)
        await heading(page, /^Payout of NGN/)
        await page.getByText(/in 23 hours 5\d minutes/).waitFor()
        const shown = await items(page).allInnerTexts()
        assert.match(shown[0] ?? '', /^Accepted; amount and fee debited.*\s+Done\s+.*20\d\d.*, by the merchant$/)
        assert.match(shown.join('\n'), /Held for a decision\s+In progress[\s\S]*, automatically/)
        assert.match(shown.at(-1) ?? '', /^Waiting for a reviewer\s+Since .*20\d\d/)
        assert.match(shown.at(-1) ?? '', /Reviewers are reminded: .*\(in 23 hours 5\d minutes\)/)
        assert.match(shown.at(-1) ?? '', /Decision expected by: .*\(in 2 days 23 hours\)/)
        await looked(page, 'timeline-held')
        await page.clock.fastForward(23 * hour + 50 * minute)
        await page.getByText(/\(in \d minutes\)/).waitFor()
        const before = await minutesShown(page)
        await page.clock.fastForward(minute)
        await until(async () => (await minutesShown(page)) < before, 'the countdown counts')
        await page.clock.fastForward(4 * day)
        await page.getByText(/Decision expected by:\s+overdue since/).waitFor()
        assert.doesNotMatch(await awaited(page).innerText(), /\(in/)
      },
      { viewport },
    )
  })
}

test('a rejected payout shows who has decided, why, and that nothing more is expected', async () => {
  const id = await desk.heldPayout(silent, '1100.00')
  await visit(
    await desk.addReviewer(long),
    async (page) => {
      await page.goto(`${pages.base}/ops/payouts/${id}`)
      await type(page.locator('#decide-reason'), 'The account holder has asked us to.')
      await press(page, 'Reject')
      await page.getByText('Decision saved.').waitFor()
      await until(async () => {
        await page.reload()
        return (await awaited(page).innerText()) === 'Nothing more is expected.'
      }, 'the page says that it has ended')
      await heading(page, /^Payout of NGN/)
      const ended = await looked(page, 'timeline-ended')
      const held = /Held for a decision\s+Done\s+.*, automatically\s+test reference `sandbox_hold`/
      assert.match(ended, held)
      const rejected =
        /Rejected; the money is back in the balance\s+Failed\s+.*, by Marie-Françoise .*\s+It was rejected/
      assert.match(ended, rejected)
      assert.match(ended, /It was rejected after a review\.\s+The account holder has asked us to\.\s+Nothing more/)
      assert.equal(ended.match(/by Marie-Françoise/g)?.length, 1, 'each deed is told once')
    },
    { viewport: narrow },
  )
})

test('without JavaScript the exact times are shown, and what is overdue says so', async () => {
  const id = await desk.stuckPayout(silent, '1000.00')
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await page.goto(`${pages.base}/ops/payouts/${id}`)
      await heading(page, /^Payout of NGN/)
      const shown = await awaited(page).innerText()
      assert.match(shown, /We ask the provider again: \d+ \w+ 20\d\d at \d\d:\d\d UTC/)
      assert.match(shown, /Answer expected by: overdue since \d+ \w+ 20\d\d at \d\d:\d\d UTC/)
      const [time] = await awaited(page).locator('time').all()
      assert.match((await time?.getAttribute('datetime')) ?? '', /^20\d\d-\d\d-\d\dT.*Z$/)
    },
    { script: false, viewport: narrow },
  )
})

test('a refund that its provider has not answered is opened from the list of what is stuck', async () => {
  const { refund_id: id } = await stack.merchant.refund(await stack.merchant.chargeByCard(), {
    reference: unansweredReference,
  })
  await until(async () => (await stack.merchant.getRefund(id))['status'] === 'processing', 'its provider has it')
  await stack.sql(`update refunds set created_at = created_at - interval '2 hours' where id = ?`, [id])
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await page.goto(`${pages.base}/ops/stuck?resource=refund`)
      await page.getByRole('row').filter({ hasText: id }).getByRole('link').click()
      await heading(page, 'Refund')
      const shown = await looked(page, 'timeline-refund')
      assert.ok(shown.includes(id))
      assert.match(shown, /Merchant\s+Demo Organization, sandbox/)
      assert.match(shown, /Refund requested; the amount is reserved[\s\S]*Sent to the provider\s+In progress/)
      assert.match(await awaited(page).innerText(), /^Waiting for the provider[\s\S]*We ask the provider again: /)
      const link = page.getByRole('link', { name: 'Open in the Temporal UI' })
      assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/workflows/refund%2F${id}$`))
    },
    { viewport: narrow },
  )
})

test('staff open a resource by its id; a mistyped id is named beside the input, and spaces do no harm', async () => {
  const payout = await desk.heldPayout(silent, '1200.00')
  const { checkout_id } = await stack.merchant.createCheckout()
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await openMenu(page)
      await page.getByRole('link', { name: 'Find', exact: true }).click()
      await heading(page, 'Find any id')
      await looked(page, 'find')
      const field = page.getByLabel('Id')
      for (const wrong of [
        `${checkout_id}x`,
        newId('pay', 0),
        'constructor_1',
        'ref_\0',
        '../payouts',
        'x'.repeat(255),
      ]) {
        await page.goto(`${pages.base}/ops/timelines?id=${encodeURIComponent(wrong)}`)
        await page.getByText('There is nothing with this id. Check that it is complete').waitFor()
        assert.equal(await field.getAttribute('aria-invalid'), 'true')
      }
      await findId(page, `${checkout_id}x`)
      await page.getByText('There is nothing with this id.').waitFor()
      assert.equal(await field.inputValue(), `${checkout_id}x`)
      await heading(page, 'Find any id')
      await looked(page, 'find-mistyped')
      await findId(page, '   ')
      await page.getByText('Enter an id.').waitFor()
      await findId(page, `  ${checkout_id} `)
      await heading(page, 'Checkout session')
      assert.equal(page.url(), `${pages.base}/ops/timelines/${checkout_id}`)
      assert.match(await awaited(page).innerText(), /^Waiting for the buyer\s+Since .*\s+Expires: .*\(in \d/)
      for (const [id, place] of [
        [payout, 'payouts'],
        [silent, 'destinations'],
      ] as const) {
        await page.goto(`${pages.base}/ops/timelines`)
        await findId(page, id)
        await page.waitForURL(`${pages.base}/ops/${place}/${id}`)
      }
    },
    { viewport: narrow },
  )
})

for (const viewport of [narrow, desktop]) {
  test(`a merchant sees a session’s declined and paid attempts, ${viewport.width} wide`, async () => {
    const session = await stack.merchant.createCheckout()
    const declined = await stack.merchant.payByCard(session, cards.declined)
    await stack.merchant.payByCard(session)
    await stack.finished('checkout', session.checkout_id)
    await visit(
      await desk.logins.addPerson({ role: 'viewer' }),
      async (page) => {
        await choose(page, 'Look up')
        await heading(page, 'Look up by id')
        await lookUp(page, session.checkout_id)
        await heading(page, 'Checkout session')
        const shown = await looked(page, 'timeline-session')
        assert.match(shown, /Opened\s+Done\s+.*, by your organization/)
        assert.match(shown, /Payment failed\s+Failed\s+.*, by the provider\s+pay_\w+\s+The card was declined\./)
        assert.match(shown, /Paid\s+Done\s+.*, by the provider/)
        assert.match(shown, /Nothing more is expected\./)
        assert.doesNotMatch(shown, /Temporal|Merchant/)
        await page
          .getByRole('link', { name: String(declined['payment_id']) })
          .first()
          .click()
        await heading(page, 'Payment')
        assert.match(await looked(page, 'timeline-payment'), /Payment failed[\s\S]*The card was declined\./)
      },
      { viewport, site: '/dashboard' },
    )
  })
}

test('a merchant reads neither names nor reasons of staff, and nothing of another merchant', async () => {
  const id = await desk.heldPayout(silent, '1300.00')
  const staff = await addStaff(stack)
  const decision = { decision: 'approve', reason: 'Called the owner' }
  assert.equal((await staff.onPayout(id, 'review', decision)).status, 200)
  await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'it is sent')
  await visit(
    await desk.logins.addPerson({ role: 'owner' }),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/timelines/${id}`)
      await heading(page, 'Payout')
      assert.match(await looked(page, 'timeline-payout'), /Approved to be sent\s+Done\s+.*, by a reviewer/)
      const html = await page.content()
      for (const secret of ['A Test User', staff.id, 'Called the owner', 'Claimed', 'Decision:', 'workflows'])
        assert.ok(!html.includes(secret), secret)
    },
    { viewport: narrow, site: '/dashboard' },
  )
  const stranger = await desk.logins.addPerson({ accountId: await withApi(stack).addAccount() })
  await visit(
    stranger,
    async (page) => {
      const { checkout_id } = await stack.merchant.createCheckout()
      for (const other of [id, silent, checkout_id, 'constructor_1', 'pay_']) {
        const answer = await page.goto(`${pages.base}/dashboard/timelines/${other}`)
        assert.equal(answer?.status(), 404, other)
        await page.getByText('There is nothing with this id.').waitFor()
      }
    },
    { site: '/dashboard' },
  )
})

test('staff of the platform belong to no organization, so the dashboard shows them no timeline', async () => {
  await visit(
    await desk.addReviewer(),
    async (page) => {
      const { checkout_id } = await stack.merchant.createCheckout()
      const answer = await page.goto(`${pages.base}/dashboard/timelines/${checkout_id}`)
      assert.equal(answer?.status(), 403)
      await page.getByText('Your role does not allow this.').waitFor()
    },
    { site: '/dashboard' },
  )
})
