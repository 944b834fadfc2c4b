import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { choose, openMenu } from '../support/dashboard.ts'
import { sale } from '../support/merchant.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { changeAccount } from '../support/rows.ts'
import { beginOnClock } from '../support/test-clock.ts'

// Test clocks as developers make, advance and delete them in a browser, and the banner while one is ahead.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const api = withApi(stack)
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `<img src=x> "Trial" & 'Ende' ${'w'.repeat(60)}`
const ownSite = { 'sec-fetch-site': 'same-origin' }
const list = `${pages.base}/dashboard/test-clocks`
const banner = (page: Page) => page.getByText('is ahead of the real time')
const clocksOf = (accountId: string) =>
  stack.sql<{ id: string; frozen_time: string }>('select id, frozen_time from test_clocks where account_id = ?', [
    accountId,
  ])

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a developer lets a session expire on a clock, ${viewport.width} wide, script ${script}`, async () => {
    const { merchant, accountId } = await api.addMerchant()
    const session = await merchant.createCheckout(sale)
    await visit(
      await logins.addPerson({ role: 'developer', accountId }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Test clocks')
        await heading(page, 'Test clocks')
        await page.getByText('No test clocks yet.').waitFor()
        await type(page.getByLabel('Name'), hostile)
        await looked(page, `clocks-${colorScheme}`)
        await press(page, 'Create clock')
        await heading(page, hostile)
        await page.getByRole('status').getByText('The clock stands still.').waitFor()
        assert.equal(await banner(page).count(), 0, 'it is not ahead yet')
        await type(page.getByLabel('Their ids'), `${session.checkout_id}\nchk_of_nobody`)
        await press(page, 'Attach')
        await page.getByRole('alert').getByText('no such checkout_id: chk_of_nobody').waitFor()
        assert.match(await page.getByLabel('Their ids').inputValue(), /\nchk_of_nobody$/, 'what was typed is kept')
        await type(page.getByLabel('Their ids'), session.checkout_id)
        await press(page, 'Attach')
        await page.getByRole('status').getByText('Attached.').waitFor()
        await looked(page, `clock-${colorScheme}`)
        await page.getByLabel('By', { exact: true }).selectOption('1 week')
        await press(page, 'Advance by this time')
        await page.getByText('The clock is now at').waitFor()
        const shown = await looked(page, `clock-advanced-${colorScheme}`)
        assert.match(shown, new RegExp(`${session.checkout_id}[\\s\\S]*Checkout session[\\s\\S]*Expired`))
        assert.equal((await merchant.getCheckout(session.checkout_id)).status, 'expired')
        await page.reload()
        await page.getByText('Expired').first().waitFor()
        const [clock] = await clocksOf(accountId)
        const ahead = new Date(clock?.frozen_time ?? 0).getTime() - Date.now()
        assert.ok(ahead < 7 * 86_400_000, 'a reload does not advance it again')
        await page.getByRole('link', { name: session.checkout_id }).click()
        await heading(page, /./)
        await choose(page, 'Payments')
        await banner(page).waitFor()
        await looked(page, `ahead-${colorScheme}`)
        await page.getByRole('link', { name: hostile }).click()
        await page.getByRole('link', { name: 'Delete this clock…' }).click()
        await heading(page, `Delete ${hostile}?`)
        await looked(page, 'clock-delete')
        assert.equal((await clocksOf(accountId)).length, 1)
        await press(page, 'Delete the clock')
        await page.getByRole('status').getByText('The clock is deleted.').waitFor()
        assert.equal(await banner(page).count(), 0)
        assert.deepEqual(await clocksOf(accountId), [])
      },
      { viewport, script, site },
    )
  })
}

test('what is wrong is said beside what was typed, and two presses make one clock', async () => {
  const { accountId, clock } = await beginOnClock(api, { frozen_time: '2030-01-01T00:00:00Z' })
  const path = `${list}/${clock.clock_id}`
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await page.goto(list)
      const send = (address: string, form: Record<string, string>, headers = ownSite) =>
        page.request.post(address, { headers, form })
      const create = { form_key: 'the same', name: 'Twice', frozen_time: '2031-01-31T12:30' }
      for (const time of ['first', 'second']) assert.equal((await send(list, create)).status(), 200, time)
      assert.equal((await clocksOf(accountId)).length, 2)
      const unnamed = await send(list, { name: ' ', frozen_time: 'soon' })
      assert.equal(unnamed.status(), 400)
      assert.match(await unnamed.text(), /Give the clock a name[\s\S]*Enter a day and a time in UTC/)
      await page.goto(path)
      await page.getByLabel('Or to a moment, in UTC').fill('2029-12-31T00:00')
      await press(page, 'Advance to this moment')
      await page.getByRole('alert').getByText('the clock can only be advanced').waitFor()
      assert.equal(await page.getByLabel('Or to a moment, in UTC').inputValue(), '2029-12-31T00:00')
      await page.getByLabel('Or to a moment, in UTC').fill('2030-02-28T06:00')
      await press(page, 'Advance to this moment')
      await page.getByText('Nothing was due.').waitFor()
      assert.match(await page.locator('main').innerText(), /28 Feb(ruary)? 2030|Feb 28, 2030/)
      const none = await send(`${path}/attach`, { kind: 'customer_id', ids: ' , ' })
      assert.equal(none.status(), 400)
      assert.match(await none.text(), /Enter at least one id/)
      assert.equal((await send(`${path}/advance`, { by: 'P9Z' })).status(), 400)
    },
    { viewport: desktop, site },
  )
})

test('while somebody else advances it, the page says so and neither attaches nor deletes', async () => {
  const { accountId, clock } = await beginOnClock(api)
  await visit(
    await logins.addPerson({ role: 'admin', accountId }),
    async (page) => {
      const path = `${list}/${clock.clock_id}`
      await page.goto(path)
      await stack.sql(`update test_clocks set target = '2090-01-01' where id = ?`, [clock.clock_id])
      await type(page.getByLabel('Their ids'), 'chk_1')
      await press(page, 'Attach')
      await page.getByRole('alert').getByText('the clock is advancing to 2090-01-01').waitFor()
      await page.getByText('Advancing to 1 January 2090').waitFor()
      assert.equal(await page.locator('main form').count(), 0)
      await looked(page, 'clock-advancing')
      const refused = await page.request.post(`${path}/delete`, { headers: ownSite, form: { step: 'send' } })
      assert.equal(refused.status(), 409)
      await page.goto(list)
      await page.getByText('Advancing').waitFor()
      await stack.sql('update test_clocks set target = null where id = ?', [clock.clock_id])
    },
    { viewport: phone, site },
  )
})

test('an advance that takes longer is shown once it has come to its end, and is made once', async () => {
  const { accountId, clock, merchant } = await beginOnClock(api, { frozen_time: '2030-01-01T00:00:00Z' })
  const path = `${list}/${clock.clock_id}`
  await visit(
    await logins.addPerson({ role: 'developer', accountId }),
    async (page) => {
      await page.goto(path)
      const key = (await page.locator('input[name=form_key]').first().getAttribute('value')) ?? ''
      const to = `/v1/test-helpers/clocks/${clock.clock_id}/advance`
      const running = (seconds: number) =>
        stack.sql(
          `update idempotency_records set status = null, running_until = now() + ? * interval '1 second'
           where id = (select id from idempotency_records order by expires_at desc limit 1)`,
          [seconds],
        )
      assert.equal((await merchant.call('POST', to, { by: 'P1D' }, { 'idempotency-key': key })).status, 200)
      await running(3_600)
      await press(page, 'Advance by this time')
      await page.getByText('This takes longer than usual').waitFor()
      await looked(page, 'clock-on-its-way')
      await stack.sql('update idempotency_records set status = 200, running_until = null where status is null')
      await press(page, 'Look again')
      await page.getByText('The clock is now at').waitFor()
      const [row] = await clocksOf(accountId)
      assert.equal(new Date(row?.frozen_time ?? 0).toISOString(), '2030-01-02T00:00:00.000Z')
      const reused = await page.request.post(`${path}/advance`, {
        headers: ownSite,
        form: { form_key: key, by: 'P1W' },
      })
      assert.equal(reused.status(), 409)
      assert.match(await reused.text(), /This form was sent before, with other values/)
    },
    { viewport: phone, site },
  )
})

test('a viewer sees the banner and no clock, other organizations and sites reach none', async () => {
  const { accountId, clock } = await beginOnClock(api, { frozen_time: '2090-01-01T00:00:00Z' })
  const path = `${list}/${clock.clock_id}`
  const posts = ['', '/attach', '/advance', '/delete']
  const send = async (page: Page, headers: Record<string, string>) => {
    const form = { by: 'P1D', kind: 'account_id', ids: accountId }
    const statuses = await Promise.all(
      posts.map(async (at) =>
        (await page.request.post(at === '' ? list : path + at, { headers, form: { ...form, name: 'X' } })).status(),
      ),
    )
    return statuses
  }
  await visit(
    await logins.addPerson({ role: 'viewer', accountId }),
    async (page) => {
      await heading(page, 'Home')
      await banner(page).waitFor()
      assert.equal(await page.getByRole('link', { name: 'A clock' }).count(), 0)
      await looked(page, 'ahead-viewer')
      for (const address of [list, path, `${path}/delete`])
        assert.equal((await page.goto(address))?.status(), 403, address)
      assert.deepEqual(await send(page, ownSite), [403, 403, 403, 403])
    },
    { viewport: phone, site },
  )
  const stranger = await api.addAccount()
  await visit(
    await logins.addPerson({ role: 'owner', accountId: stranger }),
    async (page) => {
      await heading(page, 'Home')
      assert.equal(await banner(page).count(), 0)
      for (const address of [path, `${path}/delete`, `${list}/${newId('clk', 0)}`, `${list}/x`])
        assert.equal((await page.goto(address))?.status(), 404, address)
      const [made, ...others] = await send(page, ownSite)
      assert.deepEqual([made, others], [200, [404, 404, 404]])
    },
    { viewport: phone, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await heading(page, 'Home')
      assert.deepEqual(await send(page, { 'sec-fetch-site': 'cross-site' }), [403, 403, 403, 403])
    },
    { viewport: desktop, site },
  )
  const [row] = await clocksOf(accountId)
  assert.equal(new Date(row?.frozen_time ?? 0).toISOString(), '2090-01-01T00:00:00.000Z')
})

test('in live there is no clock, no banner and no link to them', async () => {
  const { accountId, clock } = await beginOnClock(api, { frozen_time: '2090-01-01T00:00:00Z' })
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await heading(page, 'Home')
      await openMenu(page)
      assert.equal(await page.getByRole('link', { name: 'Test clocks' }).count(), 0)
      assert.equal(await banner(page).count(), 0)
      await page.goto(`${list}/${clock.clock_id}`)
      await page.getByText('Test clocks exist in test mode only.').waitFor()
      await looked(page, 'clocks-live')
      await page.locator('main').getByRole('button', { name: 'Switch to test mode' }).click()
      await banner(page).waitFor()
      await choose(page, 'Test clocks')
      await page.getByRole('table').getByRole('link', { name: 'A clock' }).waitFor()
    },
    { viewport: desktop, site },
  )
})
