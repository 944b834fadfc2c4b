import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { type Json, withEndpoints } from '../support/endpoints.ts'
import { desktop, heading, looked, phone, press, useDesk } from '../support/review-desk.ts'
import { changeEndpoint } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useReceiverForEachTest } from '../support/use-stack.ts'

// What an endpoint has missed, as people of a merchant have it sent again in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const receiver = useReceiverForEachTest()
const site = '/dashboard' as const
const folder = `${pages.base}/dashboard/webhooks`
const ours = { 'sec-fetch-site': 'same-origin' }
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const switchOnForm = `new URLSearchParams(new FormData(document.querySelector('[action$="/on"]'))).toString()`

async function newMerchant() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  return { accountId, ...withEndpoints(merchant) }
}
const person = (accountId: string, role: 'owner' | 'developer' = 'developer') => logins.addPerson({ role, accountId })
const mainOf = (page: Page) => page.locator('main').innerText()

/** Waits until the recovery on this page has ended. */
const completed = (page: Page) =>
  until(async () => {
    await page.reload()
    return (await mainOf(page)).includes('Completed')
  }, 'it is completed')

test('what an endpoint missed while it was off is recovered once, and a page says how far that is', async () => {
  const { accountId, add, change, happen, ended } = await newMerchant()
  const id = await add({ url: receiver.url, enabled: false })
  const missed = [await happen('refund.paid'), await happen('payout.paid')]
  await change(id, { enabled: true })
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/${id}`)
      await page.getByRole('link', { name: 'Recover…' }).click()
      await heading(page, 'Recover missed events')
      await looked(page, 'webhook-recover')
      const since = await page.getByLabel('From').inputValue()
      assert.ok(Math.abs(Date.now() - 86_400_000 - Date.parse(`${since}Z`)) < 180_000, since)
      const key = await page.locator('[name="form_key"]').inputValue()
      const send = (form: Record<string, string>) =>
        page.request.post(`${folder}/${id}/recover`, { headers: ours, form, maxRedirects: 0 })
      for (const [from, to] of [
        ['', ''],
        ['soon', ''],
        ['2026-02-31T99:00', ''],
        ['2020-01-01T00:00', ''],
        [since, 'never'],
        ['2999-01-01T00:00', ''],
      ] as const) {
        const answer = await send({ since: from, until: to })
        assert.ok([400, 422].includes(answer.status()), from)
        assert.match(await answer.text(), /id="(since|until)-error"/, from)
      }
      assert.equal(receiver.received.length, 0)
      const answers = await Promise.all([
        send({ form_key: key, since, until: '' }),
        send({ form_key: key, since, until: '' }),
      ])
      assert.equal(answers[0]?.headers()['location'], answers[1]?.headers()['location'])
      await press(page, 'Send them again')
      await heading(page, 'Recovery')
      await ended(id)
      await completed(page)
      const done = await looked(page, 'webhook-recovery')
      assert.match(done, /All events of this time that it had missed[\s\S]*Deliveries begun\s+2/)
      assert.match(done, /unless the endpoint was switched off or deleted meanwhile/)
      assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), missed.toSorted())
      await page.getByRole('link', { name: 'Deliveries' }).click()
      await heading(page, 'Deliveries')
      assert.match(await mainOf(page), /Recovery/)
    },
    { viewport: phone, site },
  )
  const [row] = await stack.sql<Json>('select id from webhook_recoveries where endpoint_id = ?', [id])
  await visit(
    await person(await withApi(stack).addAccount(), 'owner'),
    async (page) => {
      const answer = await page.request.get(`${folder}/recoveries/${String(row?.['id'])}`)
      assert.equal(answer.status(), 404)
    },
    { viewport: phone, site },
  )
})

test('what an endpoint missed in days of failures is recovered with the form as it is proposed', async () => {
  const { accountId, add, happen, ended } = await newMerchant()
  const id = await add({ url: receiver.url, enabled: false })
  const missed: string[] = []
  for (const hours of [97, 48, 1]) {
    missed.push(await happen())
    await stack.sql('update events set created_at = ? where id = ?', [hoursAgo(hours), missed.at(-1)])
  }
  const off = { disabledAt: hoursAgo(24), disabledReason: 'consecutive_failures' as const }
  await changeEndpoint(stack, id, { failingSince: hoursAgo(96), ...off })
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/${id}`)
      const form = Object.fromEntries(new URLSearchParams(await page.evaluate<string>(switchOnForm)))
      await page.request.post(`${folder}/${id}/on`, { headers: ours, form, maxRedirects: 0 })
      await press(page, 'Switch on') // a second press
      await page.getByText('Endpoint switched on.').waitFor()
      await page.getByRole('link', { name: 'Recover…' }).click()
      await heading(page, 'Recover missed events')
      await press(page, 'Send them again')
      await heading(page, 'Recovery')
      await completed(page)
      await ended(id)
      assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), missed.toSorted())
    },
    { viewport: desktop, site },
  )
})

test('the proposed beginning of a recovery is before all that the endpoint can have missed', async () => {
  const { accountId, add } = await newMerchant()
  const id = await add({ url: receiver.url })
  await visit(
    await person(accountId),
    async (page) => {
      async function assertProposed(hours: number) {
        const since = await page.getByLabel('From').inputValue()
        assert.ok(Math.abs(hoursAgo(hours).getTime() - Date.parse(`${since}Z`)) < 180_000, `${hours}: ${since}`)
      }
      for (const [failing, proposed] of [
        [30, 32],
        [1, 24],
      ] as const) {
        await changeEndpoint(stack, id, { failingSince: hoursAgo(failing) })
        await page.goto(`${folder}/${id}/recover`)
        await assertProposed(proposed) // the first failure may be the last attempt of an event so much older
      }
      for (const [off, proposed] of [
        [72, 74],
        [24 * 100, 24 * 90 - 1],
      ] as const) {
        await changeEndpoint(stack, id, { enabled: false, disabledAt: hoursAgo(off), failingSince: null })
        await page.goto(`${folder}/${id}`)
        await press(page, 'Switch on')
        await page.getByRole('link', { name: 'Recover…' }).click()
        await assertProposed(proposed)
      }
      await press(page, 'Send them again')
      await heading(page, 'Recovery')
      for (const wrong of ['soon', '1', '2999-01-01T00:00:00Z', '', '&missed_since=x']) {
        await page.goto(`${folder}/${id}/recover?missed_since=${wrong}`)
        await assertProposed(24)
      }
    },
    { viewport: phone, site },
  )
})
