import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { heading, looked, useDesk, press, smallPhone, type } from '../support/review-desk.ts'
import { addDestination } from '../support/payout.ts'
import { changeDestination } from '../support/rows.ts'

// Two people at the review desk at the same time: late and double decisions, and very long names.
const long = {
  name: 'Fournisseurs de la région Provence-Alpes-Côte d’Azur et de l’arrière-pays niçois',
  holder: 'Société anonyme des Établissements Lefèvre-Desrousseaux & Fils, succursale de Châteauneuf-du-Pape',
  person: 'Marie-Françoise Éléonore de La Rochefoucauld-Montmorency',
}

const desk = await useDesk()
const silent = await addDestination(desk.stack, desk.owner, { ends: '0003' })
await changeDestination(desk.stack, silent, { name: long.name, accountName: long.holder })

const statusOf = async (id: string) => (await desk.stack.merchant.getPayout(id)).status
const open = async (page: Page, id: string) => {
  await page.goto(`${desk.pages.base}/ops/payouts/${id}`)
  await heading(page, /^Payout of NGN/)
}

/** Two people who are signed in at the same time, each in their own browser. */
async function together(work: (ada: Page, ben: Page) => Promise<void>): Promise<void> {
  const [ada, ben] = [await desk.addReviewer(long.person), await desk.addReviewer('Ben Okoro')]
  await desk.visit(ada, (first) => desk.visit(ben, (second) => work(first, second)), { viewport: smallPhone })
}

async function proposeFailed(page: Page, id: string, reason: string): Promise<void> {
  await open(page, id)
  await type(page.locator('#act-reason'), reason)
  await press(page, 'Mark as failed…')
  await heading(page, 'Mark this payout as failed?')
}

test('the second person sees the proposal with its author, reason and proof, and approves exactly that', async () => {
  const id = await desk.stuckPayout(silent, '2000000.00')
  await together(async (ada, ben) => {
    await open(ada, id)
    await type(ada.getByLabel('Proof', { exact: true }), 'relevé n° 7 / É-2026')
    await type(ada.locator('#act-reason'), 'The bank has confirmed it in writing.')
    await press(ada, 'Mark as arrived')
    await ada.getByText('Proposed. The amount is high').waitFor()
    const own = await looked(ada, 'payout-proposed')
    assert.match(own, /You proposed to mark it as arrived/)
    assert.doesNotMatch(own, /undefined/)
    assert.equal(await ada.getByRole('button', { name: 'Approve: it arrived' }).count(), 0)

    await ben.goto(`${desk.pages.base}/ops/stuck`)
    const row = ben.getByRole('row').filter({ hasText: id })
    assert.match(await row.innerText(), /Proposed: mark as arrived, awaiting approval/)
    await row.getByRole('link').click()
    const proposal = ben.getByRole('region', { name: 'Proposed: mark as arrived' })
    const shown = await proposal.innerText()
    for (const words of [long.person, 'The bank has confirmed it in writing.', 'relevé n° 7 / É-2026']) {
      assert.ok(shown.includes(words), `${words} is not in ${shown}`)
    }
    await looked(ben, 'payout-to-approve')
    await type(proposal.getByLabel('Your reason'), 'I have read the letter.')
    await press(ben, 'Approve: it arrived')
    await ben.getByText(/^Done\. /).waitFor()
    assert.equal(await statusOf(id), 'completed')

    await ada.reload()
    assert.match(await ada.locator('main').innerText(), /Closed\. No action needed\./)
    assert.equal(await ada.getByText('The money was not sent').count(), 0)
  })
})

test('marking as failed asks for a confirmation that shows the amount, and does nothing without it', async () => {
  const id = await desk.stuckPayout(silent, '1000.00')
  await desk.visit(
    await desk.addReviewer(),
    async (page) => {
      await proposeFailed(page, id, 'The bank has sent the order back.')
      const shown = await looked(page, 'confirm')
      assert.match(shown, /NGN\s1,000\.00/)
      assert.ok(shown.includes(long.holder))
      assert.match(shown, /•••• 0003[\s\S]*The bank has sent the order back\./)
      assert.equal(await statusOf(id), 'processing')
      await page.getByRole('link', { name: 'Back to the payout' }).click()
      await heading(page, /^Payout of NGN/)
      assert.equal(await statusOf(id), 'processing')
      await proposeFailed(page, id, 'The bank has sent the order back.')
      await page.goBack()
      await heading(page, /^Payout of NGN/)
      assert.equal(await statusOf(id), 'processing')
      await proposeFailed(page, id, 'The bank has sent the order back.')
      await press(page, 'Yes, mark as failed')
      await page.getByText(/^Done\. /).waitFor()
    },
    { viewport: smallPhone },
  )
  assert.equal(await statusOf(id), 'failed')
})

test('a high payout is marked as failed only by two people, and each of them confirms', async () => {
  const id = await desk.stuckPayout(silent, '2000000.00')
  await together(async (ada, ben) => {
    await proposeFailed(ada, id, 'The bank has sent the order back.')
    await press(ada, 'Yes, mark as failed')
    await ada.getByText('Proposed. The amount is high').waitFor()
    assert.equal(await ada.getByRole('button', { name: 'Approve: it failed' }).count(), 0)
    assert.equal(await statusOf(id), 'processing')
    await open(ben, id)
    await type(ben.locator('#approve-mark-failed-reason'), 'I have seen it too.')
    await press(ben, 'Approve: it failed')
    await heading(ben, 'Mark this payout as failed?')
    assert.equal(await statusOf(id), 'processing')
    await press(ben, 'Yes, approve: it failed')
    await ben.getByText(/^Done\. /).waitFor()
  })
  assert.equal(await statusOf(id), 'failed')
})

test('of two decisions at once one counts, and the other person reads that theirs is not saved', async () => {
  const id = await desk.heldPayout(silent, '3000.00')
  await together(async (ada, ben) => {
    for (const page of [ada, ben]) await open(page, id)
    await type(ben.locator('#decide-reason'), 'Le bénéficiaire n’est pas connu.')
    await Promise.all([press(ada, 'Approve'), press(ben, 'Reject')])
    for (const page of [ada, ben]) await page.getByText(/^Decision saved\.|^Not saved:/).waitFor()
    const shown = await Promise.all([ada, ben].map((page) => page.locator('main').innerText()))
    assert.equal(shown.filter((text) => text.includes('Decision saved.')).length, 1)
    assert.equal(shown.filter((text) => text.includes('Not saved: the payout’s status has changed')).length, 1)
    const isRejected = (shown[1] ?? '').includes('Decision saved.')
    assert.equal((await statusOf(id)) === 'rejected', isRejected)
  })
})

test('a decision on an outdated page is refused; the page keeps the input and shows the present state', async () => {
  const id = await desk.heldPayout(silent, '4000.00')
  await together(async (ada, ben) => {
    for (const page of [ada, ben]) await open(page, id)
    await press(ada, 'Claim')
    await heading(ada, /^Payout of NGN/)
    await type(ben.locator('#decide-reason'), 'I came late.')
    await press(ben, 'Reject')
    await ben.getByText(/^Not saved:/).waitFor()
    assert.ok((await ben.locator('main').innerText()).includes(`By ${long.person}`))
    assert.equal(await ben.locator('#decide-reason').inputValue(), 'I came late.')
    await press(ada, 'Approve')
    await ada.getByText('Decision saved.').waitFor()
    await press(ben, 'Reject')
    await ben.getByText(/^Not saved:/).waitFor()
    assert.equal(await ben.getByRole('button', { name: 'Approve', exact: true }).count(), 0)
    assert.notEqual(await statusOf(id), 'rejected')
  })
})

test('rows of the queue differ to the eye and to a screen reader, with long names on a small phone', async () => {
  const [first, second] = [await desk.heldPayout(silent, '5000.00'), await desk.heldPayout(silent, '6000.00')]
  await desk.visit(
    await desk.addReviewer(long.person),
    async (page) => {
      await heading(page, 'Reviews')
      const tree = await page.locator('main').ariaSnapshot()
      for (const words of ['Payout of NGN 5,000.00', 'Payout of NGN 6,000.00', long.holder, '•••• 0003']) {
        assert.ok(tree.replaceAll(' ', ' ').includes(words), `${words} is not in ${tree}`)
      }
      for (const id of [first, second]) assert.ok(tree.includes(`button "Claim and open ${id}"`))
      assert.match(tree, /combobox "Status"/)
      assert.match(tree, /combobox "Type"/)
      await looked(page, 'queue-small')
    },
    { viewport: smallPhone },
  )
})
