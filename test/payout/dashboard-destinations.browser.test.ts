import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { read, register } from '../support/destination.ts'
import { destinations } from '../support/destination-examples.ts'
import { addDestination } from '../support/payout.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { changeDestination } from '../support/rows.ts'
import { until } from '../support/until.ts'

// Where payouts may go: people of a merchant add, change and remove destinations in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `"><script>alert(1)</script> '&${'w'.repeat(60)}`
const headers = { 'sec-fetch-site': 'same-origin' }
const address = `${pages.base}/dashboard/destinations`

async function addOrganization() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  const listed = async () =>
    (await merchant.call('GET', '/v1/payouts/destinations')).body as unknown as { items: Record<string, unknown>[] }
  const person = (role: 'owner' | 'admin' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
  return { merchant, owner, accountId, listed, person }
}

async function begin(page: Page, kind: string): Promise<void> {
  await page.goto(`${address}/new`)
  await page.getByLabel('Kind and currency').selectOption(kind)
  await press(page, 'Continue')
  await page.getByLabel('Name', { exact: true }).waitFor()
}

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`an owner adds a bank account, ${viewport.width} wide, script ${script}`, async () => {
    const { merchant, listed, person } = await addOrganization()
    await visit(
      await person('owner'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await heading(page, 'Home')
        await choose(page, 'Destinations')
        await heading(page, 'Destinations')
        await page.getByText('No destinations yet.').waitFor()
        await page.getByRole('link', { name: 'Add a destination…' }).click()
        await heading(page, 'Add a destination')
        await looked(page, `destination-kind-${colorScheme}`)
        await page.getByLabel('Kind and currency').selectOption('bank_account.NGN')
        await press(page, 'Continue')
        await type(page.getByLabel('Name', { exact: true }), hostile)
        await page.getByLabel('Bank', { exact: true }).selectOption('058')
        await type(page.getByLabel('Account number'), '012345')
        await page.getByLabel('They pay to this destination').check()
        await press(page, 'Continue')
        await page.getByText('“Account number” must be an account number of this bank: ten digits').first().waitFor()
        await looked(page, `destination-form-${colorScheme}`)
        assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), hostile)
        assert.equal(await page.getByLabel('Bank', { exact: true }).inputValue(), '058')
        assert.ok(await page.getByLabel('They pay to this destination').isChecked())
        await type(page.getByLabel('Account number'), '0123456789')
        await press(page, 'Continue')
        await heading(page, 'Add this destination?')
        const asked = await looked(page, `destination-confirm-${colorScheme}`)
        assert.match(asked, /Bank\s+Guaranty Trust Bank\s+Account number\s+0123456789/)
        assert.match(asked, /Account holder, as the bank says\s+\S+/)
        assert.ok(asked.includes(hostile), 'the name is text')
        assert.equal((await listed()).items.length, 0, 'nothing is added before the second press')
        await press(page, 'Add it')
        await page.getByText('The destination is added.').waitFor()
        const added = await looked(page, `destination-${colorScheme}`)
        assert.match(added, /In review\s+Staff look at it[\s\S]*Decision expected by:/)
        assert.ok(added.includes(hostile))
        const { items } = await listed()
        assert.deepEqual(
          items.map((each) => [each['name'], each['bank_code'], each['account_number'], each['is_default']]),
          [[hostile, '058', '0123456789', true]],
        )
        const id = String(items[0]?.['id'])
        await until(async () => (await read(merchant, { id })).is_usable, 'the sandbox approves it')
        await page.goto(`${address}/${id}`)
        assert.match(await page.locator('main').innerText(), /Approved[\s\S]*Nothing more is expected\./)
        await page.getByRole('link', { name: 'All destinations' }).click()
        await heading(page, 'Destinations')
        const list = await looked(page, `destinations-${colorScheme}`)
        assert.match(list, /Guaranty Trust Bank ••6789/)
        assert.ok(!list.includes('0123456789'), 'a list has the end of a number only')
        await page.getByLabel('Status').selectOption('rejected')
        await press(page, 'Show')
        await page.getByText('No destination matches.').waitFor()
        await page.goto(`${address}?type=nonsense&status=x&currency=ZZZ&cursor=x`)
        await page.waitForURL(address)
      },
      { viewport, script, site },
    )
  })
}

test('each kind of destination can be added by its form', async () => {
  const { listed, person } = await addOrganization()
  const labels: Record<string, RegExp> = {
    bank_code: /^(Bank|Sort code|Routing number \(ABA\)|Transit and institution number)$/,
    account_number: /^(Account number|IBAN)$/,
    scheme: /^How the bank is paid$/,
    phone_number: /^Phone number$/,
    mobile_provider: /^Provider$/,
    wallet_address: /^Address of the wallet$/,
  }
  const wanted = Object.entries(destinations).filter(([rail]) => !['NGN', 'USDC_BEP20', 'USDT_ERC20'].includes(rail))
  // Nobody types so fast: two people keep within what one may call in a minute.
  const add = async (role: 'admin' | 'owner', rails: typeof wanted) =>
    visit(
      await person(role),
      async (page) => {
        for (const [rail, { type: kind, currency, ...routing }] of rails) {
          await begin(page, `${kind}.${currency}`)
          await page.getByLabel('Name', { exact: true }).fill(`Our ${rail}`)
          for (const [name, value] of Object.entries(routing)) {
            const input = page.getByLabel(labels[name] ?? assert.fail(name))
            const isChoice = (await page.locator(`select[name="${name}"]`).count()) > 0
            await (isChoice ? input.selectOption(value) : input.fill(value))
          }
          await press(page, 'Continue')
          await heading(page, 'Add this destination?')
          await press(page, 'Add it')
          await heading(page, `Our ${rail}`)
        }
        await looked(page, 'destination-added')
      },
      { viewport: desktop, site },
    )
  await add('admin', wanted.slice(0, 7))
  await add('owner', wanted.slice(7))
  const { items } = await listed()
  assert.equal(items.length, wanted.length)
  for (const [rail, sent] of wanted) {
    const { type: kind, currency, ...routing } = sent
    const found = items.find(({ name }) => name === `Our ${rail}`) ?? assert.fail(rail)
    for (const [name, value] of Object.entries({ type: kind, currency, ...routing }))
      assert.equal(found[name], value, `${rail} ${name}`)
  }
})

test('what is wrong is told at its input, and what was typed stays; a double press adds one', async () => {
  const { listed, person } = await addOrganization()
  await visit(
    await person('owner'),
    async (page) => {
      await begin(page, 'bank_account.USD')
      await page.getByLabel('Name', { exact: true }).fill('Main')
      await page.getByLabel('Routing number (ABA)').fill('123')
      await page.getByLabel('Account number').fill('12')
      await press(page, 'Continue')
      await press(page, 'Add it')
      await heading(page, 'Add a destination')
      const told = await looked(page, 'destination-wrong')
      assert.match(told, /“Routing number \(ABA\)” must be an ABA routing number\./)
      assert.match(told, /“Account number” must have 4 to 17 digits\./)
      assert.match(told, /“How the bank is paid” is required\./)
      assert.equal(await page.getByLabel('Routing number (ABA)').inputValue(), '123')
      await page.getByLabel('Routing number (ABA)').fill('021000021')
      await page.getByLabel('Account number').fill('000123456789')
      await page.getByLabel('How the bank is paid').selectOption('wire')
      await press(page, 'Continue')
      const key = await page.locator('input[name="form_key"]').inputValue()
      const form = {
        form_key: key,
        kind: 'bank_account.USD',
        name: 'Main',
        bank_code: '021000021',
        account_number: '000123456789',
        scheme: 'wire',
        is_default: '',
        step: 'send',
      }
      const send = () => page.request.post(`${address}/new`, { headers, form, maxRedirects: 0 })
      const answers = await Promise.all([send(), send(), send()])
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [303, 303, 303],
      )
      assert.equal((await listed()).items.length, 1)
      const unknown = await page.request.post(`${address}/new`, { headers, form: { kind: 'gold.ZZZ' } })
      assert.match(await unknown.text(), /Kind and currency/)
    },
    { viewport: phone, site },
  )
})

test('a new number is asked about and reviewed again; a new name is saved at once', async () => {
  const { merchant, owner, person } = await addOrganization()
  const id = await addDestination(stack, owner, { ends: '0001' })
  await visit(
    await person('admin'),
    async (page) => {
      const edit = async () => {
        await page.goto(`${address}/${id}`)
        await page.getByRole('link', { name: 'Edit…' }).click()
        await heading(page, 'Edit the destination')
      }
      await edit()
      await looked(page, 'destination-edit')
      await page.getByLabel('Name', { exact: true }).fill(hostile)
      await press(page, 'Continue')
      await page.getByText('Saved.', { exact: true }).waitFor()
      assert.equal((await read(merchant, { id }))['name'], hostile)
      assert.equal((await read(merchant, { id })).status, 'approved')
      await edit()
      await page.getByLabel('Account number').fill('12')
      await press(page, 'Continue')
      await press(page, 'Change it')
      await page.getByText('“Account number” must be an account number of this bank').first().waitFor()
      assert.equal(await page.getByLabel('Account number').inputValue(), '12')
      await page.getByLabel('Account number').fill('0123450008')
      await press(page, 'Continue')
      await heading(page, 'Change where the money goes?')
      const asked = await looked(page, 'destination-change')
      assert.match(asked, /Account number, now\s+9128340001\s+Account number, new\s+0123450008/)
      assert.match(asked, /It is reviewed again\.[\s\S]*not been sent yet is held/)
      assert.equal((await read(merchant, { id }))['account_number'], '9128340001', 'nothing is changed yet')
      await press(page, 'Back to the form')
      assert.equal(await page.getByLabel('Account number').inputValue(), '0123450008')
      await press(page, 'Continue')
      await press(page, 'Change it')
      await page.getByText('Saved. It is reviewed again').waitFor()
      const changed = await read(merchant, { id })
      assert.deepEqual([changed['account_number'], changed.status], ['0123450008', 'pending_review'])
      assert.equal(await page.getByRole('link', { name: 'Send a payout…' }).count(), 0)
      await edit()
      await press(page, 'Continue')
      await page.waitForURL(`${address}/${id}`)
    },
    { viewport: phone, site },
  )
})

test('what a colleague has changed meanwhile is not undone by a form that was opened before', async () => {
  const { merchant, owner, person } = await addOrganization()
  const id = await addDestination(stack, owner, { type: 'mobile_money', currency: 'KES', ends: '0001' })
  const rename = (name: string) => merchant.call('PATCH', `/v1/payouts/destinations/${id}`, { name })
  await visit(
    await person('admin'),
    async (page) => {
      await page.goto(`${address}/${id}/edit`)
      await rename('By a colleague')
      await page.getByLabel('Phone number').fill('+254712345678')
      await press(page, 'Continue')
      await heading(page, 'Change where the money goes?')
      await rename('By a colleague again')
      await press(page, 'Change it')
      await page.getByText('Saved. It is reviewed again').waitFor()
      const changed = await read(merchant, { id })
      assert.deepEqual([changed['name'], changed['phone_number']], ['By a colleague again', '+254712345678'])
      await page.goto(`${address}/${id}/edit`)
      await rename('By a colleague')
      await page.getByLabel('Name', { exact: true }).fill('Mine')
      await press(page, 'Continue')
      await page.getByText('Somebody else has changed this meanwhile to “By a colleague”.').waitFor()
      assert.equal((await read(merchant, { id }))['name'], 'By a colleague')
      await press(page, 'Continue')
      await page.getByText('Saved.', { exact: true }).waitFor()
      assert.equal((await read(merchant, { id }))['name'], 'Mine')
    },
    { viewport: phone, site },
  )
})

test('the default is moved; a removal is asked about, and a removed one is offered nothing', async () => {
  const { merchant, owner, listed, person } = await addOrganization()
  const [first, second] = [await addDestination(stack, owner), await addDestination(stack, owner, { ends: '1234' })]
  await changeDestination(stack, first, { name: hostile })
  const { id: payout } = await merchant.payOut(second, { amount: '100.00' }).catch(() => ({ id: '' }))
  assert.equal(payout, '', 'there is no money to pay out')
  await visit(
    await person('owner'),
    async (page) => {
      for (const id of [first, second]) {
        await page.goto(`${address}/${id}`)
        await press(page, 'Make it the default')
        await page.getByText('Payout schedules of its currency pay to this destination now.').waitFor()
      }
      assert.deepEqual([(await read(merchant, { id: first })).is_default, true], [false, true])
      await press(page, 'Stop being the default')
      await page.getByText('It is no longer the default').waitFor()
      await press(page, 'Make it the default')
      await page.getByRole('link', { name: 'Remove…' }).click()
      const asked = await looked(page, 'destination-remove')
      assert.match(asked, /It is the default of NGN: a payout schedule/)
      await page.getByRole('link', { name: 'Keep it' }).click()
      await page.goto(`${address}/${first}/remove`)
      await heading(page, `Remove ${hostile}?`)
      await press(page, 'Remove the destination')
      await page.getByText('The destination is removed.').waitFor()
      const shown = await looked(page, 'destination-removed')
      assert.match(shown, /Removed[\s\S]*Deactivated/)
      for (const name of ['Edit…', 'Remove…', 'Send a payout…'])
        assert.equal(await page.getByRole('link', { name }).count(), 0, name)
      assert.equal(await page.getByRole('button', { name: 'Make it the default' }).count(), 0)
      for (const path of ['edit', 'remove']) {
        await page.goto(`${address}/${first}/${path}`)
        await page.waitForURL(`${address}/${first}`)
      }
      const late = await page.request.post(`${address}/${first}/default`, { headers, form: { is_default: '1' } })
      assert.equal(late.status(), 409)
      assert.match(await late.text(), /destination is deactivated/)
      assert.deepEqual(
        (await listed()).items.map(({ id }) => id),
        [second],
      )
    },
    { viewport: desktop, site },
  )
})

test('a rejected destination says why, and accepts a new name only', async () => {
  const { merchant, person } = await addOrganization()
  const { id } = await register(merchant, 'NGN', { account_number: '0123450009' })
  await until(async () => (await read(merchant, { id })).status === 'rejected', 'the sandbox rejects it')
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${address}/${id}`)
      const shown = await looked(page, 'destination-rejected')
      assert.match(shown, /Rejected[\s\S]*cannot be used any more[\s\S]*Why it was rejected\s+\S+/)
      assert.equal(await page.getByRole('button', { name: 'Make it the default' }).count(), 0)
      await page.getByRole('link', { name: 'Edit…' }).click()
      assert.equal(await page.getByLabel('Account number').count(), 0)
      await page.getByLabel('Name', { exact: true }).fill('The old one')
      await press(page, 'Continue')
      await heading(page, 'The old one')
    },
    { viewport: phone, site },
  )
})

test('roles that may not, other organizations, forms of another site and strangers change nothing', async () => {
  const { merchant, owner, person, listed } = await addOrganization()
  const id = await addDestination(stack, owner)
  const before = JSON.stringify(await listed())
  const forms: [path: string, form: Record<string, string>][] = [
    [`${id}/edit`, { name: 'Ours', account_number: '0123450001', step: 'send' }],
    [`${id}/default`, { is_default: '1' }],
    [`${id}/remove`, {}],
  ]
  const adds = { kind: 'crypto_wallet.USDT_TRC20', name: 'Mine', wallet_address: 'T', form_key: 'k', step: 'send' }
  for (const role of ['developer', 'viewer'] as const) {
    await visit(
      await person(role),
      async (page) => {
        await page.goto(address)
        assert.equal(await page.getByRole('link', { name: 'Add a destination…' }).count(), 0)
        await page.goto(`${address}/${id}`)
        await heading(page, 'Our own')
        for (const name of ['Edit…', 'Remove…', 'Send a payout…'])
          assert.equal(await page.getByRole('link', { name }).count(), 0, name)
        for (const path of ['new', `${id}/edit`, `${id}/remove`])
          assert.equal((await page.goto(`${address}/${path}`))?.status(), 403, path)
        for (const [path, form] of [...forms, ['new', adds] as const])
          assert.equal((await page.request.post(`${address}/${path}`, { headers, form })).status(), 403, path)
      },
      { viewport: phone, site },
    )
  }
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      for (const path of [id, `${id}/edit`, `${id}/remove`, newId('pd', 0), 'x', 'x'.repeat(200)])
        assert.equal((await page.goto(`${address}/${path}`))?.status(), 404, path)
      for (const [path, form] of forms)
        assert.equal((await page.request.post(`${address}/${path}`, { headers, form })).status(), 404, path)
    },
    { viewport: phone, site },
  )
  await visit(
    await person('owner'),
    async (page) => {
      for (const [path, form] of [...forms, ['new', adds] as const]) {
        const foreign = { 'sec-fetch-site': 'cross-site' }
        const answer = await page.request.post(`${address}/${path}`, { headers: foreign, form })
        assert.equal(answer.status(), 403, path)
      }
    },
    { viewport: phone, site },
  )
  for (const path of ['', '/new', `/${id}`, `/${id}/edit`])
    assert.equal((await fetch(`${address}${path}`, { redirect: 'manual' })).status, 303, path)
  assert.equal(JSON.stringify(await listed()), before)
  assert.equal((await read(merchant, { id })).status, 'approved')
})
