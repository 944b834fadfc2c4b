import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withDisputePages } from '../support/dispute-pages.ts'
import { press, useDesk } from '../support/review-desk.ts'
import { addImage, png } from '../support/upload.ts'

// What the form of the evidence says where it is not saved or not submitted.
const narrow = { width: 360, height: 740 }
const desk = await useDesk()
const { stack, visit } = desk
const { disputes, folder, owner, open, raise } = withDisputePages(desk)
const site = '/dashboard' as const

const evidenceOf = async (id: string) => (await disputes.read(id))['evidence'] as Record<string, string | null>
const choose = (page: Page, name: string) =>
  page.getByLabel('Add a document').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: png })

test('an older draft that names no payment as the other one is marked where it is submitted', async () => {
  const { dispute_id: id } = await raise()
  const old = `update disputes set evidence = evidence || '{"duplicate_charge_id": "their order 7"}' where id = ?`
  await stack.sql(old, [id])
  await visit(
    await owner(),
    async (page) => {
      await page.goto(`${folder}/${id}/submit`)
      await press(page, 'Submit the evidence')
      await page.getByText('Not submitted. Check what is marked below.').waitFor()
      assert.ok(await page.locator('#duplicate_charge_id-error').isVisible())
      assert.equal(await page.evaluate('document.activeElement.id'), 'duplicate_charge_id')
      await page.getByLabel('Id of the other payment').fill('')
      await page.getByLabel('Why the two payments are not the same').fill('Two orders')
      await press(page, 'Review and submit…')
      await press(page, 'Submit the evidence')
      await page.getByText('Evidence submitted.').waitFor()
    },
    { viewport: narrow, site },
  )
})

test('an id that is no other payment is told in its own words, and its blanks are left out', async () => {
  const dispute = await raise({ reason: 'duplicate' })
  const other = await stack.merchant.chargeByCard()
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      const field = page.getByLabel('Id of the other payment')
      await field.fill('their order 7')
      await press(page, 'Save draft')
      await page
        .getByText('Enter the id of another payment of yours. It begins with pay_. Or leave this empty.')
        .waitFor()
      await field.fill(` ${other}\n`)
      await press(page, 'Save draft')
      await page.getByText('Draft saved.').waitFor()
      assert.equal((await evidenceOf(dispute.dispute_id))['duplicate_charge_id'], other)
    },
    { viewport: narrow, site },
  )
})

test('a file that is added does not replace the document that somebody else has chosen meanwhile', async () => {
  const dispute = await raise({ reason: 'unrecognized' })
  const { dispute_id: id } = dispute
  const attached = async () => (await evidenceOf(id))['receipt_attachment_id']
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      const more = { file: await addImage(stack.merchant), purpose: 'receipt' }
      const theirs = (await stack.merchant.call('POST', `/v1/disputes/${id}/documents`, more)).body['document_id']
      await disputes.change(id, { receipt_attachment_id: theirs })
      await choose(page, 'mine.png')
      await press(page, 'Save draft')
      await page.getByText('Somebody else has chosen otherwise here meanwhile.').waitFor()
      assert.equal(await attached(), theirs)
      await choose(page, 'mine.png')
      await press(page, 'Save draft')
      await page.getByText('Draft saved, and document added.').waitFor()
      assert.notEqual(await attached(), theirs)
    },
    { viewport: narrow, site },
  )
})

test('a long change is saved as a whole, also where a part of it alone would be too long', async () => {
  const dispute = await raise()
  const { dispute_id: id } = dispute
  const full = 'x'.repeat(20_000)
  const kept = ['billing_address', 'cancellation_policy_disclosure', 'cancellation_rebuttal', 'customer_purchase_ip']
  const long = [...kept, 'product_description', 'refund_refusal_explanation', 'uncategorized_text']
  const stored = { ...Object.fromEntries(long.map((key) => [key, full])), access_activity_log: 'x'.repeat(9_000) }
  await disputes.change(id, stored)
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`)
      await page.getByLabel('Logins and downloads', { exact: true }).fill('漢'.repeat(20_000))
      await page.getByLabel('Description', { exact: true }).fill('字'.repeat(20_000))
      await page.getByLabel('Anything else', { exact: true }).fill('x'.repeat(9_000))
      await press(page, 'Save draft')
      await page.getByText(/Draft saved\.|texts together are too long/).waitFor()
      const evidence = await evidenceOf(id)
      const lengths = ['access_activity_log', 'uncategorized_text'].map((key) => evidence[key]?.length)
      assert.deepEqual(lengths, [20_000, 9_000])
    },
    { viewport: narrow, site },
  )
})

test('where drafts have taken too much in a day, what was typed is submitted without a draft', async () => {
  const dispute = await raise()
  const { dispute_id: id } = dispute
  await stack.sql(
    `insert into rate_windows (subject, window_start, hits) values (?, now() + interval '1 hour', 200000)
     on conflict (subject) do update set hits = excluded.hits`,
    [`drafts:${stack.organizationId}:sandbox`],
  )
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`)
      await page.getByLabel('Anything else', { exact: true }).fill('One line\n\nand “another”')
      await press(page, 'Save draft')
      await page.getByText('Not saved: the drafts of your organization have taken too much in a day.').waitFor()
      await choose(page, 'mine.png')
      await press(page, 'Review and submit…')
      await page.getByText('mine.png').waitFor()
      const form = `[...new FormData(document.querySelector('form[action$="/evidence"]'))]`
      const sent = Object.fromEntries(await page.evaluate<[string, string][]>(form))
      await press(page, 'Submit the evidence')
      await page.getByText('Evidence submitted.').waitFor()
      // The same once more, as after an answer that was lost, and what was typed too late.
      const resend = async (more: object) => {
        const headers = { 'sec-fetch-site': 'same-origin' }
        const answer = await page.request.post(`${folder}/${id}/evidence`, { headers, multipart: { ...sent, ...more } })
        return answer.text()
      }
      const again = await resend({})
      assert.match(again, /The dispute has changed meanwhile\. This is its current state\./)
      assert.doesNotMatch(again, /not saved|Submit the evidence\?/i)
      const late = await resend({ shipping_carrier: 'Typed too late', form_key: randomUUID() })
      assert.match(late, /Not saved: the evidence is locked[\s\S]*Typed too late/)
      assert.doesNotMatch(late, /Submit the evidence\?/)
    },
    { viewport: narrow, site },
  )
  const { uncategorized_text: text, ...rest } = await evidenceOf(id)
  assert.equal(text, 'One line\n\nand “another”')
  assert.ok(Object.entries(rest).some(([key, value]) => key.endsWith('_attachment_id') && value))
  await stack.sql('delete from rate_windows where subject = ?', [`drafts:${stack.organizationId}:sandbox`])
})
