import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { receiverUrl } from '../../domain/webhook/simulated-receiver.ts'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { addPastDeliveries, addPastEvents, withEndpoints } from '../support/endpoints.ts'
import { sale } from '../support/merchant.ts'
import { addSeller } from '../support/platform.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { useReceiverForEachTest } from '../support/use-stack.ts'
import { until } from '../support/until.ts'

// Events as people of a merchant find, read and send them again, and the page for developers.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const receiver = useReceiverForEachTest()
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const folder = `${pages.base}/dashboard/events`
const ours = { 'sec-fetch-site': 'same-origin' }
const hostile = `</pre><script>alert(1)</script>"'&${'w'.repeat(80)}`

async function newMerchant() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  return { merchant, accountId, ...withEndpoints(merchant) }
}
type Role = 'owner' | 'admin' | 'developer' | 'viewer'
const person = (accountId: string, role: Role = 'developer') => logins.addPerson({ role, accountId })
const mainOf = (page: Page) => page.locator('main').innerText()
const titles = (page: Page) => page.getByRole('table', { name: 'Events' }).locator('tbody th').allInnerTexts()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer finds an event and reads its body and its deliveries, ${viewport.width} wide`, async () => {
    const { merchant, accountId, add, happen, ended } = await newMerchant()
    const endpoint = await add({ url: receiver.url, events: ['customer.created', 'invoice.paid'] })
    await happen('refund.paid')
    const { body } = await merchant.call('POST', '/v1/customers', { email: 'ada@example.com', name: hostile })
    const customer = String(body['customer_id'])
    await ended(endpoint)
    await visit(
      await person(accountId, 'viewer'),
      async (page) => {
        const look = (name: string) => looked(page, `${name}-${colorScheme}`)
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Events')
        await heading(page, 'Events')
        assert.match(await look('events'), /customer\.created[\s\S]*cust_[\s\S]*refund\.paid/)
        assert.deepEqual(await titles(page), ['customer.created', 'refund.paid'])
        await page.getByLabel('Type').selectOption('payout.paid')
        await press(page, 'Show')
        await page.getByText('No event matches.').waitFor()
        await page.getByRole('link', { name: 'Show all' }).click()
        await type(page.getByLabel('About'), customer)
        await press(page, 'Show')
        await page.getByRole('link', { name: 'customer.created' }).click()
        await heading(page, 'customer.created')
        const shown = await look('event')
        assert.match(shown, /a customer record was made[\s\S]*Deliveries[\s\S]*Delivered[\s\S]*The event itself/)
        const text = await page.getByRole('region', { name: 'Body' }).innerText()
        assert.ok(text.includes('</pre><script>alert(1)</script>'), 'the name is text')
        assert.deepEqual(JSON.parse(text), receiver.received[0]?.event)
        assert.equal(await page.getByRole('button', { name: 'Send again' }).count(), 0, 'a viewer sends nothing')
        const post = await page.request.post(`${page.url()}/resend`, { headers: ours, form: { endpoint_id: '' } })
        assert.equal(post.status(), 403)
        await page.getByRole('link', { name: receiver.url }).click()
        await page.waitForURL(/\/webhooks\/deliveries\/dlv_/)
        await page.goto(`${folder}?type=nonsense&resource_id=${'x'.repeat(99)}&cursor=y`)
        await page.waitForURL(folder)
      },
      { viewport, script, site },
    )
    assert.equal(receiver.received.length, 1)
  })
}

test('an event is sent again to one endpoint or to all that receive it, once however often it is pressed', async () => {
  const { accountId, add, happen, ended, event } = await newMerchant()
  const listening = await add({ url: `${receiver.url}/a`, events: ['refund.paid'] })
  const deaf = await add({ url: `${receiver.url}/b`, events: ['invoice.paid'] })
  const off = await add({ url: `${receiver.url}/off`, enabled: false })
  const id = await happen('refund.paid')
  await ended(listening)
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/${id}`)
      const select = page.getByRole('combobox', { name: 'To' })
      assert.equal(await select.locator('option').count(), 3, 'one that is off is not offered')
      const form = { form_key: await page.locator('[name="form_key"]').inputValue(), endpoint_id: deaf }
      const send = (more: Record<string, string> = {}) =>
        page.request.post(`${folder}/${id}/resend`, { headers: ours, form: { ...form, ...more }, maxRedirects: 0 })
      await Promise.all([send(), send()])
      await select.selectOption(deaf)
      await press(page, 'Send again')
      await page.getByText('Sent again.').waitFor()
      await looked(page, 'event-resent')
      assert.equal((await event(id)).deliveries.filter((each) => each.endpoint_id === deaf).length, 1)
      await press(page, 'Send again')
      await page.getByText('Sent again.').waitFor()
      await until(async () => receiver.received.length === 3, 'the event has come three times')
      const { deliveries } = await event(id)
      assert.deepEqual(
        deliveries.map((each) => each.trigger).toSorted(),
        ['automatic', 'manual', 'manual', 'automatic'].toSorted(),
      )
      const late = await send({ form_key: '', endpoint_id: off })
      assert.equal(late.status(), 409)
      assert.match(await late.text(), /Not sent again: the webhook endpoint is switched off\./)
      const unknown = await send({ form_key: '', endpoint_id: newId('we', 0) })
      assert.equal(unknown.status(), 409)
      assert.match(await unknown.text(), /This endpoint does not exist any more\./)
    },
    { viewport: phone, site },
  )
})

test('an event that nobody receives says so, and pages of events lead on', async () => {
  const { accountId } = await newMerchant()
  const ids = await addPastEvents(stack, accountId, 30)
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(folder)
      assert.equal((await titles(page)).length, 25)
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('ref_5', { exact: true }).waitFor()
      assert.equal((await titles(page)).length, 5)
      await page.goto(`${folder}/${ids[0]}`)
      assert.match(await mainOf(page), /It was sent to no endpoint\./)
      await press(page, 'Send again')
      await page.getByText('Nothing was sent: no endpoint').waitFor()
      await addPastDeliveries(stack, String(ids[0]), 99)
      await page.reload()
      assert.doesNotMatch(await mainOf(page), /newest 100/)
      await addPastDeliveries(stack, String(ids[0]), 2)
      await page.reload()
      assert.match(await mainOf(page), /The newest 100 deliveries are listed\. Older ones, if any/)
      assert.equal(await page.getByRole('table', { name: 'Deliveries' }).locator('tbody th').count(), 100)
    },
    { viewport: desktop, site },
  )
})

test('the receiver of a scenario is named as long as it exists, and is then marked as deleted', async () => {
  const { merchant, accountId } = await newMerchant()
  const steps = [{ receiver: { answers: 200 } }, { create: { amount: '25.00', currency: 'USD' } }, { wait: 'PT2H' }]
  const { body } = await merchant.call('POST', '/v1/test-helpers/scenarios', { steps })
  const [event] = body['events'] as unknown as { id: string }[]
  await visit(
    await person(accountId, 'viewer'),
    async (page) => {
      await page.goto(`${folder}/${event?.id}`)
      const receivers = page.getByRole('table', { name: 'Deliveries' }).locator('tbody th')
      assert.deepEqual(await receivers.allInnerTexts(), [receiverUrl])
      assert.equal((await merchant.call('DELETE', `/v1/test-helpers/clocks/${body['clock_id']}`)).status, 200)
      await page.reload()
      assert.match((await receivers.allInnerTexts()).join(), /^we_\w+ \(deleted\)$/)
    },
    { viewport: phone, site },
  )
})

test('a platform sees whose event it is; another organization’s event is not found, nor are test events', async () => {
  const { accountId, add, happen, ended } = await newMerchant()
  const endpoint = await add({ url: receiver.url, account_scope: 'all' })
  const seller = await addSeller(withApi(stack), accountId)
  const session = await seller.merchant.createCheckout(sale)
  assert.ok(session.checkout_id)
  const { body } = await seller.merchant.call('POST', '/v1/customers', { email: 'bob@example.com' })
  const mine = await happen('refund.paid')
  await until(() => receiver.received.some(({ event }) => event.data['customer_id'] === body['customer_id']), 'told')
  await ended(endpoint)
  const theirs = receiver.received.find(({ event }) => event.data['customer_id'] === body['customer_id'])?.event.id
  await visit(
    await person(accountId, 'viewer'),
    async (page) => {
      await page.goto(`${folder}/${theirs}`)
      assert.match(await mainOf(page), /Connected account\s+acct_/)
      assert.match(await page.getByRole('region', { name: 'Body' }).innerText(), /"account_id": "acct_/)
    },
    { viewport: phone, site },
  )
  await visit(
    await person(await withApi(stack).addAccount(), 'owner'),
    async (page) => {
      for (const each of [mine, String(theirs), 'evt_test_webhook', newId('evt', 0), 'x']) {
        const answer = await page.request.get(`${folder}/${each}`)
        assert.equal(answer.status(), 404, each)
        const post = await page.request.post(`${folder}/${each}/resend`, { headers: ours, form: { endpoint_id: '' } })
        assert.equal(post.status(), 404, each)
      }
      const headers = { 'sec-fetch-site': 'cross-site' }
      const foreign = await page.request.post(`${folder}/${mine}/resend`, { headers, form: { endpoint_id: '' } })
      assert.equal(foreign.status(), 403)
    },
    { viewport: phone, site },
  )
})

for (const [viewport, script, role, names] of [
  [phone, false, 'viewer', ['Webhooks', 'Events', 'API log', 'Look up']],
  [desktop, true, 'owner', ['API keys', 'Webhooks', 'Events', 'API log', 'Test clocks', 'Look up']],
] as const) {
  test(`the page for developers says where the API is and leads to all that the role may open, ${role}`, async () => {
    const { merchant, accountId } = await newMerchant()
    const version = (await merchant.call('GET', '/v1/webhooks/events')).headers.get('x-api-version')
    assert.match(String(version), /^20\d\d-\d\d-\d\d$/)
    await visit(
      await person(accountId, role),
      async (page) => {
        await choose(page, 'Developers')
        await heading(page, 'Developers')
        const shown = await looked(page, 'developers')
        assert.ok(shown.includes(pages.base) && shown.includes(String(version)) && shown.includes('sk_sandbox_'), shown)
        const tools = page.getByRole('list', { name: 'Tools' }).getByRole('link')
        assert.deepEqual(await tools.allInnerTexts(), names)
        const links = await page.locator('main a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
        for (const link of ['/reference', '/openapi.json', '/docs/errors', '/docs'])
          assert.ok(links.includes(link), link)
        for (const link of links) {
          const answer = await page.request.get(pages.base + link)
          assert.equal(answer.status(), 200, String(link))
        }
      },
      { viewport, script, site },
    )
    const stranger = await fetch(`${pages.base}/dashboard/developers`, { redirect: 'manual' })
    assert.equal(stranger.status, 303)
  })
}
