import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  addPerson,
  completeAccount,
  type ConnectedAccount,
  createAccount,
  forStaff,
  personPath,
  readAccount,
  representative,
  stated,
} from '../support/connected-account.ts'
import { follow, heading, inspect, press, says, sizes, useSellers } from '../support/onboarding.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { pdf, png } from '../support/upload.ts'

// A seller provides what their account has to on the hosted page: with and without script, on a phone and a desktop.
const stack = await useStack({ invariants: 'at the end' })
const { merchant } = stack
const sellers = await useSellers(stack)
const hostile = `<b>Ada</b> "O’Obi" ${'x'.repeat(60)}`

const read = (id: string): Promise<ConnectedAccount> => readAccount(merchant, id)
const continueOn = (page: Page) => press(page, 'Save and continue')

async function fillAddress(page: Page, line1: RegExp): Promise<void> {
  await page.getByLabel(line1).fill('12 Marina Road')
  await page.getByLabel('City').fill('Lagos')
  await page.getByLabel(/^Postal code/).fill('101241')
}

/** Sends a file for the document of this title, as a phone does. */
async function sendFile(page: Page, title: string, name: string, buffer: Buffer, mimeType: string): Promise<void> {
  const form = page.getByRole('region', { name: new RegExp(`^${title}`) })
  await form.getByLabel(/[Pp]hoto or file/).setInputFiles({ name, mimeType, buffer })
  await form.getByRole('button', { name: /^Send/ }).click()
}

/** Everything up to the review page, as a company in Nigeria whose number the test chooses. */
async function fillIn(page: Page, { registration, name = 'Ada' }: { registration: string; name?: string }) {
  await page.getByLabel('Company', { exact: true }).check()
  await page.getByLabel('Name that buyers see').fill('Example Books')
  await page.getByLabel('What you sell', { exact: true }).selectOption('ebooks')
  await page.getByLabel('Describe what you sell').fill('School books in print and for reading on a phone')
  await page.getByLabel(/^Website/).fill('books.example.com')
  await page.getByLabel('Email').fill('Books@Example.com')
  await continueOn(page)
  await heading(page, 'Your organization')
  await page.getByLabel('Registered name').fill('Example Books Ltd')
  await page.getByLabel('Registration number').fill(registration)
  await fillAddress(page, /^Business address/)
  await continueOn(page)
  await heading(page, 'About you')
  await page.getByLabel('Your first name').fill(name)
  await page.getByLabel('Your last name').fill('Obi')
  await page.getByLabel('Date of birth').fill('1990-04-12')
  await page.getByLabel('Phone number').fill('0802 345 6789')
  await page.getByLabel('Number of your identity document').fill('22212345678')
  await fillAddress(page, /^Home address/)
  await page.getByLabel('I own a part').check()
  await page.getByLabel(/^Share in percent/).fill('60')
  await continueOn(page)
  await heading(page, 'Owners and directors')
}

for (const script of [false, true]) {
  test(`a seller completes onboarding on a phone and corrects what a reviewer asks for, script ${script}`, async () => {
    const { account_id: id } = await createAccount(merchant, { business_type: null })
    await sellers.visit(
      id,
      async ({ page }) => {
        await heading(page, /^Set up your account with/)
        await says(page, '0 of')
        await follow(page, 'Start')
        await heading(page, 'Your business')
        await fillIn(page, { registration: 'RC120007' })
        await follow(page, 'Add a person')
        await page.getByLabel('First name').fill('Ben')
        await page.getByLabel('Last name').fill('Okoro')
        await page.getByLabel('Date of birth').fill('1985-01-31')
        await page.getByLabel('Owns a part').check()
        await page.getByLabel(/^Share/).fill('40')
        await press(page, 'Save')
        await says(page, 'owns 40 %')
        await page.getByLabel(/Everybody who owns/).check()
        await continueOn(page)
        await heading(page, 'Your documents')
        await sendFile(page, 'Certificate of incorporation', 'certificate.pdf', pdf, 'application/pdf')
        await says(page, 'You have sent certificate.pdf.')
        await sendFile(page, 'Your identity document', 'passport.png', png, 'image/png')
        await says(page, 'You have sent passport.png.')
        await follow(page, /^Continue/)
        await heading(page, 'Check your details')
        await says(page, 'Provided, ends in 5678.')
        assert.doesNotMatch(await page.content(), /22212345678|1990-04-12/)
        assert.equal((await read(id)).status, 'onboarding', 'not before it is submitted')
        await page.getByLabel(/These details are true/).check()
        await press(page, 'Submit')
        await heading(page, 'We are checking your details')
        await until(async () => (await read(id)).status === 'onboarding', 'the sandbox asks again')
        if (!script) await page.reload()
        await heading(page, /^Set up your account with/)
        await says(page, 'Correct this')
        await follow(page, 'Your organization')
        const number = page.getByLabel('Registration number')
        assert.equal(await number.getAttribute('aria-invalid'), 'true')
        await says(page, /the sandbox asks again for numbers that end in 0007/)
        await number.fill('RC123456')
        await continueOn(page)
        await heading(page, 'We are checking your details')
        await until(async () => (await read(id)).status === 'active', 'it is approved')
        if (!script) await page.reload()
        await heading(page, 'Your account is active')
        await press(page, /^Finish and go back/)
        await heading(page, 'You can close this page')
        await follow(page, /^Back to/)
        await heading(page, 'The platform: done')
      },
      { script },
    )
    const account = await read(id)
    assert.partialDeepStrictEqual(account, {
      email: 'books@example.com',
      business_profile: { name: 'Example Books', website: 'https://books.example.com' },
      company: { name: 'Example Books Ltd', owners_provided: true },
      charges_enabled: true,
      payouts_enabled: true,
    })
    assert.equal(account.persons.length, 2)
  })
}

test('what is wrong is said beside its field, what was typed stays, and what was right is saved', async () => {
  const { account_id: id } = await createAccount(merchant)
  await sellers.visit(
    id,
    async ({ page }) => {
      await heading(page, 'About you')
      await page.getByLabel('Your first name').fill(hostile)
      await page.getByLabel('Date of birth').fill('1990-04-12')
      await page.getByLabel('Phone number').fill('12')
      await page.getByLabel('Number of your identity document').fill('22212345678')
      await page.getByLabel('City').fill('Lagos')
      await continueOn(page)
      await says(page, 'Please correct the following. Everything else is saved.')
      for (const label of ['Your last name', 'Phone number', 'Home address']) {
        assert.equal(await page.getByLabel(label).getAttribute('aria-invalid'), 'true', label)
      }
      assert.equal(await page.getByLabel('Phone number').inputValue(), '12')
      assert.equal(await page.getByLabel('City').inputValue(), 'Lagos')
      assert.equal(await page.getByLabel('Your first name').inputValue(), hostile)
      await says(page, 'Provided, ends in 5678. Leave this empty to keep it.')
      assert.doesNotMatch(await page.content(), /22212345678|1990-04-12/)
      await page.getByLabel('Your last name').fill('Obi')
      await page.getByLabel('Phone number').fill('+44 7911 123456')
      await page.getByLabel(/^Home address/).fill('12 Marina Road')
      await continueOn(page)
      await heading(page, 'Owners and directors')
      await says(page, hostile)
      await continueOn(page)
      await says(page, 'Confirm that everybody is listed.')
      await follow(page, 'Add a person')
      await page.getByLabel('First name').fill('Ben')
      await press(page, 'Save')
      await says(page, 'Choose at least one.')
      assert.equal(await page.getByLabel('First name').inputValue(), 'Ben')
      assert.equal((await read(id)).persons.length, 1, 'nobody is added before the person is complete')
    },
    { path: '/person' },
  )
})

test('where one wrong field hides another, everything else is saved before the page says so', async () => {
  const { account_id: id } = await createAccount(merchant)
  await addPerson(merchant, id, { ...representative, roles: ['owner'], first_name: 'Ben', percent_ownership: 60 })
  await sellers.visit(
    id,
    async ({ page }) => {
      await page.getByLabel('Your first name').fill('Ada')
      await page.getByLabel('Phone number').fill('12')
      await page.getByLabel('Number of your identity document').fill('22212345678')
      await page.getByLabel('I own a part').check()
      await page.getByLabel(/^Share in percent/).fill('60')
      await continueOn(page)
      await says(page, 'Please correct the following. Everything else is saved.')
      for (const label of ['Phone number', 'Share in percent'])
        assert.equal(await page.getByLabel(label).getAttribute('aria-invalid'), 'true', label)
      await says(page, 'Provided, ends in 5678. Leave this empty to keep it.')
    },
    { path: '/person' },
  )
  const { persons } = await read(id)
  const own = persons.find(({ roles }) => roles.includes('representative'))
  const { body } = await merchant.call('GET', personPath(id, String(own?.person_id)))
  assert.partialDeepStrictEqual(body, { first_name: 'Ada', percent_ownership: null, phone_number: null })
})

test('of one form in two tabs the older one undoes nothing, and is told what both have changed', async () => {
  const { account_id: id } = await createAccount(merchant)
  const longest = 'ሀ'.repeat(2000)
  await sellers.visit(
    id,
    async ({ page: older, context }) => {
      await heading(older, 'Your business')
      const newer = await context.newPage()
      await newer.goto(older.url())
      await newer.getByLabel('Name that buyers see').fill('New name')
      await newer.getByLabel('Describe what you sell').fill(longest)
      await newer.getByLabel(/^Website/).fill('new.example.com')
      await continueOn(newer)
      await says(newer, 'Please correct the following. Everything else is saved.')
      await older.getByLabel('Name that buyers see').fill('Old name')
      await older.getByLabel('Email').fill('old@example.com')
      await continueOn(older)
      await says(older, 'This was changed in another tab to “New name” meanwhile. Save again to replace it.')
      assert.equal(await older.getByLabel(/^Website/).inputValue(), 'https://new.example.com')
      const profile = async () => (await read(id))['business_profile'] as Record<string, string>
      assert.equal((await profile())['name'], 'New name')
      assert.equal((await profile())['product_description'], longest)
      assert.equal((await read(id))['email'], 'old@example.com')
      await continueOn(older)
      await older.getByText('This was changed in another tab').waitFor({ state: 'detached' })
      await says(older, 'Please correct the following. Everything else is saved.')
      assert.equal((await profile())['name'], 'Old name')
      assert.equal((await profile())['website'], 'https://new.example.com')

      const person = { ...representative, roles: ['director'], percent_ownership: null }
      const personId = await addPerson(merchant, id, person)
      for (const page of [older, newer]) await page.goto(`${sellers.pages.base}/onboarding/people/${personId}`)
      await newer.getByLabel('Owns a part').check()
      await newer.getByLabel(/^Share in percent/).fill('30')
      await press(newer, 'Save')
      await heading(newer, 'Owners and directors')
      await older.getByLabel('First name').fill('Adaeze')
      await press(older, 'Save')
      await heading(older, 'Owners and directors')
      const { body: known } = await merchant.call('GET', personPath(id, personId))
      assert.partialDeepStrictEqual(known, {
        first_name: 'Adaeze',
        roles: ['owner', 'director'],
        percent_ownership: 30,
      })
    },
    { path: '/business' },
  )
})

test('a website is enough to tell what is sold, and one that is wrong clears no description', async () => {
  const { account_id: id } = await createAccount(merchant, stated)
  await sellers.visit(
    id,
    async ({ page }) => {
      const description = page.getByLabel('Describe what you sell')
      await description.fill('')
      await page.getByLabel(/^Website/).fill('no site')
      await continueOn(page)
      await says(page, 'Enter the address of your website')
      assert.partialDeepStrictEqual((await read(id))['business_profile'], stated.business_profile)
      assert.equal(await description.inputValue(), '')
      await page.getByLabel(/^Website/).fill('books.example.com')
      await continueOn(page)
      await heading(page, 'Your organization')
    },
    { path: '/business' },
  )
  const { business_profile: profile, requirements } = await read(id)
  assert.partialDeepStrictEqual(profile, { product_description: null, website: 'https://books.example.com' })
  assert.ok(!requirements.currently_due.includes('business_profile.product_description'))
})

test('a file that is no document, none at all, or a longer one is refused in words', async () => {
  const { account_id: id } = await completeAccount(merchant, forStaff)
  await sellers.visit(
    id,
    async ({ page }) => {
      const title = 'Certificate of incorporation'
      const button = page.getByRole('button', { name: `Send ${title}` })
      await button.click()
      await says(page, 'Take a photo or choose a file first.')
      await sendFile(page, title, 'words.pdf', Buffer.from('no document'), 'application/pdf')
      await says(page, 'Send a photo (JPEG, PNG or WebP) or a PDF.')
      await sendFile(page, title, 'long.pdf', Buffer.concat([pdf], 10 * 1024 * 1024 + 1), 'application/pdf')
      await says(page, 'This file is empty or larger than 10 MB.')
      await sendFile(page, title, 'a "b" <i>\u202efdp.exe', pdf, 'application/pdf')
      await says(page, /^You have sent/)
      assert.equal(await page.locator('i').count(), 0)
    },
    { path: '/documents' },
  )
  assert.equal((await read(id)).status, 'under_review')
})

test('with script a file that is too long is refused before it is sent', async () => {
  const { account_id: id } = await completeAccount(merchant, forStaff)
  await sellers.visit(
    id,
    async ({ page }) => {
      const sent: string[] = []
      page.on('request', (request) => void sent.push(request.method()))
      await sendFile(page, 'Certificate', 'long.pdf', Buffer.concat([pdf], 10 * 1024 * 1024 + 1), 'application/pdf')
      await says(page, 'This file is larger than 10 MB.')
      assert.ok(!sent.includes('POST'))
    },
    { path: '/documents', script: true },
  )
})

test('by keyboard alone: from the start through a step to the next', async () => {
  const { account_id: id } = await createAccount(merchant)
  await sellers.visit(
    id,
    async ({ page }) => {
      const reach = async (label: string) => {
        for (let step = 0; step < 60; step++) {
          await page.keyboard.press('Tab')
          const focused = await page.evaluate<string>(
            '(document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText || "").trim()',
          )
          if (focused.startsWith(label)) return
        }
        throw new Error(`${label} is not reached`)
      }
      await reach('Start')
      await page.keyboard.press('Enter')
      await heading(page, 'Your business')
      await reach('Name that buyers see')
      await page.keyboard.type('Keys and more')
      await reach('What you sell')
      await page.keyboard.type('Elec')
      await reach('Describe')
      await page.keyboard.type('Everything that has keys')
      await reach('Save and continue')
      await page.keyboard.press('Enter')
      await says(page, 'Enter your email address.')
      assert.equal(await page.evaluate('document.activeElement.id'), 'email')
      await page.keyboard.type('ada@example.com')
      await page.keyboard.press('Enter')
      await heading(page, 'Your organization')
    },
    { script: true },
  )
  assert.partialDeepStrictEqual((await read(id))['business_profile'], { product_category: 'electronics' })
})

const titles: Record<string, string | RegExp> = {
  '': /^Set up your account with/,
  '/business': 'Your business',
  '/company': 'Your organization',
  '/person': 'About you',
  '/people': 'Owners and directors',
  '/people/new': 'Add a person',
  '/documents': 'Your documents',
  '/review': 'Check your details',
}

for (const [width, isDark] of [
  ['phone', false],
  ['phone', true],
  ['desktop', false],
  ['desktop', true],
] as const) {
  test(`every page fits a ${width}, ${isDark ? 'dark' : 'light'}, and has no barrier that axe finds`, async () => {
    const look = { script: true, viewport: sizes[width], isDark }
    const shade = isDark ? 'dark' : 'light'
    const fresh = await createAccount(merchant)
    await sellers.visit(
      fresh.account_id,
      async ({ page }) => {
        for (const [path, title] of Object.entries(titles)) {
          await page.goto(`${sellers.pages.base}/onboarding${path}`)
          await heading(page, title)
          await inspect(page, `new${path.replaceAll('/', '-')}-${shade}`)
        }
        await page.goto(`${sellers.pages.base}/onboarding/person`)
        await page.getByLabel('Your first name').fill(hostile)
        await continueOn(page)
        await says(page, 'Please correct the following.')
        await inspect(page, `person-wrong-${shade}`)
      },
      look,
    )
    const complete = await completeAccount(merchant, { ...forStaff, representative: { first_name: hostile } })
    await sellers.visit(
      complete.account_id,
      async ({ page }) => {
        await heading(page, 'We are checking your details')
        await inspect(page, `checking-${shade}`)
        for (const path of ['/person', '/people', '/documents', '/review']) {
          await page.goto(`${sellers.pages.base}/onboarding${path}`)
          await heading(page, String(titles[path]))
          await inspect(page, `complete${path.replaceAll('/', '-')}-${shade}`)
        }
      },
      look,
    )
  })
}
