import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addPerson,
  changeAccount,
  completeAccount,
  createAccount,
  forStaff,
  readAccount,
  representative,
  stated,
} from '../support/connected-account.ts'
import { decideCapabilities } from '../support/live.ts'
import { follow, heading, inspect, openLink, press, says, sizes, useSellers } from '../support/onboarding.ts'
import { addStaff } from '../support/staff.ts'
import { beginOnClock, day, minute } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { pdf } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What the page says to a seller whose account is active, restricted or rejected, and in other countries.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const sellers = await useSellers(stack)
const staff = await addStaff(stack)
const { merchant } = stack

test('an active account is told what it has cleared and by when, and provides it again', async () => {
  const { account_id: id } = await completeAccount(merchant)
  await until(async () => (await readAccount(merchant, id)).status === 'active', 'approved')
  await sellers.visit(id, async ({ page }) => {
    await heading(page, 'Your account is active')
    await says(page, /^Needed later: Proof of the business address/)
    await says(page, 'Nothing more is needed now.')
  })
  await changeAccount(merchant, id, { business_profile: { product_description: null } })
  await sellers.visit(id, ({ page }) => says(page, 'After that a part of your account is restricted.'))
  await changeAccount(merchant, id, { company: { registration_number: null } })
  // Each has a deadline of its own, and the first is not that of the account.
  await sellers.visit(id, ({ page }) => says(page, 'After that your account or a part of it is restricted.'))
  await changeAccount(merchant, id, { business_profile: stated.business_profile })
  await sellers.visit(
    id,
    async ({ page }) => {
      await heading(page, 'We need more from you')
      await says(page, /^You can go on selling\. Please provide what is missing by/)
      await says(page, 'After that your account is restricted.')
      await says(page, 'Missing: Registration number')
      await inspect(page, 'active-due')
      await follow(page, 'Continue')
      await heading(page, 'Your organization')
      assert.equal(await page.getByLabel('Company', { exact: true }).count(), 0, 'the type stays')
      await page.getByLabel('Registration number').fill('RC765438')
      await press(page, 'Save and continue')
      await heading(page, 'Your account is active')
    },
    { script: true },
  )
})

test('a restricted account is told so, is checked once the document has arrived, and keeps its type', async () => {
  const owner = await beginOnClock(api)
  await owner.attach({ account_id: owner.accountId })
  const { account_id: id } = await completeAccount(owner.merchant)
  const after = (ms: number) => owner.advance({ to: new Date(Date.parse(owner.clock.frozen_time) + ms).toISOString() })
  for (const ms of [minute, 31 * day, 46 * day]) await after(ms)
  assert.equal((await readAccount(owner.merchant, id)).status, 'restricted')
  const url = sellers.pages.addressOf(await openLink(owner.merchant, id))
  await sellers.visitBy(
    url,
    async ({ page }) => {
      await heading(page, 'Your account is restricted')
      await says(page, 'Missing: Proof of the business address')
      await inspect(page, 'restricted')
      await follow(page, 'Continue')
      const form = page.getByRole('region', { name: /^Proof of the business address/ })
      const file = { name: 'bill.pdf', mimeType: 'application/pdf', buffer: pdf }
      await form.getByLabel(/[Pp]hoto or file/).setInputFiles(file)
      await form.getByRole('button', { name: /^Send/ }).click()
      await says(page, 'You have sent bill.pdf.')
      await follow(page, /^Continue/)
      await heading(page, 'We are checking your details')
      await page.goto(`${sellers.pages.base}/onboarding/business`)
      await page.getByLabel('Sole proprietor', { exact: true }).check()
      await page.getByLabel('Name that buyers see').fill('Corrected Books')
      await press(page, 'Save and continue')
      await says(page, 'The type of a business that was active once cannot be changed.')
    },
    { script: true },
  )
  const now = await readAccount(owner.merchant, id)
  assert.deepEqual([now.status, now['business_type']], ['under_review', 'company'])
  assert.partialDeepStrictEqual(now, { business_profile: { name: 'Corrected Books' } })
})

test('a rejected account is told why, and has nothing to change', async () => {
  const { account_id: id } = await completeAccount(merchant, { company: { registration_number: 'RC120009' } })
  await sellers.visit(
    id,
    async ({ page }) => {
      await heading(page, 'We are checking your details')
      await heading(page, 'Your account was not accepted')
      await says(page, 'Reason: the sandbox rejects numbers that end in 0009')
      await inspect(page, 'rejected')
      await page.goto(`${sellers.pages.base}/onboarding/business`)
      await page.getByLabel('Name that buyers see').fill('Another name')
      await press(page, 'Save and continue')
      await says(page, 'That’s no longer possible.')
    },
    { script: true },
  )
  assert.doesNotMatch(JSON.stringify(await readAccount(merchant, id)), /Another name/)
})

test('what a capability asks for that operators have made inactive has its place on the page', async () => {
  const { account_id: id } = await createAccount(merchant)
  await decideCapabilities(stack, { accountId: id, environment: 'sandbox' }, { payouts: 'inactive' })
  assert.ok((await readAccount(merchant, id)).requirements.currently_due.includes('representative.id_document'))
  await sellers.visit(
    id,
    async ({ page }) => {
      await page.getByRole('region', { name: /^Your identity document/ }).waitFor()
    },
    { path: '/documents' },
  )
})

test('an own account that has asked for what its country lacks can state that country', async () => {
  const { merchant: own, accountId } = await api.addMerchant('live')
  const path = `/v1/accounts/${accountId}/capabilities/virtual_accounts`
  assert.equal((await own.call('POST', path, { requested: true })).status, 200)
  await sellers.visitBy(
    sellers.pages.addressOf(await openLink(own, accountId)),
    async ({ page }) => {
      await page.getByLabel('Country').selectOption('GB')
      await page.getByLabel('Company', { exact: true }).check()
      await page.getByLabel('Name that buyers see').fill('Example Books')
      await page.getByLabel('What you sell', { exact: true }).selectOption('ebooks')
      await page.getByLabel('Describe what you sell').fill('School books in print and for reading on a phone')
      await page.getByLabel('Email').fill('books@example.com')
      await press(page, 'Save and continue')
      await heading(page, 'Your organization')
    },
    { path: '/business' },
  )
  assert.equal((await readAccount(own, accountId))['country'], 'GB')
})

test('a list of persons that was opened before the owners were confirmed takes nothing back', async () => {
  const { account_id: id } = await createAccount(merchant)
  await addPerson(merchant, id, representative)
  await sellers.visit(
    id,
    async ({ page: older, context }) => {
      await heading(older, 'Owners and directors')
      const newer = await context.newPage()
      await newer.goto(older.url())
      await newer.getByLabel(/Everybody who owns/).check()
      for (const page of [newer, older]) {
        await press(page, 'Save and continue')
        await heading(page, 'Your documents')
      }
      assert.partialDeepStrictEqual(await readAccount(merchant, id), { company: { owners_provided: true } })
      await newer.goto(`${sellers.pages.base}/onboarding/people`)
      await newer.getByLabel(/Everybody who owns/).uncheck()
      await press(newer, 'Save and continue')
      await says(newer, 'Confirm that everybody is listed.')
      assert.partialDeepStrictEqual(await readAccount(merchant, id), { company: { owners_provided: false } })
    },
    { path: '/people' },
  )
})

test('terms and owners that staff ask for again are told with the reason, and answered', async () => {
  const { account_id: id } = await completeAccount(merchant, forStaff)
  const owners = { code: 'owners', reason: 'Who owns the other 40 %?' }
  const terms = { code: 'terms_acceptance', reason: 'Accepted by somebody else' }
  const review = { decision: 'request_information', errors: [owners, terms] }
  assert.equal((await staff.call('POST', `/api/v1/admin/accounts/${id}/review`, review)).status, 200)
  await sellers.visit(id, async ({ page }) => {
    await heading(page, /^Set up/)
    await follow(page, 'Continue')
    await heading(page, 'Owners and directors')
    await press(page, 'Save and continue')
    await says(page, owners.reason)
    assert.equal(await page.getByText('Complete every owner').count(), 0)
    const person = { ...representative, roles: ['owner'], percent_ownership: 40 }
    await addPerson(merchant, id, person)
    await press(page, 'Save and continue')
    await heading(page, 'Check your details')
    await says(page, terms.reason)
    await page.getByLabel(/These details are true/).check()
    await press(page, 'Submit')
    await heading(page, 'We are checking your details')
  })
})

test('what becomes due while the last page is open is shown in place of “Your details have been sent”', async () => {
  const { account_id: id } = await completeAccount(merchant, forStaff)
  const errors = [{ code: 'terms_acceptance', reason: 'Accepted by somebody else' }]
  const asked = { decision: 'request_information', errors }
  assert.equal((await staff.call('POST', `/api/v1/admin/accounts/${id}/review`, asked)).status, 200)
  await sellers.visit(
    id,
    async ({ page }) => {
      await heading(page, 'Check your details')
      await changeAccount(merchant, id, { email: null })
      await page.getByLabel(/These details are true/).check()
      await press(page, 'Submit')
      await says(page, 'Before you can submit, complete')
      await heading(page, 'Check your details')
      assert.equal(await page.getByText('Your details have been sent.').count(), 0)
      await changeAccount(merchant, id, { email: 'books@example.com' })
      assert.equal((await readAccount(merchant, id)).status, 'under_review')
    },
    { path: '/review' },
  )
})

for (const [country, type, steps] of [
  ['GB', 'individual', ['Your business', 'About you', 'Your documents', 'Check and submit']],
  [
    'GH',
    'non_profit',
    ['Your business', 'Your organization', 'About you', 'Owners and directors', 'Your documents', 'Check and submit'],
  ],
] as const) {
  test(`the steps of ${type} in ${country} are those in which something is asked for`, async () => {
    const { account_id: id } = await createAccount(merchant, { country, business_type: type })
    await sellers.visit(
      id,
      async ({ page }) => {
        await heading(page, /^Set up/)
        assert.deepEqual(await page.locator('.tasks a').allInnerTexts(), steps)
        await follow(page, 'About you')
        const isOwner = page.getByLabel('I own a part of it')
        const isDirector = page.getByLabel('I am a director')
        assert.deepEqual([await isOwner.count(), await isDirector.count()], [0, type === 'non_profit' ? 1 : 0])
        assert.equal(await page.getByLabel('Country of the address').inputValue(), country)
      },
      { viewport: sizes.desktop },
    )
  })
}

test('a charity without a director is asked for one, and a known person is corrected and removed', async () => {
  const { account_id: id } = await createAccount(merchant, { country: 'GB', business_type: 'non_profit' })
  await sellers.visit(
    id,
    async ({ page }) => {
      await press(page, 'Save and continue')
      await says(page, 'Add at least one director')
      await follow(page, 'Add a person')
      await page.getByLabel('First name').fill('Ben')
      await page.getByLabel('Last name').fill('Okoro')
      await page.getByLabel('Date of birth').fill('2999-01-01')
      await page.getByLabel('Is a director').check()
      await press(page, 'Save')
      await says(page, 'Enter a date of birth in the past.')
      await page.getByLabel('Date of birth').fill('1985-01-31')
      await press(page, 'Save')
      await says(page, 'Saved.')
      await follow(page, 'Change Ben Okoro')
      await page.getByLabel('Last name').fill('Okoro-Bell')
      await says(page, 'Provided. Leave this empty to keep it.')
      await press(page, 'Save')
      await says(page, 'Ben Okoro-Bell')
      await press(page, 'Save and continue')
      await heading(page, 'Your documents')
      await page.goto(`${sellers.pages.base}/onboarding/people`)
      await follow(page, 'Remove Ben Okoro-Bell')
      await heading(page, 'Remove Ben Okoro-Bell?')
      await inspect(page, 'remove-person')
      await press(page, 'Remove the person')
      await says(page, 'The person was removed.')
    },
    { path: '/people', script: true },
  )
  assert.deepEqual((await readAccount(merchant, id)).persons, [])
})
