import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { scopes } from '../../domain/access/scope.ts'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'

// What a key may do, as owners and admins choose and change it in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const api = withApi(stack)
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `<b>Till</b> "1" & 'Søn' ${'x'.repeat(60)}`

const ownSite = { 'sec-fetch-site': 'same-origin' }
const status = async (key: string, path: string) =>
  (await fetch(pages.base + path, { headers: { authorization: `Bearer ${key}` } })).status
const scopesOf = async (id: string) => {
  const [row] = await stack.sql<{ scopes: string[] }>('select scopes from api_keys where id = ?', [id])
  return row?.scopes.toSorted()
}
/** What a form says that was opened with these scopes. */
const openedWith = (given: string[] | undefined) => JSON.stringify([['access', (given ?? []).join(' ')]])
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true }).check()
const idIn = (page: Page) => new URL(page.url()).pathname.split('/')[3] ?? ''

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`an owner makes a key with few scopes and changes them, ${viewport.width} wide, script ${script}`, async () => {
    const accountId = await api.addAccount()
    await visit(
      await logins.addPerson({ role: 'owner', accountId }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'API keys')
        await heading(page, 'API keys')
        assert.equal(await page.getByLabel('Everything').isChecked(), true)
        assert.equal(await page.getByRole('checkbox').count(), 0, 'no scopes before they are to be chosen')
        await type(page.getByLabel('Name'), hostile)
        await page.getByLabel('Chosen scopes').check()
        assert.equal(await page.getByRole('checkbox').count(), scopes.length, 'each scope once')
        await looked(page, `keys-${colorScheme}`)
        await press(page, 'Create key')
        await page.getByText('Choose at least one scope.').waitFor()
        assert.equal(await page.getByLabel('Name').inputValue(), hostile)
        assert.equal(await page.getByLabel('Chosen scopes').isChecked(), true)
        await tick(page, 'Payments and checkout: Read')
        await tick(page, 'Refunds: Write')
        await press(page, 'Create key')
        await heading(page, 'Your new key')
        await page.getByText('This key may do: 2 of 31 scopes.').waitFor()
        const key = await page.getByRole('textbox').inputValue()
        assert.deepEqual([await status(key, '/v1/payments'), await status(key, '/v1/customers')], [200, 403])
        await page.getByRole('link', { name: 'I have copied it' }).click()
        const row = page.getByRole('row').filter({ hasText: hostile })
        assert.match(await row.innerText(), new RegExp(`…${key.slice(-4)}[\\s\\S]*2 of 31 scopes[\\s\\S]*Active`))
        await row.getByRole('link', { name: hostile, exact: true }).click()
        await heading(page, hostile)
        const shown = await looked(page, `key-${colorScheme}`)
        assert.match(shown, new RegExp(`Ends in\\s+${key.slice(-4)}`))
        assert.equal(await page.getByRole('checkbox', { name: 'Refunds: Write', exact: true }).isChecked(), true)
        assert.equal(await page.getByRole('checkbox', { name: 'Refunds: Read', exact: true }).isChecked(), false)
        await page.getByLabel('Read only').check()
        await press(page, 'Save')
        await page.getByRole('status').getByText('Saved. The key may do this within a second.').waitFor()
        assert.equal(await page.getByLabel('Read only').isChecked(), true)
        const reading = scopes.filter((scope) => scope.endsWith(':read')).toSorted()
        assert.deepEqual(await scopesOf(idIn(page)), reading)
        await until(async () => (await status(key, '/v1/customers')) === 200, 'the key reads customers')
        await page.getByLabel('Everything').check()
        await press(page, 'Save')
        await page.getByText('Everything').first().waitFor()
        assert.deepEqual(await scopesOf(idIn(page)), scopes.toSorted())
        await page.getByRole('link', { name: 'Revoke this key…' }).click()
        await press(page, 'Revoke the key')
        await page.getByRole('link', { name: hostile, exact: true }).click()
        await heading(page, hostile)
        assert.match(await looked(page, 'key-inactive'), /Inactive[\s\S]*payments:read, payments:write/)
        assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
      },
      { viewport, script, site },
    )
  })
}

test('two people change a key at once: the second is told, and of a revoked key nothing is changed', async () => {
  const { id, accountId } = await api.addMerchant()
  const first = await logins.addPerson({ role: 'admin', accountId })
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/keys/${id}`)
      await page.getByLabel('Chosen scopes').check()
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
      await tick(page, 'Balances: Read')
      await visit(
        first,
        async (other) => {
          await other.goto(`${pages.base}/dashboard/keys/${id}`)
          await other.getByLabel('Read only').check()
          await press(other, 'Save')
          await other.getByRole('status').waitFor()
        },
        { viewport: phone, site },
      )
      const before = await scopesOf(id)
      await press(page, 'Save')
      await page.getByRole('alert').getByText('Not saved. See what is marked below.').waitFor()
      const choice = page.getByRole('group', { name: 'What it may do' })
      assert.match(
        await choice.innerText(),
        /Somebody else has changed this meanwhile to “Read only”\. Save again to replace it\./,
      )
      await looked(page, 'key-changed-by-two')
      assert.deepEqual(await scopesOf(id), before)
      assert.equal(await page.getByRole('checkbox', { name: 'Balances: Read' }).isChecked(), true, 'what was chosen')
      await press(page, 'Save')
      await page.getByRole('status').getByText('Saved.').waitFor()
      assert.deepEqual(await scopesOf(id), ['balances:read'])
      await stack.sql('update api_keys set is_active = false where id = ?', [id])
      await page.getByLabel('Everything').check()
      await press(page, 'Save')
      await page.getByRole('alert').getByText('revoked or has expired, so nothing was changed').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
      assert.deepEqual(await scopesOf(id), ['balances:read'])
    },
    { viewport: desktop, site },
  )
})

test('a form that changes nothing undoes nothing, and two people who choose the same do not clash', async () => {
  const { id, accountId } = await api.addMerchant()
  const opened_with = openedWith(await scopesOf(id))
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await heading(page, /./)
      const send = async (form: Record<string, string>) => {
        const url = `${pages.base}/dashboard/keys/${id}`
        const answer = await page.request.post(url, { headers: ownSite, form, maxRedirects: 0 })
        return { status: answer.status(), text: await answer.text() }
      }
      assert.equal((await send({ access: 'read', opened_with })).status, 303)
      const reading = await scopesOf(id)
      assert.equal((await send({ access: 'all', opened_with })).status, 303, 'opened with all, sent with all')
      assert.equal((await send({ access: 'read', opened_with })).status, 303, 'the same as the other one')
      assert.deepEqual(await scopesOf(id), reading)
      const chosen = { access: 'chosen', scope: 'payouts:write', opened_with }
      const clash = await send(chosen)
      assert.equal(clash.status, 409)
      assert.match(clash.text, /changed this meanwhile to “Read only”/)
      assert.match(clash.text, /value="payouts:write"\s+checked/)
      assert.deepEqual(await scopesOf(id), reading)
      for (const broken of ['', '[]', '{"access":1}', '[["access",1]]', '[["__proto__","x"]]', 'x'.repeat(9_000)]) {
        const answer = await send({ ...chosen, opened_with: broken, scope: 'no:scope' })
        assert.ok([400, 409].includes(answer.status), `${broken.slice(0, 20)}: ${answer.status}`)
      }
      assert.deepEqual(await scopesOf(id), reading)
      await stack.sql('update api_keys set is_active = false where id = ?', [id])
      for (const form of [{ access: 'read', opened_with: openedWith(reading) }, chosen]) {
        const over = await send(form)
        assert.equal(over.status, 409)
        assert.match(over.text, /revoked or has expired, so nothing was changed/)
      }
    },
    { viewport: desktop, site },
  )
})

test('other roles, other organizations, connected accounts and other sites change no key', async () => {
  const { id, accountId } = await api.addMerchant()
  const before = await scopesOf(id)
  const form = { access: 'read', opened_with: openedWith(before) }
  const send = (page: Page, headers: Record<string, string>) =>
    page.request.post(`${pages.base}/dashboard/keys/${id}`, { headers, form })
  for (const role of ['developer', 'viewer'] as const) {
    await visit(
      await logins.addPerson({ role, accountId }),
      async (page) => {
        const answer = await page.goto(`${pages.base}/dashboard/keys/${id}`)
        assert.equal(answer?.status(), 403)
        await page.getByText('Only owners and admins can manage API keys.').waitFor()
        assert.equal((await send(page, ownSite)).status(), 403)
      },
      { viewport: phone, site },
    )
  }
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await api.addConnected(accountId) }),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/keys`)
      await page.getByText('Your organization is a connected account of a platform').waitFor()
      assert.equal((await send(page, ownSite)).status(), 403)
    },
    { viewport: phone, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await api.addAccount() }),
    async (page) => {
      for (const unknown of [id, newId('key', 0), 'x', '%20'])
        assert.equal((await page.goto(`${pages.base}/dashboard/keys/${unknown}`))?.status(), 404, unknown)
      assert.equal((await send(page, ownSite)).status(), 404)
    },
    { viewport: phone, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      assert.equal((await send(page, { 'sec-fetch-site': 'cross-site' })).status(), 403)
      const made = await page.request.post(`${pages.base}/dashboard/keys/${id}`, {
        headers: ownSite,
        form: { access: 'chosen', scope: 'payments:everything', opened_with: openedWith(before) },
      })
      assert.equal(made.status(), 400)
      assert.match(await made.text(), /scopes\.0: must be one of/)
    },
    { viewport: desktop, site },
  )
  assert.deepEqual(await scopesOf(id), before)
})
