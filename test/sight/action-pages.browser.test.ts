import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { exchanging } from '../support/conversion.ts'
import { addDestination } from '../support/payout.ts'
import { desktop, heading, looked, press, type, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'

// What staff do in a browser about a resource that waits for an outsider.
const desk = await useDesk()
const { stack, pages, visit } = desk
const bank = exchanging(stack.merchant)

const refundStatus = async (id: string) => String((await stack.merchant.getRefund(id))['status'])
const conversionStatus = async (id: string) => String((await bank.read(id))['status'])

async function unansweredRefund(): Promise<string> {
  const charge = await stack.merchant.chargeByCard()
  const { refund_id: id } = await stack.merchant.refund(charge, { reference: unansweredReference })
  await until(async () => (await refundStatus(id)) === 'processing', 'its provider has it')
  await stack.sql(`update refunds set created_at = created_at - interval '2 hours' where id = ?`, [id])
  return id
}

/** A conversion of so many naira that its provider never answers. */
async function unansweredConversion(naira: string): Promise<string> {
  const sides = { from_currency: 'NGN', to_currency: 'USD', from_amount: naira }
  const { conversion_id: id } = await bank.convert({ reference: unansweredReference }, sides)
  await until(async () => (await conversionStatus(id)) === 'processing', 'its provider has it')
  return id
}

async function open(page: Page, id: string, kind: string): Promise<void> {
  await page.goto(`${pages.base}/ops/timelines/${id}`)
  await heading(page, kind)
}

/** Types a reason into the form of all actions. */
const fill = (page: Page, reason: string): Promise<void> => type(page.locator('#act-reason'), reason)

test('a stuck refund is found in the list, held, shown there as on hold, and released', async () => {
  const id = await unansweredRefund()
  await visit(await desk.addReviewer(), async (page) => {
    await page.goto(`${pages.base}/ops/stuck?resource=refund`)
    const row = page.getByRole('row').filter({ hasText: id })
    assert.match(
      await row.innerText(),
      /No answer[\s\S]*What to do\s+The provider is asked again every day\. You can also/,
    )
    await row.getByRole('link').click()
    await heading(page, 'Refund')
    assert.match(
      await looked(page, 'refund-stuck'),
      /Amount\s+USD\s\d\d\.\d\d[\s\S]*What helps\s+The provider is asked again[\s\S]*What you can do/,
    )
    await fill(page, 'The buyer has been paid by hand, perhaps.')
    await looked(page, 'refund-hold')
    await press(page, 'Hold')
    await page.getByText('Done. It is on hold.').waitFor()
    const held = await looked(page, 'refund-held')
    assert.match(held, /On hold since .*20\d\d.*\. Nothing is sent until somebody releases it\./)
    assert.match(held, /Put on hold\s+Done\s+.*, by A Person[\s\S]*Held by the platform’s staff/)
    await stack.sql(`update refunds set on_hold_since = on_hold_since - interval '2 hours' where id = ?`, [id])
    await page.goto(`${pages.base}/ops/stuck?resource=refund`)
    assert.match(await row.innerText(), /On hold since[\s\S]*On hold[\s\S]*Staff hold it: release it/)
    await looked(page, 'stuck-on-hold')
    await row.getByRole('link').click()
    await heading(page, 'Refund')
    await type(page.locator('#act-reason'), 'The buyer has not been paid.')
    await press(page, 'Release')
    await page.getByText('Released. The order is sent again now.').waitFor()
    await page.getByRole('button', { name: 'Ask again', exact: true }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /On hold since/)
  })
  assert.equal(await refundStatus(id), 'processing')
})

test('a high conversion is proposed as completed by one person and approved by another', async () => {
  const id = await unansweredConversion('3000000.00')
  const [ada, ben] = [await desk.addReviewer('Ada Obi'), await desk.addReviewer('Ben Okoro')]
  const propose = async (page: Page) => {
    await open(page, id, 'Conversion')
    await type(page.getByLabel('Proof', { exact: true }), 'Statement 7')
    await type(page.locator('#act-reason'), 'It is on the statement.')
    await looked(page, 'conversion-mark-settled')
    await press(page, 'Mark as completed')
    await page.getByText('Proposed. The amount is high').waitFor()
    assert.match(await looked(page, 'conversion-proposed'), /You proposed to mark it as completed/)
    assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0)
  }
  await visit(ada, propose, { viewport: desktop })
  assert.equal(await conversionStatus(id), 'processing')
  const approve = async (page: Page) => {
    await open(page, id, 'Conversion')
    const proposal = page.getByRole('region', { name: 'Proposed: mark as completed' })
    assert.match(await proposal.innerText(), /Ada Obi[\s\S]*It is on the statement\.[\s\S]*Statement 7/)
    await looked(page, 'conversion-to-approve')
    await type(proposal.getByLabel('Your reason'), 'I have read the statement.')
    await press(page, 'Approve: it was completed')
    await page.getByText('Done. Marked as completed.').waitFor()
    assert.match(await looked(page, 'conversion-approved'), /Marked as completed\s+Done\s+.*, by Ben Okoro/)
  }
  await visit(ben, approve, { viewport: desktop })
  assert.equal(await conversionStatus(id), 'completed')
})

test('without JavaScript a refund is marked as failed only after a confirmation that shows the amount', async () => {
  const id = await unansweredRefund()
  const work = async (page: Page) => {
    await open(page, id, 'Refund')
    await fill(page, 'The provider has said so.')
    await press(page, 'Mark as failed…')
    await heading(page, 'Mark this refund as failed?')
    const shown = await looked(page, 'confirm-refund')
    assert.match(shown, /The money goes back to the merchant’s balance\. This can’t be undone\./)
    assert.match(
      shown,
      new RegExp(`${desk.owner.accountId}[\\s\\S]*${id}[\\s\\S]*USD\\s\\d\\d\\.[\\s\\S]*has said so\\.`),
    )
    assert.equal(await refundStatus(id), 'processing')
    await page.getByRole('link', { name: 'Back to the refund' }).click()
    await heading(page, 'Refund')
    await fill(page, 'The provider has said so.')
    await press(page, 'Mark as failed…')
    await press(page, 'Yes, mark as failed')
    await page.getByText('Done. Marked as failed.').waitFor()
  }
  await visit(await desk.addReviewer(), work, { script: false })
  assert.equal(await refundStatus(id), 'failed')
})

test('a refusal keeps what was typed, and the keyboard is where the mistake is', async () => {
  const id = await unansweredRefund()
  await visit(await desk.addReviewer(), async (page) => {
    await open(page, id, 'Refund')
    await type(page.getByLabel('Proof', { exact: true }), 'Letter 7')
    await page.locator('#act-reason').fill('   ')
    await press(page, 'Mark as paid')
    await page.getByText('Enter a reason of at most 500 characters.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'act-reason')
    assert.equal(await page.getByLabel('Proof', { exact: true }).inputValue(), 'Letter 7')
    await looked(page, 'refund-no-reason')
    await page.keyboard.type('The bank has confirmed it.')
    for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press('Tab') // past two buttons and the proof
    await page.keyboard.press('Enter')
    await page.getByText('Done. Marked as paid.').waitFor()
  })
  assert.equal(await refundStatus(id), 'succeeded')
})

test('Enter in the line of the proof marks what is on hold, and does not release it', async () => {
  const id = await unansweredRefund()
  await visit(await desk.addReviewer(), async (page) => {
    await open(page, id, 'Refund')
    await fill(page, 'The provider has a fault.')
    await press(page, 'Hold')
    await page.getByText('Done. It is on hold.').waitFor()
    await looked(page, 'refund-on-hold-with-proof')
    await fill(page, 'The bank has confirmed it.')
    await type(page.getByLabel('Proof', { exact: true }), 'Letter 7')
    await page.keyboard.press('Enter')
    await page.getByText('Done. Marked as paid.').waitFor()
  })
  assert.equal(await refundStatus(id), 'succeeded')
})

test('a payout is held before it is stuck, and released, on its own page', async () => {
  const { id } = await stack.merchant.payOut(await addDestination(stack, desk.owner, { ends: '0003' }))
  await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'its provider has it')
  await visit(await desk.addReviewer(), async (page) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${pages.base}/ops/payouts/${id}`)
    await fill(page, 'The merchant has asked us.')
    await press(page, 'Hold')
    await page.getByText('Done. It is on hold.').waitFor()
    assert.match(await looked(page, 'payout-on-hold'), new RegExp(`${id}, on hold[\\s\\S]*On hold since`))
    await type(page.locator('#act-reason'), 'The merchant has asked us again.')
    await press(page, 'Release')
    await page.getByText('Released. The order is sent again now.').waitFor()
  })
})
