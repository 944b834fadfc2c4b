import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { heading, looked, press, type, useDesk } from '../support/review-desk.ts'
import { laterCards, subscriptionsOf } from '../support/subscription.ts'
import { addStaff } from '../support/staff.ts'

// Subscriptions and invoices as people of a merchant see them in a browser, and staff on the review desk.
const narrow = { width: 360, height: 740 }
const desktop = { width: 1280, height: 900 }
const desk = await useDesk()
const { stack, pages, visit } = desk
const plans = subscriptionsOf(stack)
const long = 'Marie-Françoise <b>Éléonore</b> de La Rochefoucauld-Montmorency'
const customer = { email: 'marie@example.com', name: long }
const begun = await plans.subscribe({ session: { customer }, number: laterCards.declines })
const id = begun.subscription_id
const [invoice] = await plans.invoices(id)
const canceled = await plans.subscribe({ product: { name: 'Another plan' } })
await plans.act(canceled.subscription_id, 'cancel', { at_period_end: false, reason: 'too_expensive' })

for (const [viewport, script] of [
  [narrow, false],
  [narrow, true],
  [desktop, true],
] as const) {
  test(`a merchant reads a subscription and its invoice, ${viewport.width} wide, script ${script}`, async () => {
    await visit(
      await desk.logins.addPerson({ role: 'viewer' }),
      async (page) => {
        await choose(page, 'Subscriptions')
        await heading(page, 'Subscriptions')
        const list = await looked(page, 'subscriptions')
        assert.match(list, /Rochefoucauld-Montmorency: Team plan\s+Active/)
        assert.match(list, /USD\s25\.00 each month/)
        assert.match(list, /Another plan\s+Canceled\s[\s\S]*None/)
        await page.getByLabel('Status').selectOption('active')
        await press(page, 'Show')
        await heading(page, 'Subscriptions')
        assert.doesNotMatch(await page.locator('main').innerText(), /Another plan/)
        await page.getByRole('link', { name: /Team plan$/ }).click()
        await heading(page, `${long}: Team plan`)
        const shown = await looked(page, 'subscription')
        assert.ok(shown.includes(id))
        assert.match(shown, /Paid by\s+A saved card/)
        assert.match(shown, /Invoice paid[\s\S]*Waiting for the next period/)
        await page.getByRole('link', { name: 'Show its invoices' }).click()
        await heading(page, 'Invoices')
        assert.match(await looked(page, 'invoices'), /INV-\d{6}: USD\s25\.00\s+Paid/)
        await page.getByRole('link', { name: /^INV-/ }).click()
        await heading(page, /^INV-\d{6}: USD\s25\.00$/)
        const told = await looked(page, 'invoice')
        assert.match(told, /Why\s+The first period of a subscription/)
        assert.match(told, /Lines\s+Team plan[\s\S]*USD\s25\.00/)
        assert.match(told, /Invoice opened[\s\S]*Paid[\s\S]*Invoice paid[\s\S]*Nothing more is expected\./)
        assert.match(
          String(await page.getByRole('link', { name: 'Open the page' }).getAttribute('href')),
          /\/invoice\//,
        )
      },
      { viewport, script, site: '/dashboard' },
    )
  })
}

test('what is owed of an invoice is shown as long as it can be paid, also once it is no longer collected', async () => {
  const { latest_invoice_id: invoiceId } = canceled
  const setStatus = (status: string) =>
    stack.sql(
      `update invoices set status = ?, amount_paid = case when ? = 'paid' then total else 0 end,
        paid_at = case when ? = 'paid' then created_at end where id = ?`,
      [status, status, status, invoiceId],
    )
  const work = async (page: Page) => {
    for (const [status, isOwed] of Object.entries({ open: true, uncollectible: true, paid: false })) {
      await setStatus(status)
      await page.goto(`${pages.base}/dashboard/invoices/${invoiceId}`)
      const told = await page.locator('main').innerText()
      assert.match(told, /Total\s+USD\s25\.00/)
      assert.equal(/Amount due\s+USD\s25\.00/.test(told), isOwed, status)
    }
  }
  await visit(await desk.logins.addPerson({ role: 'viewer' }), work, { site: '/dashboard' })
})

test('the credit of a subscription is shown while it has some', async () => {
  const work = async (page: Page) => {
    for (const [credit, isShown] of [
      ['12.50', true],
      ['0', false],
    ] as const) {
      await stack.sql('update subscriptions set credit = ? where id = ?', [credit, id])
      await page.goto(`${pages.base}/dashboard/subscriptions/${id}`)
      const told = await page.locator('main').innerText()
      assert.equal(/Credit for its invoices\s+USD\s12\.50/.test(told), isShown, told)
    }
  }
  await visit(await desk.logins.addPerson({ role: 'viewer' }), work, { site: '/dashboard' })
})

test('by keyboard alone: the list, a subscription, and back', async () => {
  await visit(
    await desk.logins.addPerson({ role: 'viewer' }),
    async (page) => {
      const reach = async (name: string | RegExp) => {
        const isMenu = name === 'Menu'
        const link = isMenu ? page.locator('summary', { hasText: 'Menu' }) : page.getByRole('link', { name })
        for (let tabs = 0; tabs < 40; tabs++) {
          await page.keyboard.press('Tab')
          if (await link.evaluate((each) => each.matches(':focus'))) return page.keyboard.press('Enter')
        }
        throw new Error(`${name} is not reached`)
      }
      await page.keyboard.press('Tab')
      assert.equal(await page.getByRole('link', { name: 'Skip to the content' }).isVisible(), true)
      await reach('Menu')
      await reach('Subscriptions')
      await heading(page, 'Subscriptions')
      await reach(/Team plan$/)
      await heading(page, `${long}: Team plan`)
      await reach('All subscriptions')
      await heading(page, 'Subscriptions')
    },
    { viewport: narrow, site: '/dashboard' },
  )
})

test('an id leads from the look-up to its page; what does not exist, or is another’s, is not found', async () => {
  await visit(
    await desk.logins.addPerson({ role: 'owner' }),
    async (page) => {
      for (const [each, folder] of [
        [id, 'subscriptions'],
        [invoice?.invoice_id ?? '', 'invoices'],
      ] as const) {
        await page.goto(`${pages.base}/dashboard/timelines`)
        await type(page.getByLabel('Id'), each)
        await press(page, 'Show')
        await page.waitForURL(`${pages.base}/dashboard/${folder}/${each}`)
      }
      await page.goto(`${pages.base}/dashboard/subscriptions?cursor=nonsense&status=nonsense`)
      await page.waitForURL(`${pages.base}/dashboard/subscriptions`)
    },
    { viewport: narrow, site: '/dashboard' },
  )
  const stranger = await desk.logins.addPerson({ accountId: await withApi(stack).addAccount() })
  await visit(
    stranger,
    async (page) => {
      await page.goto(`${pages.base}/dashboard/subscriptions`)
      await page.getByText('No subscriptions yet.').waitFor()
      await page.goto(`${pages.base}/dashboard/invoices`)
      await page.getByText('No invoices yet.').waitFor()
      for (const path of [
        `subscriptions/${id}`,
        `invoices/${invoice?.invoice_id}`,
        `invoices/${newId('inv', 0)}`,
        'invoices/x',
      ]) {
        const answer = await page.goto(`${pages.base}/dashboard/${path}`)
        assert.equal(answer?.status(), 404, path)
        await heading(page, 'This page does not exist')
      }
    },
    { viewport: narrow, site: '/dashboard' },
  )
})

test('staff open a subscription by its id, and belong to no organization on the dashboard', async () => {
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await page.goto(`${pages.base}/ops/timelines/${id}`)
      await heading(page, 'Subscription')
      const shown = await looked(page, 'timeline-subscription')
      assert.match(shown, /Invoice paid[\s\S]*Waiting for the next period/)
      const link = page.getByRole('link', { name: 'Open in the Temporal UI' })
      assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/workflows/subscription%2F${id}$`))
    },
    { viewport: narrow },
  )
  await visit(
    await desk.addReviewer(),
    async (page) => {
      const answer = await page.goto(`${pages.base}/dashboard/subscriptions`)
      assert.equal(answer?.status(), 403)
      await page.getByText('Your role does not allow this.').waitFor()
    },
    { site: '/dashboard' },
  )
})

test('a subscription whose charge is overdue is opened from the list of what is stuck', async () => {
  await addStaff(stack)
  const late = new Date(Date.now() - 3 * 3_600_000)
  await stack.sql('update subscriptions set charge_due_at = ? where id = ?', [late, id])
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await page.goto(`${pages.base}/ops/stuck?resource=subscription`)
      await page.getByText('Charge of the card').waitFor()
      await page.getByRole('row').filter({ hasText: id }).getByRole('link').click()
      await heading(page, 'Subscription')
    },
    { viewport: narrow },
  )
})
