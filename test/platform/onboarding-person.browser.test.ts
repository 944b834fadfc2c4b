import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { addPerson, createAccount, personPath, readAccount, representative } from '../support/connected-account.ts'
import { follow, heading, press, says, useSellers } from '../support/onboarding.ts'
import { useStack } from '../support/use-stack.ts'

// What a person of a company owns and directs, on the hosted page of its seller.
const stack = await useStack({ invariants: 'at the end' })
const { merchant } = stack
const sellers = await useSellers(stack)

const readPerson = async (id: string, personId: string) => (await merchant.call('GET', personPath(id, personId))).body
const continueOn = (page: Page) => press(page, 'Save and continue')
const onlyOwners = /^Only an owner has a share\./

test('a representative who no longer owns a part has no share, also where something else is wrong', async () => {
  const { account_id: id } = await createAccount(merchant)
  const personId = await addPerson(merchant, id, representative)
  await sellers.visit(
    id,
    async ({ page }) => {
      await page.getByLabel('I own a part').uncheck()
      await page.getByLabel('Phone number').fill('12')
      await continueOn(page)
      await says(page, 'Please correct the following. Everything else is saved.')
      assert.equal(await page.getByText(onlyOwners).count(), 0)
      assert.equal(await page.getByLabel(/^Share in percent/).inputValue(), '')
      await page.getByLabel('Phone number').fill('+2348012345678')
      await continueOn(page)
      await heading(page, 'Owners and directors')
    },
    { path: '/person' },
  )
  assert.partialDeepStrictEqual(await readPerson(id, personId), {
    roles: ['representative', 'director'],
    percent_ownership: null,
  })
})

test('an owner who only directs from now on has no share; nobody loses one for want of a role', async () => {
  const { account_id: id } = await createAccount(merchant)
  const personId = await addPerson(merchant, id, { ...representative, roles: ['owner'] })
  await sellers.visit(
    id,
    async ({ page }) => {
      await page.getByLabel('Owns a part').uncheck()
      await press(page, 'Save')
      await says(page, 'Choose at least one.')
      assert.partialDeepStrictEqual(await readPerson(id, personId), { roles: ['owner'], percent_ownership: 60 })
      await page.getByLabel('Is a director').check()
      await press(page, 'Save')
      await heading(page, 'Owners and directors')
    },
    { path: `/people/${personId}` },
  )
  assert.partialDeepStrictEqual(await readPerson(id, personId), { roles: ['director'], percent_ownership: null })
})

test('a share of somebody who is not said to own anything is refused in words that help', async () => {
  const { account_id: id } = await createAccount(merchant)
  await sellers.visit(
    id,
    async ({ page }) => {
      await page.getByLabel('First name').fill('Ben')
      await page.getByLabel('Last name').fill('Okoro')
      await page.getByLabel('Date of birth').fill('1985-01-31')
      await page.getByLabel('Is a director').check()
      await page.getByLabel(/^Share/).fill('40')
      await press(page, 'Save')
      await says(page, onlyOwners)
      assert.equal(await page.getByLabel(/^Share/).inputValue(), '40')
      await page.getByLabel('Date of birth').fill('1985-01-31')
      await page.getByLabel('Owns a part').check()
      await press(page, 'Save')
      await says(page, 'owns 40 %')
      await follow(page, 'Ben Okoro')
      await page.getByLabel(/^Share/).fill('140')
      await press(page, 'Save')
      await says(page, onlyOwners)
    },
    { path: '/people/new' },
  )
  const { persons } = await readAccount(merchant, id)
  assert.deepEqual(
    persons.map(({ roles }) => roles),
    [['owner', 'director']],
  )
})
