import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDisputePages } from '../support/dispute-pages.ts'
import { press, useDesk } from '../support/review-desk.ts'

// What the form of the evidence says where it is not saved or not submitted.
const narrow = { width: 360, height: 740 }
const desk = await useDesk()
const { stack, visit } = desk
const { folder, owner, raise } = withDisputePages(desk)
const site = '/dashboard' as const

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
