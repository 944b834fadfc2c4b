import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fromAnywhere } from '../support/api.ts'
import { withDisputePages } from '../support/dispute-pages.ts'
import { desktop, heading, looked, press, useDesk } from '../support/review-desk.ts'
import { pdf, png } from '../support/upload.ts'
import { until } from '../support/until.ts'

// How people of a merchant answer a dispute in a browser.
const narrow = { width: 360, height: 740 }
const desk = await useDesk()
const { stack, visit } = desk
const { disputes, folder, owner, raise, open, isNow, endWarning } = withDisputePages(desk)
const site = '/dashboard' as const
const hostile = '</textarea><script>alert(2)</script>”\'"&amp;'

const evidenceOf = async (id: string) => (await disputes.read(id))['evidence'] as Record<string, string | null>
const documentsOf = async (id: string) =>
  (await stack.merchant.call('GET', `/v1/disputes/${id}/documents`)).body['items'] as unknown as Record<
    string,
    string
  >[]
/** Opens a group of the form, if it is closed. */
async function unfold(page: Page, title: string): Promise<void> {
  const group = page.locator('details', { has: page.locator('summary', { hasText: title }) })
  if ((await group.getAttribute('open')) === null) await group.locator('summary').click()
}
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Add a document').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

for (const [viewport, script, colorScheme] of [
  [narrow, false, 'light'],
  [narrow, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`evidence is written, read again and submitted once, ${viewport.width} wide, script ${script}`, async () => {
    const dispute = await raise({ reason: 'product_not_received' })
    const { dispute_id: id } = dispute
    await visit(
      await desk.logins.addPerson({ role: 'developer' }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await open(page, dispute)
        await page.getByLabel('Carrier', { exact: true }).fill(hostile)
        await unfold(page, 'Anything else')
        await page.getByLabel('Anything else').fill('\nFirst line\n\nwinning_evidence')
        await choose(page, `proof ${hostile}.pdf`, pdf)
        await looked(page, `evidence-typed-${colorScheme}`)
        await press(page, 'Save draft')
        await page.getByText('Draft saved, and document added.').waitFor()
        const [document] = await documentsOf(id)
        const stored = await evidenceOf(id)
        assert.partialDeepStrictEqual(stored, {
          shipping_carrier: hostile,
          uncategorized_text: '\nFirst line\n\nwinning_evidence',
          shipping_documentation_attachment_id: document?.['document_id'],
          customer_name: 'Ada Buyer',
        })
        assert.equal(await page.getByLabel('Anything else').inputValue(), '\nFirst line\n\nwinning_evidence')
        assert.equal(await page.getByLabel('Carrier', { exact: true }).inputValue(), hostile)
        await looked(page, `evidence-draft-${colorScheme}`)
        // Saved again unchanged, it stays the same, to the last character.
        await press(page, 'Save draft')
        await page.getByText('Draft saved.').waitFor()
        assert.deepEqual(await evidenceOf(id), stored)
        await page.getByLabel('Anything else').fill('winning_evidence')
        await press(page, 'Review and submit…')
        await heading(page, 'Submit the evidence?')
        const asked = await looked(page, `evidence-submit-${colorScheme}`)
        assert.match(
          asked,
          /you can submit only once[\s\S]*Ada Buyer[\s\S]*Carrier[\s\S]*winning_evidence[\s\S]*Proof of delivery/,
        )
        assert.equal((await disputes.read(id)).status, 'needs_response')
        await press(page, 'Submit the evidence')
        await heading(page, /^USD/)
        await page.getByText('Evidence submitted.').waitFor()
        await isNow(id, 'won')
        await open(page, dispute)
        const done = await looked(page, `evidence-won-${colorScheme}`)
        assert.match(done, /Status\s+Won[\s\S]*The card network decided by the evidence[\s\S]*winning_evidence/)
        assert.equal(await page.locator('main form').count(), 0)
        assert.equal((await disputes.read(id))['submission_count'], 1)
      },
      { viewport, script, site },
    )
  })
}

test('a document is opened by a link that expires, and another one of its kind is chosen, or none', async () => {
  const dispute = await raise({ reason: 'unrecognized' })
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      for (const name of ['one.png', 'two.png']) {
        await choose(page, name, png)
        await press(page, 'Save draft')
        await page.getByText('Draft saved, and document added.').waitFor()
      }
      const [one, two] = await documentsOf(dispute.dispute_id)
      const attached = async () => (await evidenceOf(dispute.dispute_id))['receipt_attachment_id']
      assert.equal(await attached(), two?.['document_id'])
      await page.getByLabel('one.png', { exact: true }).check()
      await press(page, 'Save draft')
      await until(async () => (await attached()) === one?.['document_id'], 'the first one is chosen')
      await heading(page, /^USD/)
      await page.getByLabel('Send none').check()
      await press(page, 'Save draft')
      await until(async () => (await attached()) === null, 'none is chosen')
      await heading(page, /^USD/)
      // A browser saves a document, and shows an image.
      await page.getByLabel('What the document shows').selectOption('Proof of delivery')
      await choose(page, 'three.pdf', pdf)
      await press(page, 'Save draft')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Open three.pdf' }).click(),
      ])
      assert.match(download.url(), /\/documents\/doc_\w+\?expires=\d+&signature=/)
      assert.equal(download.suggestedFilename(), 'three.pdf')
    },
    { viewport: narrow, site },
  )
})

test('what is wrong with a file or a text is said where it is, and what was typed stays', async () => {
  const dispute = await raise({ reason: 'fraudulent' })
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      const carrier = page.getByLabel('Carrier', { exact: true })
      for (const [name, bytes, words] of [
        ['notes.txt', Buffer.from('plain text'), 'Choose a PDF, JPEG or PNG.'],
        ['large.pdf', Buffer.concat([pdf], 5 * 1024 * 1024 + 1), 'Choose a file of at most 5 MB'],
        ['empty.pdf', Buffer.alloc(0), 'Choose a file of at most 5 MB'],
      ] as const) {
        await carrier.fill(`With ${name}`)
        await page.getByLabel('What the document shows').selectOption('Receipt or invoice')
        await choose(page, name, bytes)
        await press(page, 'Save draft')
        await page.getByText(words).waitFor()
        await heading(page, /^USD/)
        assert.equal(await carrier.inputValue(), `With ${name}`)
        assert.equal(await page.getByLabel('What the document shows').inputValue(), 'receipt')
        assert.equal(await page.evaluate('document.activeElement.id'), 'file')
      }
      await looked(page, 'evidence-wrong-file')
      assert.equal((await evidenceOf(dispute.dispute_id))['shipping_carrier'], null)
      assert.deepEqual(await documentsOf(dispute.dispute_id), [])
      // Too long, sent by a browser without our limit; the document that came with it is kept, and chosen.
      await page.evaluate(`document.querySelectorAll('textarea').forEach((each) => each.removeAttribute('maxlength'))`)
      await carrier.fill('é'.repeat(20_001))
      await choose(page, 'a.pdf', pdf)
      await press(page, 'Save draft')
      await page.getByText('At most 20,000 characters. This has 20,001.').waitFor()
      assert.equal((await carrier.inputValue()).length, 20_001)
      assert.ok(await page.getByLabel('a.pdf', { exact: true }).isChecked())
      assert.equal(await page.evaluate('document.activeElement.id'), 'shipping_carrier')
      await looked(page, 'evidence-too-long')
    },
    { viewport: narrow, site },
  )
})

test('as much as the contract allows is saved at once, although it is more than most calls take', async () => {
  const dispute = await raise()
  const text = (mark: string) => mark.slice(0, 1) + '漢字かな'.repeat(4_999)
  const short = (one: string | null | undefined) => `${one?.slice(0, 9)} ${one?.length}`
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`)
      const names = [
        'Description',
        'Logins and downloads',
        'Sent to',
        'Carrier',
        'Why no refund is due',
        'Anything else',
      ]
      for (const name of names) await page.getByLabel(name, { exact: true }).fill(text(name))
      await press(page, 'Save draft')
      await page.getByText('Draft saved.').waitFor()
      const stored = await evidenceOf(dispute.dispute_id)
      const kept = ['product_description', 'access_activity_log', 'shipping_address', 'shipping_carrier']
      assert.deepEqual(
        [...kept, 'refund_refusal_explanation', 'uncategorized_text'].map((key) => short(stored[key])),
        names.map(text).map(short),
      )
      for (const name of ['Date of sending', 'Tracking number', 'Why it was not canceled in time'])
        await page.getByLabel(name, { exact: true }).fill(text('x'))
      await press(page, 'Save draft')
      await page.getByText('All texts together are too long. At most 150,000 characters are allowed.').waitFor()
    },
    { viewport: narrow, site },
  )
})

test('two people at once do not replace each other’s texts, and submit only what they have read', async () => {
  const dispute = await raise()
  const { dispute_id: id } = dispute
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.getByLabel('Carrier', { exact: true }).fill('Mine')
      await disputes.change(id, { shipping_carrier: 'Theirs', product_description: 'A poster' })
      await press(page, 'Save draft')
      await page.getByText('Not saved: somebody has changed the evidence').waitFor()
      assert.match(await page.locator('#shipping_carrier-error').innerText(), /meanwhile to “Theirs”/)
      assert.equal((await evidenceOf(id))['shipping_carrier'], 'Theirs')
      assert.equal(await page.getByLabel('Carrier', { exact: true }).inputValue(), 'Mine')
      await press(page, 'Review and submit…')
      await heading(page, 'Submit the evidence?')
      const both = { shipping_carrier: 'Mine', product_description: 'A poster' }
      assert.partialDeepStrictEqual(await evidenceOf(id), both)
      await disputes.change(id, { shipping_carrier: 'Theirs' })
      await press(page, 'Submit the evidence')
      await page.getByText('The evidence has been changed since you opened this page.').waitFor()
      assert.match(await page.locator('main').innerText(), /Theirs/)
      assert.equal((await disputes.read(id)).status, 'needs_response')
      const form = Object.fromEntries(
        await page
          .locator('main form input')
          .evaluateAll((inputs) =>
            inputs.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
          ),
      )
      await press(page, 'Submit the evidence')
      await page.getByText('Evidence submitted.').waitFor()
      assert.equal((await disputes.read(id)).status, 'under_review')
      // Sent again, by a second press or a reload, it changes nothing, and the page says how the dispute stands.
      for (const again of [form, { ...form, form_key: 'another' }]) {
        const headers = { 'sec-fetch-site': 'same-origin' }
        const sent = await page.request.post(`${folder}/${id}/submit`, { headers, form: again })
        assert.equal(sent.status(), 200)
        assert.match(sent.url(), /done=(submitted|now)$/)
      }
      assert.equal((await disputes.read(id))['submission_count'], 1)
    },
    { viewport: narrow, site },
  )
})

test('texts that come too late, or from somebody who is signed out, are given back', async () => {
  const dispute = await raise()
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.getByLabel('Carrier', { exact: true }).fill('A carrier')
      await choose(page, 'a.pdf', pdf)
      const cookies = await page.context().cookies()
      await page.context().clearCookies()
      await press(page, 'Save draft')
      await heading(page, 'You are signed out')
      assert.match(await looked(page, 'evidence-signed-out'), /Your session has ended[\s\S]*The file is not kept/)
      await page.context().addCookies(cookies)
      await press(page, 'Send it again')
      await page.getByRole('heading', { level: 1, name: /./ }).waitFor()
      assert.equal(await page.getByLabel('Carrier', { exact: true }).inputValue(), 'A carrier')
    },
    { viewport: narrow, site },
  )
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.getByLabel('Carrier', { exact: true }).fill('Another')
      await disputes.accept(dispute.dispute_id)
      await press(page, 'Save draft')
      await page.getByText('Not saved: the evidence is locked, or the time for it is over.').waitFor()
      assert.match(await looked(page, 'evidence-too-late'), /What you typed[\s\S]*Status\s+Lost/)
      assert.equal(await page.getByLabel('Carrier').inputValue(), 'Another')
    },
    { viewport: narrow, site },
  )
})

test('a form of another site changes nothing', async () => {
  const dispute = await raise()
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      for (const step of ['evidence', 'submit', 'accept']) {
        const headers = { 'sec-fetch-site': 'cross-site', ...fromAnywhere() }
        const multipart = { shipping_carrier: 'Theirs', as: 'needs_response' }
        const sent = await page.request.post(`${folder}/${dispute.dispute_id}/${step}`, { headers, multipart })
        assert.equal(sent.status(), 403, step)
      }
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'multipart/form-data' }
      const broken = await page.request.post(`${folder}/${dispute.dispute_id}/evidence`, { headers, data: 'nothing' })
      assert.equal(broken.status(), 400)
    },
    { site },
  )
  const { status, evidence } = await disputes.read(dispute.dispute_id)
  assert.deepEqual([status, (evidence as Record<string, unknown>)['shipping_carrier']], ['needs_response', null])
})

test('a dispute is accepted after a second question, without JavaScript', async () => {
  const dispute = await raise({ reason: 'credit_not_processed' })
  await visit(
    await owner(),
    async (page) => {
      await open(page, dispute)
      await page.getByRole('link', { name: 'Accept the dispute…' }).click()
      await heading(page, 'Accept the dispute?')
      assert.match(
        await looked(page, 'dispute-accept'),
        /keeps USD\s25\.00, and the fee of USD\s15\.00 is not returned/,
      )
      await page.getByRole('link', { name: 'Back to the dispute' }).click()
      await heading(page, /^USD/)
      await page.getByRole('link', { name: 'Accept the dispute…' }).click()
      await press(page, 'Accept the dispute')
      await page.getByText('Dispute accepted.').waitFor()
      assert.match(await page.locator('main').innerText(), /Why it ended\s+It was accepted/)
    },
    { viewport: narrow, script: false, site },
  )
  await isNow(dispute.dispute_id, 'lost')
})

test('a warning is answered by a refund in full, and never by losing the dispute that it has become', async () => {
  const [warned, raised] = [await raise({ early_warning: true }), await raise({ early_warning: true })]
  await visit(
    await owner(),
    async (page) => {
      await open(page, warned)
      assert.match(await looked(page, 'warning'), /Refund by[\s\S]*You can collect evidence already/)
      assert.equal(await page.getByRole('button', { name: 'Review and submit…' }).count(), 0)
      await page.getByRole('link', { name: 'Refund in full…' }).click()
      await heading(page, 'Refund in full?')
      await looked(page, 'warning-refund')
      await press(page, 'Refund in full')
      await heading(page, /^USD/)
      await isNow(warned.dispute_id, 'prevented')
      await open(page, warned)
      assert.match(await looked(page, 'warning-prevented'), /Status\s+Prevented/)
      await page.goto(`${folder}/${raised.dispute_id}/accept`)
      await heading(page, 'Refund in full?')
      await endWarning(raised)
      await isNow(raised.dispute_id, 'needs_response')
      await press(page, 'Refund in full')
      await heading(page, 'Accept the dispute?')
      await page.getByText('The dispute has changed since you opened this page.').waitFor()
      assert.equal((await disputes.read(raised.dispute_id)).status, 'needs_response')
    },
    { viewport: narrow, site },
  )
})

test('by keyboard alone: evidence is typed, reviewed and submitted', async () => {
  const dispute = await raise({ reason: 'general' })
  await visit(
    await owner(),
    async (page) => {
      await page.goto(`${folder}/${dispute.dispute_id}`)
      await heading(page, /^USD/)
      const reach = async (selector: string) => {
        for (let tabs = 0; tabs < 60; tabs++) {
          await page.keyboard.press('Tab')
          if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return
        }
        throw new Error(`${selector} is not reached`)
      }
      await reach('#product_description')
      await page.keyboard.type('A poster')
      await reach('button[value=review]')
      await page.keyboard.press('Enter')
      await heading(page, 'Submit the evidence?')
      await reach('main button')
      await page.keyboard.press('Enter')
      await page.getByText('Evidence submitted.').waitFor()
    },
    { viewport: narrow, site },
  )
  assert.equal((await evidenceOf(dispute.dispute_id))['product_description'], 'A poster')
})
