import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { changeAccount, completeAccount, createAccount, forStaff, readAccount } from '../support/connected-account.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'

// What staff do in a browser about an account that awaits a decision.
const desk = await useDesk()
const { stack, pages, visit } = desk
const { merchant } = stack
const hostile = { first_name: '<b>Ada</b>', last_name: `O’Obi ${'x'.repeat(60)}` }

async function awaiting(): Promise<string> {
  const { account_id: id, status } = await completeAccount(merchant, { ...forStaff, representative: hostile })
  assert.equal(status, 'under_review')
  await stack.dispatched()
  return id
}

const statusOf = async (id: string) => (await readAccount(merchant, id)).status
const open = async (page: Page, id: string) => {
  await page.goto(`${pages.base}/ops/accounts/${id}`)
  await heading(page, 'Example Books')
}

for (const viewport of [phone, desktop]) {
  test(`an account is found in the queue, claimed, looked at and approved, ${viewport.width} wide`, async () => {
    const id = await awaiting()
    const work = async (page: Page) => {
      await page.getByLabel('Type').selectOption('account')
      await press(page, 'Show')
      const row = page.getByRole('row').filter({ hasText: id })
      assert.match(await row.innerText(), /Account\s*: Example Books[\s\S]*a new account/)
      await looked(page, 'queue-accounts')
      await press(page, `Claim and open ${id}`)
      await heading(page, 'Example Books')
      const shown = await looked(page, 'account')
      assert.match(shown, /Awaiting a decision\. Until then it takes no payments/)
      assert.match(shown, /Registration number\s+RC120008/)
      assert.match(shown, /To decide\s+[\s\S]*Certificate of incorporation/)
      assert.match(shown, /ID number\s+Provided, ends in 5678/)
      assert.match(shown, /<b>Ada<\/b> O’Obi x+/)
      assert.match(shown, /Claimed\s+By A Person/)
      assert.match(shown, /Complete; held for a decision[\s\S]*Waiting for a reviewer/)
      assert.doesNotMatch(await page.content(), /22212345678|1990-04-12|signature=/)
      const temporal = page.getByRole('link', { name: 'Open in the Temporal UI' })
      assert.match((await temporal.getAttribute('href')) ?? '', new RegExp(`/workflows/account%2F${id}$`))
      await press(page, 'Approve')
      await page.getByText('Decision saved.').waitFor()
      assert.match(await looked(page, 'account-approved'), /Active\. No action needed\./)
      assert.equal(await page.getByRole('button', { name: 'Approve', exact: true }).count(), 0)
    }
    await visit(await desk.addReviewer(), work, { viewport })
    assert.equal(await statusOf(id), 'active')
  })
}

test('a document is opened by a link that is made then, and is nobody else’s', async () => {
  const id = await awaiting()
  await visit(await desk.addReviewer(), async (page) => {
    await open(page, id)
    const link = page.getByRole('link', { name: /^Certificate of incorporation/ })
    const path = String(await link.getAttribute('href'))
    assert.match(path, /^\/ops\/accounts\/acct_\w+\/documents\/doc_\w+$/)
    const answer = await page.request.get(pages.base + path)
    assert.equal(answer.status(), 200)
    assert.match(answer.url(), /\/documents\/doc_\w+\?expires=\d+&signature=/)
    assert.match((await answer.body()).toString('latin1'), /^%PDF/)
    assert.equal(answer.headers()['cache-control'], 'private, no-store')
    const other = await awaiting()
    const stray = await page.request.get(`${pages.base}/ops/accounts/${other}/documents/${path.split('/').at(-1)}`)
    assert.match(stray.url(), new RegExp(`/ops/accounts/${other}$`))
    const stranger = await fetch(pages.base + path, { redirect: 'manual' })
    assert.equal(stranger.headers.get('location'), '/ops/login')
  })
})

for (const script of [false, true]) {
  test(`information is asked for code by code, what was typed is kept on an error, script ${script}`, async () => {
    const id = await awaiting()
    const work = async (page: Page) => {
      await open(page, id)
      await page.getByText('Ask for information…').click()
      await press(page, 'Ask for information')
      await page.getByText('Write beside at least one line').waitFor()
      await type(page.getByLabel(/^Registration number/), 'It is not in the register.')
      await type(page.getByLabel(/^Certificate of incorporation/), 'The lower half is missing.')
      await page.locator('#decide-reason').fill('Please send both again.')
      await press(page, 'Approve')
      await page.getByText('You have written what to ask for.').waitFor()
      assert.equal(await page.getByLabel(/^Registration number/).inputValue(), 'It is not in the register.')
      await looked(page, 'account-ask')
      await press(page, 'Ask for information')
      await page.getByText('Decision saved.').waitFor()
      assert.match(await looked(page, 'account-asked'), /Asked for again\s+Registration number: It is not/)
    }
    await visit(await desk.addReviewer(), work, { script })
    const { status, status_reason: reason, requirements } = await readAccount(merchant, id)
    assert.deepEqual([status, reason], ['onboarding', 'Please send both again.'])
    assert.deepEqual(requirements.errors.map(({ code, reason: why }) => [code, why]).toSorted(), [
      ['company.certificate_of_incorporation', 'The lower half is missing.'],
      ['company.registration_number', 'It is not in the register.'],
    ])
  })
}

test('a rejection needs a reason, which the account reads', async () => {
  const id = await awaiting()
  await visit(await desk.addReviewer(), async (page) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await open(page, id)
    await press(page, 'Reject permanently')
    await page.getByText('Enter a reason of at most 500 characters.').waitFor()
    await page.keyboard.type('It sells what nobody may sell.')
    await looked(page, 'account-reject-dark')
    await press(page, 'Reject permanently')
    await page.getByText('Decision saved.').waitFor()
    assert.match(await looked(page, 'account-rejected-dark'), /Permanently rejected/)
  })
  const { status, status_reason: reason } = await readAccount(merchant, id)
  assert.deepEqual([status, reason], ['rejected', 'It sells what nobody may sell.'])
})

test('an old page does not decide an account that has changed, nor one that somebody else has claimed', async () => {
  const [ada, ben] = [await desk.addReviewer('Ada Obi'), await desk.addReviewer('Ben Okoro')]
  const id = await awaiting()
  await visit(ada, async (page) => {
    await open(page, id)
    await page.locator('#decide-reason').fill('All is right.')
    await changeAccount(merchant, id, { company: { registration_number: 'RC220008' } })
    await press(page, 'Approve')
    await page.getByText('Not saved: someone else has decided or claimed it').waitFor()
    assert.equal(await page.locator('#decide-reason').inputValue(), 'All is right.')
    assert.match(await looked(page, 'account-changed'), /RC220008/)
    await press(page, 'Claim')
    await heading(page, 'Example Books')
  })
  await visit(ben, async (page) => {
    await open(page, id)
    await press(page, 'Approve')
    await page.getByText('Not saved: someone else has decided or claimed it').waitFor()
  })
  assert.equal(await statusOf(id), 'under_review')
})

test('by keyboard alone, and from the look-up by id: approve', async () => {
  const id = await awaiting()
  await visit(await desk.addReviewer(), async (page) => {
    await page.goto(`${pages.base}/ops/timelines?id=${id}`)
    await page.waitForURL(`${pages.base}/ops/accounts/${id}`)
    await heading(page, 'Example Books')
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate('document.activeElement.value === "approve"')) break
    }
    await page.keyboard.press('Enter')
    await page.getByText('Decision saved.').waitFor()
  })
  assert.equal(await statusOf(id), 'active')
})

test('an account that awaits nothing has no form, and people of an organization see none of it', async () => {
  const { account_id: id } = await createAccount(merchant, { business_profile: { name: 'Example Books' } })
  await visit(await desk.addReviewer(), async (page) => {
    await open(page, id)
    assert.match(await looked(page, 'account-onboarding'), /Something is missing\. No action needed/)
    assert.equal(await page.getByRole('button', { name: 'Approve', exact: true }).count(), 0)
    const answer = await page.goto(`${pages.base}/ops/accounts/acct_x`)
    assert.equal(answer?.status(), 404)
  })
  await visit(await desk.logins.addPerson({ role: 'owner' }), async (page) => {
    const answer = await page.goto(`${pages.base}/ops/accounts/${id}`)
    assert.equal(answer?.status(), 403)
    await page.getByText('The review desk is for reviewers of the platform.').waitFor()
  })
})
