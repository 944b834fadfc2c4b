import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { withDisputePages } from '../support/dispute-pages.ts'
import { desktop, heading, looked, press, smallPhone, type, useDesk } from '../support/review-desk.ts'
import { pdf, sendFile } from '../support/upload.ts'
import { until } from '../support/until.ts'

// What staff see of a dispute in a browser, and what they do about one that its network does not decide.
const desk = await useDesk()
const { stack, pages, visit } = desk
const { disputes, raise, isNow } = withDisputePages(desk)
const fileName = '<img src=x onerror=alert(1)>.pdf'
const hostile = '<img src=x onerror=alert(1)>”\'"&amp;</textarea><script>alert(2)</script>'

/** A dispute whose evidence, with a document, has been with the network for two hours. */
async function undecided(name = 'Ada Buyer', amount = '25.00'): Promise<string> {
  const { dispute_id: id } = await raise({ reason: 'product_not_received' }, name, { amount })
  const { upload_id: file } = (await sendFile(stack.merchant, pdf, fileName)).body
  const added = await stack.merchant.call('POST', `/v1/disputes/${id}/documents`, { file, purpose: 'receipt' })
  const evidence = { uncategorized_text: hostile, receipt_attachment_id: added.body['document_id'], submit: true }
  await disputes.change(id, evidence)
  await until(async () => {
    const [row] = await stack.sql<{ rail_due: string | null }>('select rail_due from disputes where id = ?', [id])
    return row?.rail_due === null
  }, 'the network has the evidence')
  await stack.sql(`update disputes set submitted_at = submitted_at - interval '2 hours' where id = ?`, [id])
  return id
}

test('a dispute that its network does not decide is found in the list, asked about, and marked as lost', async () => {
  const id = await undecided(hostile)
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await page.goto(`${pages.base}/ops/stuck?resource=dispute`)
      const row = page.getByRole('row').filter({ hasText: id })
      assert.match(await row.innerText(), /Dispute of USD\s25\.00[\s\S]*mark it as won or lost/)
      await row.getByRole('link').click()
      await heading(page, 'Dispute of USD 25.00')
      const shown = await looked(page, 'dispute')
      assert.match(shown, new RegExp(`${id}, being decided[\\s\\S]*The card network decides`))
      assert.match(shown, /Network’s id\s+dp_\w+[\s\S]*Amount paid\s+USD\s25\.00/)
      assert.match(shown, /What the buyer says[\s\S]*never arrived[\s\S]*Evidence of the merchant/)
      assert.match(shown, /Evidence submitted[\s\S]*Waiting for the provider/)
      assert.equal(shown.split(hostile).length - 1, 3, 'names and texts are text')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: fileName }).click(),
      ])
      assert.match(download.url(), /\/documents\/doc_\w+\?expires=\d+&signature=/)
      await type(page.locator('#act-reason'), 'The merchant has asked us.')
      await press(page, 'Ask now')
      await page.getByText('Done. The provider is asked again.').waitFor()
      await type(page.locator('#act-reason'), 'Their support says so.')
      await press(page, 'Mark as lost…')
      await heading(page, 'Mark this dispute as lost?')
      const asked = await looked(page, 'dispute-confirm')
      assert.match(
        asked,
        /is permanently taken from the merchant’s balance\. This can’t be undone\.[\s\S]*dp_[\s\S]*Their support/,
      )
      assert.equal((await disputes.read(id)).status, 'under_review')
      await press(page, 'Yes, mark as lost')
      await page.getByText('Done. Marked as lost.').waitFor()
      assert.match(await looked(page, 'dispute-lost'), /Their support[\s\S]*Marked as lost\s+Done\s+.*, by A Person/)
    },
    { viewport: smallPhone },
  )
  await isNow(id, 'lost')
})

test('a high one is proposed as won by one person and approved by another, without JavaScript', async () => {
  const id = await undecided('Ada Buyer', '2000.00')
  const [ada, ben] = [await desk.addReviewer('Ada Obi'), await desk.addReviewer('Ben Okoro')]
  const title = 'Dispute of USD 2,000.00'
  await visit(ada, async (page) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${pages.base}/ops/disputes/${id}`)
    await heading(page, title)
    await type(page.getByLabel('Proof', { exact: true }), 'Letter 7')
    await type(page.locator('#act-reason'), 'It is in their letter.')
    await looked(page, 'dispute-mark-won')
    await press(page, 'Mark as won')
    await page.getByText('Proposed. The amount is high').waitFor()
    assert.match(await looked(page, 'dispute-proposed'), /You proposed to mark it as won/)
  })
  assert.equal((await disputes.read(id)).status, 'under_review')
  const approve = async (page: Parameters<Parameters<typeof visit>[1]>[0]) => {
    await page.goto(`${pages.base}/ops/disputes/${id}`)
    await heading(page, title)
    const proposal = page.getByRole('region', { name: 'Proposed: mark as won' })
    assert.match(await proposal.innerText(), /Ada Obi[\s\S]*It is in their letter\.[\s\S]*Letter 7/)
    await type(proposal.getByLabel('Your reason'), 'I have read the letter.')
    await press(page, 'Approve: it was won')
    await page.getByText('Done. Marked as won.').waitFor()
    assert.match(await looked(page, 'dispute-won'), /Marked as won\s+Done\s+.*, by Ben Okoro/)
  }
  await visit(ben, approve, { script: false, viewport: desktop })
  await isNow(id, 'won')
})

test('a dispute that waits for its merchant can only be asked about; what does not exist leads nowhere', async () => {
  const { dispute_id: id } = await raise()
  await visit(await desk.addReviewer(), async (page) => {
    await page.goto(`${pages.base}/ops/timelines?id=${id}`)
    await page.waitForURL(`${pages.base}/ops/disputes/${id}`)
    const shown = await looked(page, 'dispute-open')
    assert.match(shown, /Awaiting the merchant’s answer[\s\S]*Ask the card network now[\s\S]*Nothing was submitted/)
    assert.doesNotMatch(shown, /Mark as/)
    assert.match(shown, /The merchant is told that 48 hours are left[\s\S]*Answer by/)
    assert.equal((await page.goto(`${pages.base}/ops/disputes/${newId('dsp', 0)}`))?.status(), 404)
    await page.goto(`${pages.base}/ops/disputes/${id}/documents/doc_x`)
    await page.waitForURL(`${pages.base}/ops/disputes/${id}`)
  })
  await visit(await desk.logins.addPerson({ role: 'owner' }), async (page) => {
    assert.equal((await page.goto(`${pages.base}/ops/disputes/${id}`))?.status(), 403)
  })
})
