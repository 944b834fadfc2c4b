import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
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

async function newMerchant() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  return { accountId, ...withEndpoints(merchant) }
}
const person = (accountId: string, role: 'owner' | 'developer' = 'developer') => logins.addPerson({ role, accountId })
const mainOf = (page: Page) => page.locator('main').innerText()

/** An event of so many hours ago that was not delivered then. Events are frozen, so it takes the place of a new one. */
async function missedAgo(hours: number, happen: () => Promise<string>): Promise<string> {
  const id = await happen()
  const at = hoursAgo(hours)
  const past = newId('evt', at.getTime())
  await stack.sql(
    `with gone as (delete from events where id = ? returning *)
     insert into events (id, account_id, environment, type, resource_id, body, created_at)
     select ?, account_id, environment, type, resource_id, replace(body, id, ?), ? from gone`,
    [id, past, past, at],
  )
  await stack.sql('update deliveries set event_id = ?, created_at = ? where event_id = ?', [past, at, id])
  return past
}

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

test('what an endpoint missed is recovered with the form as it is proposed, after it was tried out', async () => {
  const { accountId, add, happen, ended } = await newMerchant()
  const id = await add({ url: receiver.url, enabled: false })
  const missed: string[] = []
  for (const hours of [97, 48, 1]) missed.push(await missedAgo(hours, happen))
  const off = { disabledAt: hoursAgo(24), disabledReason: 'consecutive_failures' as const }
  await changeEndpoint(stack, id, { failingSince: hoursAgo(96), ...off })
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/${id}`)
      await press(page, 'Switch on')
      await page.getByText('Endpoint switched on.').waitFor()
      await press(page, 'Send test event')
      await heading(page, 'collection.succeeded')
      await ended(id)
      await page.goto(`${folder}/${id}/edit`)
      await page.getByLabel('Description').fill('Repaired')
      await press(page, 'Save')
      await page.getByText('Endpoint saved.').waitFor()
      await page.getByRole('link', { name: 'Recover…' }).click()
      await heading(page, 'Recover missed events')
      receiver.received.length = 0
      await press(page, 'Send them again')
      await heading(page, 'Recovery')
      await completed(page)
      await ended(id)
      assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), missed.toSorted())
    },
    { viewport: desktop, site },
  )
})

test('the proposed beginning of a recovery is a day ago, or the first event that the endpoint has missed', async () => {
  const { accountId, add, change, happen } = await newMerchant()
  const id = await add({ url: receiver.url, enabled: false })
  await visit(
    await person(accountId),
    async (page) => {
      for (const [hours, proposed] of [
        [1, 24],
        [30, 30],
        [24 * 90 - 2, 24 * 90 - 2],
      ] as const) {
        await change(id, { enabled: false })
        await missedAgo(hours, happen)
        await change(id, { enabled: true })
        await page.goto(`${folder}/${id}/recover`)
        const since = await page.getByLabel('From').inputValue()
        assert.ok(Math.abs(hoursAgo(proposed).getTime() - Date.parse(`${since}Z`)) < 180_000, `${hours}: ${since}`)
      }
      await press(page, 'Send them again')
      await heading(page, 'Recovery')
    },
    { viewport: phone, site },
  )
})
