import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { addDestination } from '../support/payout.ts'
import { getSchedule, setSchedule } from '../support/payout-schedule.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { changeDestination } from '../support/rows.ts'

// When balances are paid out by themselves: people of a merchant read and set it in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `"><script>alert(1)</script>${'w'.repeat(60)}`
const headers = { 'sec-fetch-site': 'same-origin' }
const address = `${pages.base}/dashboard/schedule`

async function addOrganization() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  const to = await addDestination(stack, { accountId, environment: 'sandbox' })
  await changeDestination(stack, to, { name: hostile, isDefault: true })
  const payee = { merchant, accountId }
  const person = (role: 'owner' | 'admin' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
  return { payee, person }
}

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`an admin sets a weekly, a monthly and no schedule, ${viewport.width} wide, script ${script}`, async () => {
    const { payee, person } = await addOrganization()
    await visit(
      await person('admin'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await heading(page, 'Home')
        await choose(page, 'Schedule')
        await heading(page, 'Payout schedule')
        const none = await looked(page, `schedules-none-${colorScheme}`)
        assert.ok(none.includes(hostile), 'the name of the default destination is text')
        await page.getByRole('link', { name: 'NGN', exact: true }).click()
        await heading(page, 'Pay out NGN')
        await page.getByLabel('On days of the week').check()
        await press(page, 'Save')
        assert.equal(await page.locator('#weekly-error').innerText(), 'Choose at least one day.')
        await page.getByLabel('Monday').check()
        await page.getByLabel('Thursday').check()
        await page.getByLabel('Hour (UTC)').selectOption('9')
        await type(page.getByLabel('Minimum in NGN'), '5,000')
        await press(page, 'Save')
        await page.locator('#minimum-error').waitFor()
        await looked(page, `schedule-wrong-${colorScheme}`)
        assert.equal(await page.getByLabel('Minimum in NGN').inputValue(), '5,000')
        assert.ok(await page.getByLabel('Thursday').isChecked())
        assert.equal(await page.getByLabel('Hour (UTC)').inputValue(), '9')
        await type(page.getByLabel('Minimum in NGN'), '5000.001')
        await press(page, 'Save')
        assert.equal(await page.locator('#minimum-error').innerText(), 'NGN has 2 decimal places.')
        await type(page.getByLabel('Minimum in NGN'), '₦5 000,00')
        await press(page, 'Save')
        await page.getByText('The schedule is saved.').waitFor()
        const shown = await looked(page, `schedules-${colorScheme}`)
        assert.match(shown, /NGN\s+(When\s+)?Monday, Thursday, at 09:00 UTC\s+[\s\S]*NGN\s5,000\.00/)
        const weekly = await getSchedule(payee, 'NGN')
        assert.deepEqual(weekly['weekly_payout_days'], ['monday', 'thursday'])
        assert.deepEqual([weekly['anchor_hour_utc'], weekly['minimum_amount']], [9, '5000.00'])
        await page.goto(`${address}/NGN`)
        await page.getByLabel('On days of the month').check()
        for (const wrong of ['0', '32', '1; 15', 'first', '1.5', '-1', '']) {
          await page.getByLabel('Days of the month', { exact: true }).fill(wrong)
          await press(page, 'Save')
          const told = await page.locator('#monthly-error').innerText()
          assert.equal(told, 'Enter days from 1 to 31, such as 1, 15.', wrong)
        }
        await page.getByLabel('Days of the month', { exact: true }).fill('31, 1 15')
        await press(page, 'Save')
        await page.getByText('Each month on day 1, 15, 31, at 09:00 UTC').waitFor()
        assert.equal((await getSchedule(payee, 'NGN'))['interval'], 'monthly')
        await page.goto(`${address}/NGN`)
        await page.getByLabel('By hand').check()
        await press(page, 'Save')
        await page.getByText('The schedule is saved.').waitFor()
        assert.equal((await getSchedule(payee, 'NGN'))['next_run_at'], null)
      },
      { viewport, script, site },
    )
  })
}

test('a schedule that has stopped says why; other schedules stay as they are when one is set', async () => {
  const { payee, person } = await addOrganization()
  await setSchedule(payee, 'KES', { interval: 'daily', anchor_hour_utc: 5 })
  await setSchedule(payee, 'NGN', { interval: 'daily' })
  await stack.sql(
    `update payout_schedules set disabled_reason = 'no_default_destination', next_run_at = null
     where account_id = ? and currency = 'NGN'`,
    [payee.accountId],
  )
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(address)
      const shown = await looked(page, 'schedules-stopped')
      assert.match(shown, /The schedule of NGN has stopped: no destination of this currency is the default\./)
      await page.getByRole('link', { name: 'NGN', exact: true }).click()
      await press(page, 'Save')
      await page.getByText('The schedule is saved.').waitFor()
      assert.doesNotMatch(await page.locator('main').innerText(), /has stopped/)
      assert.equal((await getSchedule(payee, 'NGN'))['disabled_reason'], null)
      assert.equal((await getSchedule(payee, 'KES'))['anchor_hour_utc'], 5)
    },
    { viewport: phone, site },
  )
})

test('a viewer and a developer read schedules; they, other sites and unknown currencies set none', async () => {
  const { payee, person } = await addOrganization()
  await setSchedule(payee, 'NGN', { interval: 'daily', anchor_hour_utc: 5 })
  const form = { interval: 'manual', hour: '0', monthly: '', minimum: '' }
  for (const role of ['viewer', 'developer'] as const) {
    await visit(
      await person(role),
      async (page) => {
        await page.goto(address)
        await page.getByText('Every day, at 05:00 UTC').waitFor()
        assert.equal(await page.getByRole('link', { name: 'NGN', exact: true }).count(), 0)
        assert.equal((await page.goto(`${address}/NGN`))?.status(), 403)
        assert.equal((await page.request.post(`${address}/NGN`, { headers, form })).status(), 403)
      },
      { viewport: phone, site },
    )
  }
  await visit(
    await person('owner'),
    async (page) => {
      for (const currency of ['ZMW', 'ngn', 'USDT_TRC20', '__proto__', 'x'.repeat(200)]) {
        assert.equal((await page.goto(`${address}/${currency}`))?.status(), 404, currency)
        assert.equal((await page.request.post(`${address}/${currency}`, { headers, form })).status(), 404, currency)
      }
      const foreign = { 'sec-fetch-site': 'cross-site' }
      assert.equal((await page.request.post(`${address}/NGN`, { headers: foreign, form })).status(), 403)
      const forged = { ...form, interval: 'hourly', hour: '25' }
      assert.equal((await page.request.post(`${address}/NGN`, { headers, form: forged })).status(), 422)
    },
    { viewport: desktop, site },
  )
  for (const path of ['', '/NGN'])
    assert.equal((await fetch(`${address}${path}`, { redirect: 'manual' })).status, 303, path)
  assert.equal((await getSchedule(payee, 'NGN'))['anchor_hour_utc'], 5)
})

test('a default destination that is older than the newest hundred is named', async () => {
  const { payee, person } = await addOrganization()
  const owner = { accountId: payee.accountId, environment: 'sandbox' as const }
  for (let number = 1; number <= 100; number++) {
    await addDestination(stack, owner, { type: 'mobile_money', currency: 'KES', ends: String(1000 + number) })
  }
  await visit(
    await person('viewer'),
    async (page) => {
      await page.goto(address)
      await heading(page, 'Payout schedule')
      assert.ok((await page.locator('main').innerText()).includes(hostile))
    },
    { viewport: desktop, site },
  )
})
