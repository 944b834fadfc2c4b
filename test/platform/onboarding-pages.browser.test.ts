import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  completeAccount,
  type ConnectedAccount,
  createAccount,
  forStaff,
  readAccount,
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
  await form.getByLabel(/^(Photo or file|Send another)/).setInputFiles({ name, mimeType, buffer })
  await form.getByRole('button').click()
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
  await heading(page, 'Your company')
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
  await page.getByLabel(/^Share of the company/).fill('60')
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
        await until(async () => (await read(id)).status === 'onboarding', 'the sandbox asks again', {
          withinMs: 60_000,
        })
        if (!script) await page.reload()
        await heading(page, /^Set up your account with/)
        await says(page, 'Correct this')
        await follow(page, 'Your company')
        const number = page.getByLabel('Registration number')
        assert.equal(await number.getAttribute('aria-invalid'), 'true')
        await says(page, /the sandbox asks again for numbers that end in 0007/)
        await number.fill('RC123456')
        await continueOn(page)
        await heading(page, 'We are checking your details')
        await until(async () => (await read(id)).status === 'active', 'it is approved', { withinMs: 60_000 })
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
