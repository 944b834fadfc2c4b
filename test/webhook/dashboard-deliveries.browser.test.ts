import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { taken, withEndpoints } from '../support/endpoints.ts'
import { desktop, heading, looked, phone, press, useDesk } from '../support/review-desk.ts'
import { useReceiverForEachTest } from '../support/use-stack.ts'
import { until } from '../support/until.ts'

// Deliveries of webhooks as people of a merchant read them and send them again in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const receiver = useReceiverForEachTest()
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const folder = `${pages.base}/dashboard/webhooks`
const ours = { 'sec-fetch-site': 'same-origin' }
const hostile = `</pre><script>alert(1)</script>&lt;\u202e\u0007${'w'.repeat(3_000)}`

async function newMerchant() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  return { merchant, accountId, ...withEndpoints(merchant) }
}
type Role = 'owner' | 'admin' | 'developer' | 'viewer'
const person = (accountId: string, role: Role = 'developer') => logins.addPerson({ role, accountId })
const mainOf = (page: Page) => page.locator('main').innerText()

/** A delivery that has failed once and waits for its second attempt, for as long as its receiver has asked for. */
async function newWaiting() {
  const merchant = await newMerchant()
  receiver.answers([429])
  receiver.says(hostile)
  const endpoint = await merchant.add({ url: `${receiver.url}/${'long-'.repeat(40)}` })
  const event = await merchant.happen('refund.paid')
  const attempted = async () => (await merchant.deliveries(endpoint))[0]?.attempts.length === 1
  await until(attempted, 'the first attempt has failed')
  const [delivery] = await merchant.deliveries(endpoint)
  assert.ok(delivery)
  const attemptNow = () => stack.client.workflow.getHandle(`delivery/${delivery.delivery_id}`).signal('attemptNow')
  return { ...merchant, endpoint, event, delivery, id: delivery.delivery_id, attemptNow }
}

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer reads what became of a delivery and until when it is tried, ${viewport.width} wide`, async () => {
    const { accountId, endpoint, event, id, delivery, happen, ended, attemptNow } = await newWaiting()
    await visit(
      await person(accountId, 'viewer'),
      async (page) => {
        const look = (name: string) => looked(page, `${name}-${colorScheme}`)
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Webhooks')
        await page.getByRole('link', { name: /^http:/ }).click()
        await heading(page, /^http:/)
        assert.match(await look('webhook-deliveries'), /Newest deliveries[\s\S]*refund\.paid[\s\S]*1 of 5/)
        await page.getByRole('link', { name: 'All deliveries' }).click()
        await heading(page, 'Deliveries')
        assert.match(await look('deliveries'), /refund\.paid\s+Waiting[\s\S]*The event itself[\s\S]*1 of 5: 429/)
        await page.getByLabel('Status').selectOption('failed')
        await press(page, 'Show')
        await page.getByText('No delivery matches.').waitFor()
        await page.getByRole('link', { name: 'Show all' }).click()
        await page.getByLabel('Status').selectOption('pending')
        await page.getByLabel('Event').selectOption('refund.paid')
        await press(page, 'Show')
        await page.getByRole('link', { name: 'refund.paid', exact: true }).click()
        await heading(page, 'refund.paid')
        const shown = await look('delivery-waiting')
        assert.match(shown, /Waiting\s+Attempt 2 of 5: [\s\S]*If all of them fail, the last one is made at about/)
        assert.match(shown, /Attempt 1[\s\S]*Answered 429[\s\S]*did not answer with a 2xx status[\s\S]*</)
        const answer = page.getByRole('region', { name: 'Answer to attempt 1' })
        const text = await answer.innerText()
        assert.ok(text.startsWith('</pre><script>alert(1)</script>&lt;\uFFFD\uFFFDwww'), text.slice(0, 60))
        assert.ok(text.length <= 2_048, 'the answer is cut')
        const sent = await page.getByRole('region', { name: 'What is sent' }).innerText()
        assert.equal(JSON.parse(sent).id, event)
        assert.match(sent, /^\{\n {2}"id": "evt_/)
        const times = await page
          .locator('.due time')
          .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))
        const [next = '', last = ''] = times.map(String)
        assert.equal(next, delivery.next_attempt_at)
        assert.equal(Date.parse(last) - Date.parse(next), (300 + 900 + 3_600) * 1_000)
        assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0, 'a viewer sends nothing')
        const post = await page.request.post(`${folder}/deliveries/${id}/resend`, { headers: ours, form: { a: '1' } })
        assert.equal(post.status(), 403)
        await attemptNow()
        await ended(endpoint)
        await page.reload()
        const done = await look('delivery-done')
        assert.match(done, /Delivered[\s\S]*Attempts\s+2 of 5[\s\S]*Nothing more is expected\.[\s\S]*Answered 200/)
        assert.doesNotMatch(done, /If all of them fail/)
        await page.goto(`${pages.base}/dashboard/timelines?id=${id}`)
        await page.waitForURL(`${folder}/deliveries/${id}`)
        await page.goto(`${folder}/${endpoint}/deliveries?status=nonsense&type=x&cursor=y`)
        await page.waitForURL(`${folder}/${endpoint}/deliveries`)
      },
      { viewport, script, site },
    )
    assert.equal((await happen()).startsWith('evt_'), true)
    await ended(endpoint)
  })
}

test('a press of Send again that comes twice sends once, as a delivery of its own', async () => {
  const { accountId, endpoint, deliveries, id, ended, attemptNow } = await newWaiting()
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/deliveries/${id}`)
      const form = { form_key: await page.locator('[action$="/resend"] [name="form_key"]').inputValue() }
      const send = () =>
        page.request.post(`${folder}/deliveries/${id}/resend`, { headers: ours, form, maxRedirects: 0 })
      const answers = await Promise.all([send(), send(), send()])
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [303, 303, 303],
      )
      await press(page, 'Send again')
      await page.getByText('Sent again: this is the new delivery').waitFor()
      assert.equal(page.url().includes(id), false)
      await until(async () => {
        await page.reload()
        return /Delivered/.test(await mainOf(page))
      }, 'it is delivered')
      assert.match(await looked(page, 'delivery-resent'), /Sent because of\s+Sent again[\s\S]*Attempts\s+1 of 1/)
    },
    { viewport: desktop, site },
  )
  const all = await deliveries(endpoint)
  assert.deepEqual(
    all.map(({ trigger, status }) => [trigger, status]),
    [
      ['manual', 'succeeded'],
      ['automatic', 'pending'],
    ],
  )
  await attemptNow()
  await ended(endpoint)
})

test('a test event is sent once however often it is pressed, and leads to its own delivery', async () => {
  const { accountId, add, deliveries, ended } = await newMerchant()
  const id = await add({ url: receiver.url, events: ['invoice.paid'] })
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/${id}`)
      await page.getByLabel('Event type').selectOption('payout.paid')
      const form = {
        form_key: await page.locator('[action$="/test"] [name="form_key"]').inputValue(),
        type: 'payout.paid',
      }
      const send = (more: Record<string, string> = {}) =>
        page.request.post(`${folder}/${id}/test`, { headers: ours, form: { ...form, ...more }, maxRedirects: 0 })
      await Promise.all([send(), send()])
      await press(page, 'Send test event')
      await heading(page, 'payout.paid')
      await page.getByText('The test event is on its way.').waitFor()
      await ended(id)
      await page.reload()
      const shown = await looked(page, 'delivery-test')
      assert.match(shown, /Delivered[\s\S]*evt_test_webhook[\s\S]*Test event/)
      assert.match(await page.getByRole('region', { name: 'What is sent' }).innerText(), /"test": true/)
      assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0)
      assert.equal((await deliveries(id)).length, 1)
      const wrong = await send({ form_key: '', type: 'refund.stolen' })
      assert.equal(wrong.status(), 400)
      assert.match(await wrong.text(), /Choose one of these\./)
      assert.equal((await deliveries(id)).length, 1)
    },
    { viewport: phone, site },
  )
})

test('what cannot be sent again is not offered, and a late press reads why', async () => {
  const { accountId, endpoint, id, change, remove, merchant, attemptNow } = await newWaiting()
  await visit(
    await person(accountId),
    async (page) => {
      const send = () => page.request.post(`${folder}/deliveries/${id}/resend`, { headers: ours, form: { a: '1' } })
      await stack.sql('update deliveries set on_hold_since = now(), next_attempt_at = null where id = ?', [id])
      await page.goto(`${folder}/deliveries/${id}`)
      assert.match(await looked(page, 'delivery-held'), /The platform’s staff hold it\. Nothing is sent/)
      const held = await send()
      assert.equal(held.status(), 409)
      assert.match(
        await held.text(),
        /Not sent again: the delivery dlv_\w+ of this event to we_\w+ is on hold by the platform/,
      )
      await stack.sql('update deliveries set on_hold_since = null, next_attempt_at = now() where id = ?', [id])
      await change(endpoint, { enabled: false })
      await page.goto(`${folder}/deliveries/${id}`)
      assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0)
      const off = await send()
      assert.equal(off.status(), 409)
      await remove(endpoint)
      await attemptNow()
      assert.equal(await stack.finished('webhook-delivery', id), 'skipped')
      await page.goto(`${folder}/deliveries/${id}`)
      assert.match(await looked(page, 'delivery-deleted'), /Not sent[\s\S]*\(deleted\)[\s\S]*Answered 429/)
      assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0)
      const gone = await send()
      assert.equal(gone.status(), 409)
      assert.match(await gone.text(), /its endpoint is deleted/)
      assert.equal((await taken(merchant.call('GET', `/v1/webhooks/deliveries/${id}`)))['status'], 'skipped')
    },
    { viewport: desktop, site },
  )
})

test('an answer that was empty is told from one that was compressed, which is not kept', async () => {
  const { accountId, add, happen, ended } = await newMerchant()
  receiver.says('')
  const endpoint = await add({ url: receiver.url })
  await happen()
  const [delivery] = await ended(endpoint)
  const id = delivery?.delivery_id
  await visit(
    await person(accountId, 'viewer'),
    async (page) => {
      await page.goto(`${folder}/deliveries/${id}`)
      assert.match(await mainOf(page), /Answered 200[\s\S]*The answer was empty\./)
      for (const [status, error] of [
        [200, null],
        [500, 'bad_status'],
      ]) {
        await stack.sql(
          'update delivery_attempts set response_body = null, response_status = ?, error = ? where delivery_id = ?',
          [status, error, id],
        )
        await page.reload()
        assert.match(await mainOf(page), /The answer was compressed, so it is not shown\./)
        assert.doesNotMatch(await mainOf(page), /empty/)
      }
      await stack.sql('update delivery_attempts set response_status = null where delivery_id = ?', [id])
      await page.reload()
      assert.doesNotMatch(await mainOf(page), /empty|compressed/)
    },
    { viewport: phone, site },
  )
})

test('another organization’s delivery is not found, and forms from elsewhere send nothing', async () => {
  const { accountId, endpoint, id, deliveries, ended, attemptNow } = await newWaiting()
  await visit(
    await person(await withApi(stack).addAccount(), 'owner'),
    async (page) => {
      for (const each of [id, newId('dlv', 0), 'x', `dlv_${'9'.repeat(90)}`]) {
        const answer = await page.request.get(`${folder}/deliveries/${each}`)
        assert.equal(answer.status(), 404, each)
        const post = await page.request.post(`${folder}/deliveries/${each}/resend`, { headers: ours, form: { a: '1' } })
        assert.equal(post.status(), 404, each)
      }
    },
    { viewport: phone, site },
  )
  await visit(
    await person(accountId, 'owner'),
    async (page) => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      const answer = await page.request.post(`${folder}/deliveries/${id}/resend`, { headers, form: { a: '1' } })
      assert.equal(answer.status(), 403)
    },
    { viewport: phone, site },
  )
  const stranger = await fetch(`${folder}/deliveries/${id}`, { redirect: 'manual' })
  assert.equal(stranger.status, 303)
  assert.equal((await deliveries(endpoint)).length, 1)
  await attemptNow()
  await ended(endpoint)
})
