import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { leftOpen, register } from '../support/destination.ts'
import { openMenu } from '../support/dashboard.ts'
import { addDestination } from '../support/payout.ts'
import { heading, looked, phone, press, smallPhone, type, useDesk } from '../support/review-desk.ts'
import { changeDestination } from '../support/rows.ts'

// The desk as a colleague uses it: one queue, whatever is overdue, any id, and the log of who did what.
const desk = await useDesk()
const { stack, pages, visit } = desk
const hostile = '<img src=x onerror=alert(1)>‮”\'"&amp;</td></table><script>alert(2)</script>'
const unbroken = 'W'.repeat(120)
const silent = await addDestination(stack, desk.owner, { ends: '0003' })
await changeDestination(stack, silent, { name: hostile, accountName: `${hostile} ${unbroken}` })

const tablet = { width: 820, height: 1180 }
const wide = { width: 1440, height: 900 }
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id })
const go = (page: Page, path: string) => page.goto(`${pages.base}/ops${path}`)

/** A destination that has been waiting for a decision for so many hours. */
async function waiting(hours: number): Promise<string> {
  const { id } = await register(stack.merchant, 'NGN', leftOpen)
  await stack.sql(
    `update reviews set created_at = created_at - ? * interval '1 hour', reminds_at = reminds_at - ? * interval '1 hour'
     where resource_id = ?`,
    [hours, hours, id],
  )
  return id
}

for (const viewport of [phone, tablet, wide]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`every page of the desk fits and is accessible, ${viewport.width} wide, ${colorScheme}`, async () => {
      const payout = await desk.stuckPayout(silent, '1000.00')
      const held = await desk.heldPayout(silent, '1100.00')
      await waiting(30)
      await stack.sql('update accounts set name = ? where id = ?', [`${hostile} ${unbroken}`, desk.owner.accountId])
      const work = async (page: Page) => {
        await page.emulateMedia({ colorScheme })
        const visited: [path: string, name: string | RegExp][] = [
          ['/queue', 'Reviews'],
          ['/queue?state=decided', 'Reviews'],
          ['/stuck', 'Overdue'],
          ['/audit', 'Audit log'],
          ['/timelines', 'Find any id'],
          [`/payouts/${payout}`, /^Payout of/],
          [`/payouts/${held}`, /^Payout of/],
          [`/destinations/${silent}`, /img src/],
          [`/accounts/${desk.owner.accountId}`, /img src/],
        ]
        for (const [path, name] of visited) {
          await go(page, path)
          await heading(page, name)
          await looked(page, `desk-${path.split(/[/?]/)[1]}-${path.includes('state') ? 'old-' : ''}${colorScheme}`)
        }
      }
      await visit(await desk.addReviewer(hostile), work, { viewport })
      await stack.sql(`update accounts set name = 'Demo Organization' where id = ?`, [desk.owner.accountId])
    })
  }
}

test('the queue is the start page: late reviews first, and each count is a filter', async () => {
  const [young, late] = [await waiting(1), await waiting(50)]
  const reviewer = await desk.addReviewer()
  await visit(
    reviewer,
    async (page) => {
      await heading(page, 'Reviews')
      assert.equal(page.url(), `${pages.base}/ops/queue`)
      const rows = await page.getByRole('row').allInnerTexts()
      const placeOf = (id: string) => rows.findIndex((row) => row.includes(id))
      assert.ok(placeOf(late) > 0 && placeOf(late) < placeOf(young))
      assert.match(rows[placeOf(late)] ?? '', /Late, escalates[\s\S]*Late/)
      const counts = page.getByRole('list', { name: 'Open reviews' })
      await counts.getByRole('link', { name: /^Late/ }).click()
      await rowOf(page, late).waitFor()
      assert.equal(await rowOf(page, young).count(), 0)
      assert.equal(await counts.locator('[aria-current]').innerText(), await counts.getByText(/^Late/).innerText())
      await rowOf(page, late).getByRole('button').click()
      await heading(page, 'Main account')
      await go(page, '/queue?claimed_by=me')
      await rowOf(page, late).waitFor()
      assert.equal(await page.getByRole('row').count(), 2, 'the header and the one that I have claimed')
      await go(page, '/queue?type=account')
      await page.getByText('Nothing to show.').waitFor()
    },
    { viewport: wide, script: false },
  )
})

test('a review is decided in two clicks plus the reason, without a script', async () => {
  const id = await desk.heldPayout(silent, '1200.00')
  const work = async (page: Page) => {
    await rowOf(page, id).getByRole('link').click()
    await type(page.locator('#decide-reason'), hostile.replaceAll('‮', ''))
    await press(page, 'Reject')
    await page.getByText('Decision saved.').waitFor()
  }
  await visit(await desk.addReviewer(), work, { viewport: wide, script: false })
  assert.equal((await stack.merchant.getPayout(id)).status, 'rejected')
})

test('the log tells who did what, to what and why; its cells narrow it and lead to the resource', async () => {
  const id = await desk.heldPayout(silent, '1300.00')
  const reviewer = await desk.addReviewer('Ada Obi')
  await visit(
    reviewer,
    async (page) => {
      await go(page, `/payouts/${id}`)
      await type(page.locator('#decide-reason'), 'The name is another.')
      await press(page, 'Reject')
      await page.getByText('Decision saved.').waitFor()
      await page.getByRole('link', { name: 'Who did what to it' }).click()
      await heading(page, 'Audit log')
      const row = rowOf(page, id)
      assert.match(await row.innerText(), /Ada Obi[\s\S]*Payout: rejected[\s\S]*The name is another\./)
      await row.getByRole('link', { name: 'Ada Obi' }).click()
      await page.getByRole('row').filter({ hasText: 'Login: succeeded' }).first().waitFor()
      assert.equal(await page.getByLabel('Resource').inputValue(), '')
      assert.equal(await page.getByRole('link', { name: /^ses_/ }).count(), 0, 'a login has no page')
      await page.getByLabel('Person').fill(reviewer.email)
      await page.getByLabel('Action').fill('payout.rejected')
      await page.getByLabel('From').fill('2000-01-01')
      await press(page, 'Show')
      await row.waitFor()
      assert.equal(await page.getByRole('row').count(), 2)
      await page.getByLabel('Until').fill('2000-01-02')
      await press(page, 'Show')
      await page.getByText('Nothing was done that fits.').waitFor()
      await go(page, '/audit?from=yesterday&user=%00&cursor=x.y')
      assert.match(await page.locator('main').innerText(), /That did not work|Nothing was done/)
      await go(page, `/audit?target=${id}`)
      await row.getByRole('link', { name: id }).click()
      await page.waitForURL(`${pages.base}/ops/payouts/${id}`)
    },
    { viewport: wide, script: false },
  )
})

test('1,000 entries of the log are read page by page', async () => {
  const accountId = newId('acct', Date.now())
  await stack.sql(
    `insert into audit_entries (account_id, action, target, address, at)
     select ?, 'test.done', 'pl_' || n, '192.0.2.1', now() from generate_series(1, 1000) n`,
    [accountId],
  )
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await go(page, `/audit?account_id=${accountId}`)
      await page.getByRole('table', { name: 'Audit log' }).waitFor()
      for (let at = 0; at < 3; at++) {
        await page.getByText(`pl_${1000 - at * 50}`, { exact: true }).waitFor()
        assert.equal(await page.getByRole('row').count(), 51)
        await page.getByRole('link', { name: 'Older' }).click()
      }
      await page.getByText('pl_850', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Newest' }).click()
      await page.getByText('pl_1000', { exact: true }).waitFor()
    },
    { viewport: wide, script: false },
  )
})

test('any id is found from every page: a customer, an event, a session, and a review by what it is about', async () => {
  const { checkout_id: checkout } = await stack.merchant.createCheckout()
  const destination = await waiting(2)
  const customer = await stack.merchant.call('POST', '/v1/customers', {
    email: 'secret@example.com',
    name: hostile.replaceAll('‮', ''),
  })
  const id = String(customer.body['customer_id'])
  const [event] = await stack.sql<{ id: string; resource_id: string }>('select id, resource_id from events limit 1')
  const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [destination])
  assert.ok(event && review)
  await visit(
    await desk.addReviewer(),
    async (page) => {
      const find = async (text: string) => {
        await type(page.getByRole('search').getByLabel('Find any id'), text)
        await press(page, 'Find')
      }
      await find(` ${id} `)
      await heading(page, 'Customer')
      const shown = await looked(page, 'found-customer')
      assert.match(shown, /Demo Organization, sandbox[\s\S]*No process works for it/)
      assert.doesNotMatch(shown, /secret@|onerror/, 'no personal data')
      await find(event.id)
      await heading(page, 'Event')
      await looked(page, 'found-event')
      await page.getByRole('link', { name: event.resource_id }).click()
      await page.waitForURL((url) => url.pathname.includes(event.resource_id))
      await find(review.id)
      await page.waitForURL(`${pages.base}/ops/destinations/${destination}`)
      await find(checkout)
      await heading(page, 'Checkout session')
      assert.match(
        await page.locator('main').innerText(),
        /Payment status\s+requires payment method[\s\S]*Waiting for the buyer/,
      )
      await looked(page, 'found-checkout')
    },
    { viewport: wide },
  )
})

test('by keyboard alone: the skip link leads to the content, and the queue opens a review', async () => {
  const id = await waiting(60)
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await go(page, '/queue?late=true')
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
      await page.keyboard.press('Enter')
      for (let tabs = 0; tabs < 80; tabs++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate(`(document.activeElement.href ?? '').endsWith('${id}')`)) break
      }
      await page.keyboard.press('Enter')
      await page.waitForURL(`${pages.base}/ops/destinations/${id}`)
    },
    { viewport: wide },
  )
})

test('a person of an organization sees no page of the desk, whatever the role', async () => {
  for (const role of ['viewer', 'owner'] as const) {
    await visit(await desk.logins.addPerson({ role }), async (page) => {
      for (const path of ['/queue', '/stuck', '/audit', `/timelines/${silent}`, `/timelines?id=${silent}`]) {
        const answer = await go(page, path)
        assert.equal(answer?.status(), 403, path)
        assert.doesNotMatch((await answer?.text()) ?? '', /Marked Holder|onerror|acct_/)
      }
    })
  }
})

test('two members of staff at one review: the claim of one stops the other, who reads why', async () => {
  const id = await waiting(3)
  const [ada, ben] = [await desk.addReviewer('Ada Obi'), await desk.addReviewer('Ben Okoro')]
  await visit(ada, (first) =>
    visit(ben, async (second) => {
      for (const page of [first, second]) await go(page, '/queue')
      await rowOf(first, id).getByRole('button').click()
      await heading(first, 'Main account')
      await rowOf(second, id).getByRole('button').click()
      await heading(second, 'Reviews')
      assert.match(await rowOf(second, id).innerText(), /Claimed by\s+Ada Obi/)
      await rowOf(second, id).getByRole('link').click()
      await press(second, 'Approve')
      await second.getByText('Not saved: someone else has decided or claimed it').waitFor()
      await press(first, 'Approve')
      await first.getByText('Decision saved.').waitFor()
    }),
  )
})

test('a claim that has ended is shown as none, in the queue and on the page, which offers to claim again', async () => {
  const id = await waiting(3)
  const [ada, ben] = [await desk.addReviewer('Ada Obi'), await desk.addReviewer('Ben Okoro')]
  await visit(ada, async (page) => {
    await go(page, '/queue')
    await rowOf(page, id).getByRole('button').click()
    await heading(page, 'Main account')
    assert.match(await page.getByRole('main').innerText(), /Claimed\s+By Ada Obi/)
    assert.equal(await page.getByRole('button', { name: 'Claim' }).count(), 0)
  })
  await stack.sql(`update reviews set claimed_at = claimed_at - interval '61 minutes' where resource_id = ?`, [id])
  await visit(ben, async (page) => {
    await go(page, '/queue')
    assert.match(await rowOf(page, id).innerText(), /Claimed by\s+Nobody/)
    await go(page, `/destinations/${id}`)
    assert.match(await page.getByRole('main').innerText(), /Claimed\s+No/)
    await press(page, 'Claim')
    await page.getByText(/^\s*By Ben Okoro/).waitFor()
  })
})

for (const [viewport, script] of [
  [smallPhone, true],
  [phone, false],
] as const) {
  test(`on a phone the links of the desk are in a menu, ${viewport.width} wide, script ${script}`, async () => {
    const reviewer = await desk.addReviewer(`${hostile.slice(0, 60)} ${unbroken}`)
    const work = async (page: Page) => {
      await heading(page, 'Reviews')
      await page.waitForLoadState() // before its styles have come, a page shows what a desktop hides
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
      assert.equal(await links.count(), 0, 'the menu is closed')
      const bar = await page.getByRole('banner').boundingBox()
      assert.ok(bar && bar.height <= 120, `a bar of ${bar?.height} pixels: the brand, and the field below it`)
      await page.getByText('Menu', { exact: true }).press('Enter')
      const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()))
      assert.equal(boxes.length, 5)
      for (const [index, box] of boxes.entries()) {
        assert.ok(box && box.height >= 40 && box.height < 50, `a link of ${box?.height} pixels is one line`)
        assert.ok(index === 0 || box.y >= (boxes[index - 1]?.y ?? 0) + 40, 'the links are below each other')
      }
      await looked(page, 'desk-menu')
      assert.equal(await links.and(page.locator('[aria-current=page]')).innerText(), 'Reviews')
      assert.match(await page.getByRole('banner').innerText(), /<img src=x[\s\S]*Sign out/)
      await links.filter({ hasText: 'Audit log' }).click()
      await heading(page, 'Audit log')
      await openMenu(page)
      await press(page, 'Sign out')
      await page.getByText('You are signed out.').waitFor()
    }
    await visit(reviewer, work, { viewport, script })
  })
}

test('a page that does not exist and one of another role have the bar of the desk, also on a phone', async () => {
  await visit(await desk.addReviewer(), async (page) => {
    await go(page, '/nothing')
    await heading(page, 'This page does not exist')
    await openMenu(page)
    await looked(page, 'desk-missing')
    await page.getByRole('link', { name: 'Overdue', exact: true }).click()
    await heading(page, 'Overdue')
  })
  await visit(await desk.logins.addPerson({ role: 'owner' }), async (page) => {
    await heading(page, 'That did not work')
    await looked(page, 'desk-refused')
    await openMenu(page)
    await press(page, 'Sign out')
    await page.getByText('You are signed out.').waitFor()
  })
})
