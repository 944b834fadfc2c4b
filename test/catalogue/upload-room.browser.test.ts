import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sentKilobytesMax, unattachedBytesMax } from '../../domain/catalogue/upload.ts'
import { createAccount } from '../support/connected-account.ts'
import { withDisputePages } from '../support/dispute-pages.ts'
import { useSellers } from '../support/onboarding.ts'
import { press, useDesk } from '../support/review-desk.ts'
import { addImage, png, pngOf } from '../support/upload.ts'

// What pages with a file say while the uploads that nothing uses take all that an account may have.
const desk = await useDesk()
const { stack, visit, pages } = desk
const { owner, open, raise } = withDisputePages(desk)
const site = '/dashboard' as const
const file = { name: 'a.png', mimeType: 'image/png', buffer: png }

/** Does something while there is no room for an upload of this account. */
async function withoutRoom(accountId: string, work: () => Promise<void>): Promise<void> {
  const large = await addImage(stack.merchant)
  const change = 'update uploads set account_id = ?, size = ? where id = ?'
  await stack.sql(change, [accountId, unattachedBytesMax, large])
  try {
    await work()
  } finally {
    await stack.sql(change, [stack.organizationId, png.length, large])
  }
}

/** Does something once the organization has sent all that it may send in a day. */
async function afterADay(work: () => Promise<void>): Promise<void> {
  const subject = `uploads:${stack.organizationId}:sandbox`
  await addImage(stack.merchant) // so that there is a count
  await stack.sql('update rate_windows set hits = ? where subject = ?', [sentKilobytesMax, subject])
  try {
    await work()
  } finally {
    await stack.sql('delete from rate_windows where subject = ?', [subject])
  }
}

async function saysSo(page: Page): Promise<void> {
  await page.locator('.error, [role=alert]').first().waitFor({ timeout: 15_000 })
  const text = await page.locator('main').innerText()
  assert.match(text, /There is no room for this file at the moment/)
  assert.doesNotMatch(text, /locked|no longer possible|Choose a PNG|the drafts of your organization/)
}

test('the evidence of a dispute says so at the file, keeps what was typed, and is not said to be locked', async () => {
  const dispute = await raise()
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.getByLabel('Carrier', { exact: true }).fill('A carrier')
      await page.getByLabel('Add a document').setInputFiles(file)
      await withoutRoom(stack.organizationId, () => press(page, 'Save draft').then(() => saysSo(page)))
      await page.getByLabel('Add a document').setInputFiles(file)
      await afterADay(() => press(page, 'Save draft').then(() => saysSo(page)))
      assert.equal(await page.getByLabel('Carrier', { exact: true }).inputValue(), 'A carrier')
    },
    { site },
  )
})

test('a product says so at the image, and keeps what was typed', async () => {
  await visit(
    await owner(),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/products/new`)
      await page.getByLabel('Name', { exact: true }).fill('A poster')
      await page.getByLabel('Add an image').setInputFiles(file)
      await withoutRoom(stack.organizationId, () => press(page, 'Create the product').then(() => saysSo(page)))
      // Another file: the same one of the same form is answered as before.
      await page.getByLabel('Add an image').setInputFiles({ ...file, buffer: pngOf(1_000) })
      await afterADay(() => press(page, 'Create the product').then(() => saysSo(page)))
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'A poster')
    },
    { site },
  )
})

test('a seller is told so at the document, which is not said to be no longer possible', async () => {
  const sellers = await useSellers(stack)
  const { account_id: id } = await createAccount(stack.merchant)
  await sellers.visit(
    id,
    async ({ page }) => {
      const form = page.locator('section.document', { has: page.locator('input[type=file]') }).first()
      await form.locator('input[type=file]').setInputFiles(file)
      await withoutRoom(id, () =>
        form
          .locator('button')
          .click()
          .then(() => saysSo(page)),
      )
      await form.locator('input[type=file]').setInputFiles(file)
      await afterADay(() =>
        form
          .locator('button')
          .click()
          .then(() => saysSo(page)),
      )
    },
    { path: '/documents' },
  )
})
