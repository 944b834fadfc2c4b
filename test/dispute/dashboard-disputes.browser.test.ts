import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { disputing } from '../support/dispute.ts'
import { withDisputePages } from '../support/dispute-pages.ts'
import { choose } from '../support/dashboard.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { desktop, heading, looked, press, type, useDesk } from '../support/review-desk.ts'
import { sendFile, pdf } from '../support/upload.ts'

// Disputes as people of a merchant read them in a browser.
const narrow = { width: 360, height: 740 }
const desk = await useDesk()
const { stack, pages, visit } = desk
const { disputes, folder, raise, open, owner } = withDisputePages(desk)
const site = '/dashboard' as const
const hostile = '<img src=x onerror=alert(1)>”\'"&amp;</textarea><script>alert(2)</script>'
const day = 86_400_000

for (const [viewport, script, colorScheme] of [
  [narrow, false, 'light'],
  [narrow, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer reads a dispute and cannot answer it, ${viewport.width} wide, script ${script}`, async () => {
    const dispute = await raise({ reason: 'product_not_received' }, hostile)
    await disputes.change(dispute.dispute_id, { uncategorized_text: hostile })
    // Within its first second a page would count the whole 14 days.
    await stack.sql(`update disputes set evidence_due_at = evidence_due_at - interval '1 minute' where id = ?`, [
      dispute.dispute_id,
    ])
    await visit(
      await desk.logins.addPerson({ role: 'viewer' }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Disputes')
        await heading(page, 'Disputes')
        const list = await looked(page, `disputes-${colorScheme}`)
        assert.match(list, /USD\s25\.00: Product not received\s+Needs an answer/)
        assert.match(list, /Answer by\s+.*20\d\d.*\(13 days 23 hours left\)\s+A draft, not submitted/)
        assert.ok(list.includes(hostile), 'the name is text')
        await open(page, dispute)
        const shown = await looked(page, `dispute-viewer-${colorScheme}`)
        assert.match(shown, /Answer by[\s\S]*\(in 13 days 23 hours\)[\s\S]*Your role can read disputes/)
        assert.match(shown, /What the buyer says[\s\S]*never arrived[\s\S]*What helps to win[\s\S]*tracking number/)
        assert.match(shown, /What was sold\s+Description\s+A test sale\s+Paid\s+USD\s25\.00/)
        assert.match(shown, /Fee\s+USD\s15\.00[\s\S]*Held from your balance\s+The amount and the fee/)
        assert.match(shown, /Disputed; the amount and the fee are reserved[\s\S]*Waiting for your answer/)
        assert.match(shown, /You are told that 48 hours are left: [\s\S]*Answer by: /)
        assert.equal(
          shown.split(hostile).length - 1,
          3,
          'the name, here and in the evidence, and the evidence are text',
        )
        assert.equal(await page.locator('main form, main a.button').count(), 0)
        for (const step of ['accept', 'submit']) {
          const path = `${folder}/${dispute.dispute_id}/${step}`
          assert.equal((await page.goto(path))?.status(), 403)
          await page.getByText('Your role does not allow this.').waitFor()
          const headers = { 'sec-fetch-site': 'same-origin' }
          const sent = await page.request.post(path, { headers, form: { as: 'needs_response' } })
          assert.equal(sent.status(), 403)
        }
        assert.equal((await disputes.read(dispute.dispute_id)).status, 'needs_response')
      },
      { viewport, script, site },
    )
  })
}

test('the list shows what waits, the earliest deadline first, and all others by status', async () => {
  const api = withApi(stack)
  const { merchant, accountId } = await api.addMerchant()
  const own = disputing(merchant)
  const later = await raise({ reason: 'duplicate' }, 'A', { merchant })
  const sooner = await raise({ reason: 'general' }, 'B', { merchant })
  const warned = await raise({ early_warning: true, reason: 'unrecognized' }, 'C', { merchant })
  const lost = await raise({ reason: 'fraudulent' }, 'D', { merchant })
  await own.accept(lost.dispute_id)
  for (const [{ dispute_id: id }, days] of [
    [later, 9],
    [sooner, 1],
  ] as const)
    await stack.sql('update disputes set evidence_due_at = ? where id = ?', [new Date(Date.now() + days * day), id])
  await visit(
    await desk.logins.addPerson({ role: 'viewer', accountId }),
    async (page) => {
      const titles = () => page.locator('main tbody th a').allInnerTexts()
      const filter = async (status: string) => {
        await page.getByLabel('Status').selectOption(status)
        await press(page, 'Show')
        await heading(page, 'Disputes')
      }
      await page.goto(folder)
      await heading(page, 'Disputes')
      const named = (names: string[]) => names.map((name) => `USD\u00a025.00: ${name}`)
      assert.deepEqual(await titles(), named(['Other reason', 'Not recognized', 'Charged twice']))
      const shown = await looked(page, 'disputes-waiting')
      assert.match(shown, /Other reason\s+Needs an answer[\s\S]*Not recognized\s+Announced[\s\S]*Refund by/)
      assert.equal(await page.locator('.state.late').count(), 1, 'what is due within two days is marked')
      await filter('all')
      assert.deepEqual(await titles(), named(['Fraudulent', 'Not recognized', 'Other reason', 'Charged twice']))
      await filter('needs_response')
      assert.deepEqual(await titles(), named(['Other reason', 'Charged twice']))
      await filter('lost')
      assert.deepEqual(await titles(), named(['Fraudulent']))
      await filter('prevented')
      await page.getByText('Nothing to show.').waitFor()
      await page.goto(`${folder}?status=nonsense&cursor=nonsense`)
      await heading(page, 'Disputes')
      await page.goto(`${folder}?status=all&cursor=nonsense`)
      await page.waitForURL(folder)
      await page.goto(`${folder}/${warned.dispute_id}`)
      await heading(page, /Not recognized$/)
      assert.match(
        await looked(page, 'dispute-warned'),
        /Refund by[\s\S]*has announced a dispute[\s\S]*Nothing is held/,
      )
      assert.equal(await page.locator('.due.soon').count(), 0)
      await page.goto(`${folder}/${sooner.dispute_id}`)
      await heading(page, /Other reason$/)
      assert.equal(await page.locator('.due.soon').count(), 1, 'its page is marked as well')
    },
    { viewport: narrow, site },
  )
})

test('on a clock 60 days behind the page takes an answer, and the list calls nothing late', async () => {
  const frozen = new Date((await stack.clock.now()) - 60 * day).toISOString()
  const { merchant, accountId, attach } = await beginOnClock(withApi(stack), { frozen_time: frozen })
  await attach({ account_id: accountId })
  const dispute = await raise({ reason: 'duplicate' }, 'A', { merchant })
  await visit(
    await desk.logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await page.goto(folder)
      await heading(page, 'Disputes')
      const list = await page.locator('main').innerText()
      assert.match(list, /Charged twice\s+Needs an answer[\s\S]*Answer by/)
      assert.doesNotMatch(list, /time is up| left/)
      assert.equal(await page.locator('.state.late').count(), 0)
      await open(page, dispute)
      const shown = await page.locator('main').innerText()
      assert.match(shown, /\(in 1[34] days/)
      assert.doesNotMatch(shown, /is over|time is up|overdue/)
      await page.getByRole('link', { name: 'Accept the dispute…' }).waitFor()
      assert.ok((await page.locator('main textarea').count()) > 0, 'the form is there')
    },
    { viewport: narrow, script: false, site },
  )
})

test('an id leads from the look-up to its page; what does not exist, or is another’s, is not found', async () => {
  const dispute = await raise()
  const sent = await sendFile(stack.merchant, pdf, 'a.pdf')
  const added = await stack.merchant.call('POST', `/v1/disputes/${dispute.dispute_id}/documents`, {
    file: sent.body['upload_id'],
    purpose: 'receipt',
  })
  const document = String(added.body['document_id'])
  await visit(
    await owner(),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/timelines`)
      await type(page.getByLabel('Id'), dispute.dispute_id)
      await press(page, 'Show')
      await page.waitForURL(`${folder}/${dispute.dispute_id}`)
      await page.getByRole('link', { name: String(dispute['payment_id']) }).click()
      await heading(page, /^USD\s25\.00$/)
      const told = await looked(page, 'payment-disputed')
      assert.match(told, /Paid\s+Done[\s\S]*Disputed; the amount and the fee are reserved[\s\S]*dsp_[\s\S]*Waiting for/)
    },
    { viewport: narrow, site },
  )
  const stranger = await desk.logins.addPerson({ accountId: await withApi(stack).addAccount() })
  await visit(
    stranger,
    async (page) => {
      await page.goto(folder)
      await page.getByText('No dispute waits for your answer.').waitFor()
      for (const path of [
        dispute.dispute_id,
        `${dispute.dispute_id}/submit`,
        `${dispute.dispute_id}/accept`,
        `${dispute.dispute_id}/documents/${document}`,
        newId('dsp', 0),
        'x',
      ]) {
        const answer = await page.goto(`${folder}/${path}`)
        assert.equal(answer?.status(), 404, path)
        await heading(page, 'This page does not exist')
      }
    },
    { viewport: narrow, site },
  )
})
