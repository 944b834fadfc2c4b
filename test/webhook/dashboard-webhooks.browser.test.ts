import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { pageOf, withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { beginFailing, endpointsPath, withEndpoints } from '../support/endpoints.ts'
import { whileLocked } from '../support/locked.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { changeEndpoint } from '../support/rows.ts'
import { useReceiverForEachTest } from '../support/use-stack.ts'

// Webhook endpoints as people of a merchant add, watch, change and delete them in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const receiver = useReceiverForEachTest()
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const folder = `${pages.base}/dashboard/webhooks`
const hostile = `</script><img src=x onerror=alert(1)>"'&${'w'.repeat(60)}`
const ours = { 'sec-fetch-site': 'same-origin' }

async function newMerchant() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  const list = async () => pageOf(await merchant.call('GET', endpointsPath)).items
  return { merchant, accountId, list, ...withEndpoints(merchant) }
}
type Role = 'owner' | 'admin' | 'developer' | 'viewer'
const person = (accountId: string, role: Role = 'developer') => logins.addPerson({ role, accountId })
const mainOf = (page: Page) => page.locator('main').innerText()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a developer adds, changes and deletes an endpoint, ${viewport.width} wide, script ${script}`, async () => {
    const { accountId, list, read } = await newMerchant()
    await visit(
      await person(accountId),
      async (page) => {
        const look = (name: string) => looked(page, `${name}-${colorScheme}`)
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Webhooks')
        await heading(page, 'Webhooks')
        assert.match(await look('webhooks-none'), /No endpoints yet\./)
        await page.getByRole('link', { name: 'Add endpoint…' }).click()
        await heading(page, 'Add endpoint')
        await look('webhook-new')
        assert.equal(await page.getByText('a payout has arrived').isVisible(), false, 'types are there once asked for')
        await type(page.getByLabel('Address'), 'https://10.0.0.1/hooks')
        await type(page.getByLabel('Description'), hostile)
        await page.getByLabel('Whose events').selectOption('all')
        await page.getByLabel('Only those that I choose').check()
        await press(page, 'Add endpoint')
        await page.getByText('Choose at least one event type').waitFor()
        await page.getByRole('checkbox', { name: /^payout\.paid/ }).check()
        await page.getByRole('checkbox', { name: /^refund\.failed/ }).check()
        await look('webhook-new-types')
        await press(page, 'Add endpoint')
        assert.match(await page.locator('#url-error').innerText(), /Enter a public HTTPS address/)
        assert.equal((await list()).length, 0)
        assert.equal(await page.getByLabel('Description').inputValue(), hostile)
        assert.equal(await page.getByRole('checkbox', { name: /^payout\.paid/ }).isChecked(), true)
        await type(page.getByLabel('Address'), `https://example.com/</script><b>"'&${'w'.repeat(90)}`)
        await press(page, 'Add endpoint')
        await page.getByText('Endpoint added.').waitFor()
        const [added] = await list()
        assert.partialDeepStrictEqual(added, {
          description: hostile,
          events: ['payout.paid', 'refund.failed'],
          account_scope: 'all',
          enabled: true,
        })
        const id = String(added?.['endpoint_id'])
        const shown = await look('webhook')
        assert.ok(shown.includes(hostile), 'the description is text')
        assert.match(shown, /On[\s\S]*payout\.paid, refund\.failed[\s\S]*Both[\s\S]*No deliveries yet\./)
        assert.ok(!(await page.content()).includes('whsec_'), 'the secret is shown on demand only')

        await page.getByRole('link', { name: 'Edit…' }).click()
        await heading(page, 'Edit endpoint')
        await page.getByLabel('All, also those').check()
        await type(page.getByLabel('Description'), '')
        await press(page, 'Save')
        await page.getByText('Endpoint saved.').waitFor()
        assert.partialDeepStrictEqual(await read(id), { events: ['*'], description: null, account_scope: 'all' })

        await page.getByRole('link', { name: 'Switch off…' }).click()
        await heading(page, 'Switch off this endpoint?')
        assert.match(await look('webhook-off'), /Its events are kept for 90 days/)
        assert.equal((await read(id))['enabled'], true, 'nothing happens before the second press')
        await press(page, 'Switch off')
        await page.getByText('Endpoint switched off.').waitFor()
        assert.match(await look('webhook-is-off'), /Off since/)
        assert.equal(await page.getByRole('button', { name: 'Send test event' }).count(), 0)
        await press(page, 'Switch on')
        await page.getByText('Endpoint switched on.').waitFor()
        assert.equal((await read(id))['enabled'], true)

        await page.getByRole('link', { name: 'Delete…' }).click()
        await heading(page, 'Delete this endpoint?')
        await look('webhook-delete')
        await press(page, 'Delete the endpoint')
        await page.getByText('Endpoint deleted.').waitFor()
        assert.deepEqual(await list(), [])
        const again = await page.request.post(`${folder}/${id}/delete`, { headers: ours, form: { a: '1' } })
        assert.equal(again.status(), 404)
        assert.match(await again.text(), /There is no such endpoint, or not any more\./)
      },
      { viewport, script, site },
    )
  })
}

for (const [viewport, script] of [
  [phone, false],
  [desktop, true],
] as const) {
  test(`the secret is shown on demand, and rotated once however often it is pressed, script ${script}`, async () => {
    const { accountId, add, secret } = await newMerchant()
    const id = await add({ url: receiver.url })
    const before = String((await secret(id))['secret'])
    await visit(
      await person(accountId, 'admin'),
      async (page) => {
        await page.goto(`${folder}/${id}`)
        assert.ok(!(await page.content()).includes(before))
        await press(page, 'Show secret')
        await heading(page, 'Signing secret')
        await looked(page, 'webhook-secret')
        assert.equal(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue(), before)
        const [entry] = await stack.sql<{ count: string }>(
          `select count(*) from audit_entries where target = ? and action = 'webhook_secret.read'`,
          [id],
        )
        assert.equal(Number(entry?.count), 2, 'the test’s own look, and this one')
        await page.goto(`${folder}/${id}/secret`)
        await page.waitForURL(`${folder}/${id}`)
        await page.getByRole('link', { name: 'Rotate secret…' }).click()
        await heading(page, 'Rotate the secret?')
        assert.match(
          await looked(page, 'webhook-rotate'),
          /How long the old secret still signs[\s\S]*For 3 days, until/,
        )
        assert.equal(await page.getByRole('radio', { name: /^For 24 hours, until/ }).isChecked(), true)
        assert.equal(String((await secret(id))['secret']), before, 'nothing is rotated before the press')
        await page.getByRole('radio', { name: /^For 3 days/ }).check()
        const form = {
          form_key: await page.locator('[action$="/rotate"] [name="form_key"]').inputValue(),
          grace_hours: '72',
        }
        const send = () => page.request.post(`${folder}/${id}/rotate`, { headers: ours, form })
        const answers = await Promise.all([send(), send()])
        for (const answer of answers) assert.equal(answer.status(), 200)
        await press(page, 'Rotate the secret')
        await heading(page, 'Secret rotated')
        await looked(page, 'webhook-rotated')
        const now = await secret(id)
        assert.equal(now['previous_secret'], before, 'it was rotated once')
        assert.equal(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue(), now['secret'])
        assert.equal(await page.getByRole('textbox', { name: 'Old secret' }).inputValue(), before)
        const hours = (Date.parse(String(now['previous_secret_expires_at'])) - Date.now()) / 3_600_000
        assert.ok(hours > 71.9 && hours <= 72, `${hours} hours`)
        await page.goto(`${folder}/${id}/rotate`)
        await page.getByLabel('Not at all').check()
        await press(page, 'Rotate the secret')
        await page.getByText('An old secret does not sign any more.').waitFor()
        assert.equal((await secret(id))['previous_secret'], null)
        const wrong = await page.request.post(`${folder}/${id}/rotate`, {
          headers: ours,
          form: { grace_hours: '9999' },
        })
        assert.equal(wrong.status(), 422)
      },
      { viewport, script, site },
    )
  })
}

test('a viewer reads all of it and changes nothing; the secret is not in any answer', async () => {
  const { accountId, add, secret, list } = await newMerchant()
  const id = await add({ url: 'https://example.com/hooks', description: 'Shop' })
  const { secret: kept } = await secret(id)
  const before = await list()
  await visit(
    await person(accountId, 'viewer'),
    async (page) => {
      const answers: string[] = []
      await page.goto(folder)
      assert.match(
        await looked(page, 'webhooks-viewer'),
        /https:\/\/example\.com\/hooks[\s\S]*Shop[\s\S]*Your role can read/,
      )
      assert.equal(await page.getByRole('link', { name: 'Add endpoint…' }).count(), 0)
      await page.getByRole('link', { name: 'https://example.com/hooks' }).click()
      await heading(page, 'https://example.com/hooks')
      await looked(page, 'webhook-viewer')
      answers.push(await page.content())
      for (const name of ['Edit…', 'Switch off…', 'Delete…', 'Rotate secret…', 'Recover…'])
        assert.equal(await page.getByRole('link', { name }).count(), 0, name)
      for (const name of ['Show secret', 'Send test event'])
        assert.equal(await page.getByRole('button', { name }).count(), 0, name)
      for (const path of ['new', ...['edit', 'off', 'delete', 'rotate', 'recover'].map((act) => `${id}/${act}`)]) {
        const answer = await page.request.get(`${folder}/${path}`)
        assert.equal(answer.status(), 403, path)
        answers.push(await answer.text())
      }
      const form = { url: 'https://example.org', which: 'all', account_scope: 'own', since: '2026-01-01T00:00' }
      const acts = ['edit', 'on', 'off', 'delete', 'rotate', 'recover', 'secret', 'test'].map((act) => `${id}/${act}`)
      for (const path of ['new', ...acts]) {
        const answer = await page.request.post(`${folder}/${path}`, { headers: ours, form, maxRedirects: 0 })
        assert.equal(answer.status(), 403, path)
        answers.push(await answer.text())
      }
      assert.ok(answers.every((text) => !text.includes(String(kept)) && !text.includes('whsec_')))
    },
    { viewport: phone, site },
  )
  assert.deepEqual(await list(), before)
})

test('another organization’s endpoint is not found on any page, and by no form', async () => {
  const { add, read } = await newMerchant()
  const id = await add({ url: 'https://example.com/hooks' })
  const before = await read(id)
  const other = await withApi(stack).addAccount()
  for (const each of [id, newId('we', 0), 'x', `we_${'9'.repeat(90)}`]) {
    await visit(
      await person(other, 'owner'),
      async (page) => {
        for (const path of ['', '/edit', '/off', '/delete', '/rotate', '/recover', '/deliveries']) {
          const answer = await page.request.get(`${folder}/${each}${path}`)
          assert.equal(answer.status(), 404, `${each}${path}`)
        }
        const form = { which: 'all', account_scope: 'own', url: 'https://example.org', since: '2026-11-01T00:00' }
        for (const act of ['edit', 'on', 'off', 'delete', 'rotate', 'recover', 'secret', 'test']) {
          const answer = await page.request.post(`${folder}/${each}/${act}`, { headers: ours, form })
          assert.equal(answer.status(), 404, `${each}/${act}`)
        }
      },
      { viewport: phone, site },
    )
  }
  assert.deepEqual(await read(id), before)
})

test('forms sent from elsewhere and by strangers change nothing', async () => {
  const { accountId, add, read, list } = await newMerchant()
  const id = await add({ url: 'https://example.com/hooks' })
  const before = await read(id)
  const acts = ['edit', 'on', 'off', 'delete', 'rotate', 'recover', 'secret', 'test'].map((act) => `${id}/${act}`)
  const form = { url: 'https://evil.example', which: 'all', account_scope: 'own' }
  await visit(
    await person(accountId, 'owner'),
    async (page) => {
      for (const path of ['new', ...acts]) {
        for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
          const answer = await page.request.post(`${folder}/${path}`, { headers, form })
          assert.equal(answer.status(), 403, path)
          assert.match(await answer.text(), /was not sent from our own page/)
        }
      }
    },
    { viewport: phone, site },
  )
  for (const path of ['new', ...acts]) {
    const body = new URLSearchParams(form)
    const answer = await fetch(`${folder}/${path}`, { method: 'POST', headers: ours, body, redirect: 'manual' })
    assert.equal(answer.status, 401, path)
    assert.match(await answer.text(), /<h1>You are signed out<\/h1>/)
  }
  assert.deepEqual(await list(), [before])
})

test('an endpoint that fails says since when, and when it is switched off; then that it was', async () => {
  const { accountId, add, change } = await newMerchant()
  const id = await add({ url: receiver.url })
  await beginFailing(stack, id)
  await visit(
    await person(accountId, 'owner'),
    async (page) => {
      await page.goto(`${pages.base}/dashboard`)
      await page.getByRole('link', { name: receiver.url }).click()
      await heading(page, receiver.url)
      const shown = await looked(page, 'webhook-failing')
      assert.match(shown, /Failing since[\s\S]*it is switched off on[\s\S]*Owners told by mail/)
      await page.goto(folder)
      assert.match(await looked(page, 'webhooks-failing'), /Failing/)
      const off = { enabled: false, disabledAt: new Date(), disabledReason: 'consecutive_failures' as const }
      await changeEndpoint(stack, id, off)
      await page.goto(`${folder}/${id}`)
      assert.match(
        await looked(page, 'webhook-switched-off'),
        /Switched off: it failed since[\s\S]*Repair your receiver/,
      )
      await press(page, 'Switch on')
      assert.match(await mainOf(page), /What it missed[\s\S]*choose Recover[\s\S]*On/)
      await change(id, { enabled: false })
      await page.goto(`${folder}/${id}/recover`)
      await page.waitForURL(`${folder}/${id}`)
    },
    { viewport: desktop, site },
  )
})

test('a colleague’s change is not undone by a form that was open before it', async () => {
  const { accountId, add, change, read } = await newMerchant()
  const description = 'Shop\nin Lagos'
  const id = await add({ url: 'https://example.com/hooks', description, events: ['payout.paid'] })
  await visit(
    await person(accountId),
    async (page) => {
      await page.goto(`${folder}/${id}/edit`)
      await type(page.getByLabel('Address'), 'https://example.com/mine')
      await page.getByRole('checkbox', { name: /^refund\.failed/ }).check()
      await change(id, { url: 'https://example.com/theirs', account_scope: 'all' })
      await press(page, 'Save')
      await page.getByText('Somebody else has changed this meanwhile to “https://example.com/theirs”.').waitFor()
      const theirs = { url: 'https://example.com/theirs', account_scope: 'all', events: ['payout.paid'] }
      assert.partialDeepStrictEqual(await read(id), theirs)
      assert.equal(await page.getByLabel('Address').inputValue(), 'https://example.com/mine')
      await press(page, 'Save')
      await page.getByText('Endpoint saved.').waitFor()
      const mine = { url: 'https://example.com/mine', events: ['payout.paid', 'refund.failed'] }
      assert.partialDeepStrictEqual(await read(id), { ...theirs, ...mine, description })
    },
    { viewport: desktop, site },
  )
})

test('a form whose outcome is not known keeps its key: a further press adds and rotates nothing twice', async () => {
  const { accountId, add, list } = await newMerchant()
  const id = await add({ url: receiver.url })
  await visit(
    await person(accountId, 'admin'),
    async (page) => {
      const endpoint = { url: 'https://example.com/hooks', description: '', account_scope: 'own', which: 'all' }
      for (const [path, fields] of [
        [`${folder}/new`, endpoint],
        [`${folder}/${id}/rotate`, { grace_hours: '24' }],
      ] as const) {
        const form = { ...fields, form_key: `a-key-${path.slice(-6)}` }
        const send = () => page.request.post(path, { headers: ours, form, timeout: 60_000 })
        const answer = await whileLocked(stack, 'webhook_endpoints', send)
        assert.equal(answer.status(), 503, path)
        const keys = [...(await answer.text()).matchAll(/name="form_key" value="([^"]*)"/g)].map(([, key]) => key)
        assert.deepEqual(keys, [form.form_key], path)
      }
    },
    { viewport: phone, site },
  )
  assert.equal((await list()).length, 1)
})

test('a form that is pressed twice adds one endpoint, and the eleventh is refused with its reason', async () => {
  const { accountId, add, list } = await newMerchant()
  for (let count = 0; count < 9; count++) await add({ url: 'https://example.com/hooks' })
  await visit(
    await person(accountId),
    async (page) => {
      const fill = async () => {
        await page.goto(`${folder}/new`)
        await type(page.getByLabel('Address'), 'https://example.com/tenth')
      }
      await fill()
      const form = {
        form_key: await page.locator('[name="form_key"]').inputValue(),
        url: 'https://example.com/tenth',
        description: '',
        account_scope: 'own',
        which: 'all',
      }
      const send = () => page.request.post(`${folder}/new`, { headers: ours, form, maxRedirects: 0 })
      const answers = await Promise.all([send(), send()])
      assert.equal(answers[0]?.headers()['location'], answers[1]?.headers()['location'])
      await press(page, 'Add endpoint')
      await page.getByText('Endpoint added.').waitFor()
      assert.equal((await list()).length, 10)
      const other = await page.request.post(`${folder}/new`, { headers: ours, form: { ...form, description: 'Other' } })
      assert.match(await other.text(), /sent before with other values/)
      await fill()
      await press(page, 'Add endpoint')
      await page.getByText('There are 10 endpoints already.').waitFor()
      assert.equal((await list()).length, 10)
      const odd = { ...form, form_key: '', which: 'chosen', events: 'refund.stolen' }
      const refused = await page.request.post(`${folder}/new`, { headers: ours, form: odd })
      assert.equal(refused.status(), 400)
      assert.match(await refused.text(), /Choose event types of this list/)
    },
    { viewport: phone, site },
  )
})
