import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { processLists } from '../../domain/process-list.ts'
import { fromAnywhere } from '../support/api.ts'
import { openMenu } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, smallPhone, type, useDesk } from '../support/review-desk.ts'
import { change, destinationPath, leftOpen, read as readDestination, register } from '../support/destination.ts'
import { destinations } from '../support/destination-examples.ts'
import { sale } from '../support/merchant.ts'
import { addDestination, moveDestination } from '../support/payout.ts'
import { holdAtRail } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'

const desk = await useDesk()

const silent = await addDestination(desk.stack, desk.owner, { ends: '0003' })

const audited = async (target: string): Promise<string[]> =>
  (
    await desk.stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [target])
  ).map(({ action }) => action)

for (const viewport of [phone, desktop]) {
  test(`a reviewer finds, claims and approves a destination, ${viewport.width} wide`, async () => {
    const { stack, visit, addReviewer } = desk
    const destination = await register(stack.merchant, 'NGN', leftOpen)
    await visit(
      await addReviewer(),
      async (page) => {
        await heading(page, 'Reviews')
        assert.match(await looked(page, 'queue'), /Destination\s*: Main account, NGN/)
        await page.getByRole('button', { name: `Claim and open ${destination.id}` }).click()
        await heading(page, 'Main account')
        const shown = await looked(page, 'destination')
        assert.match(shown, /Awaiting a decision/)
        assert.match(shown, /0123450008/)
        assert.match(shown, /Registered; held for a decision/)
        assert.match(shown, /Claimed\s+By A Person, /)
        await press(page, 'Approve')
        await page.getByText('Decision saved.').waitFor()
        assert.match(await looked(page, 'destination-approved'), /Approved for payouts\s+Done\s+.*, by A Person/)
      },
      { viewport },
    )
    assert.equal((await readDestination(stack.merchant, destination)).status, 'approved')
    assert.deepEqual(await audited(destination.id), ['payout_destination.registered', 'payout_destination.approved'])
  })
}

test('the page of a destination shows the bank’s code, with and without a name of the bank', async () => {
  const { stack, visit, addReviewer, pages } = desk
  const usd = await register(stack.merchant, 'USD', { account_number: '000123450008' })
  const eur = await register(stack.merchant, 'EUR', { bank_name: 'A bank' })
  await visit(await addReviewer(), async (page) => {
    const factsOf = async ({ id }: { id: string }) => {
      await page.goto(`${pages.base}/ops/destinations/${id}`)
      await heading(page, 'Main account')
      return looked(page, 'destination-bank')
    }
    assert.match(await factsOf(usd), /Bank code\s+021000021\s+Account number\s+000123450008/)
    await change(stack.merchant, usd, { bank_code: '011000015' })
    assert.match(await factsOf(usd), /Bank code\s+011000015\s+Account number\s+000123450008/)
    assert.match(await factsOf(eur), /Bank\s+A bank\s+Account number\s+DE89370400440532013000/)
  })
})

test('a reviewer reads whose word the holder’s name is: the bank’s, the merchant’s, or both', async () => {
  const { stack, visit, addReviewer, pages } = desk
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const atBank = String(destination['account_name'])
  await visit(await addReviewer(), async (page) => {
    const factsOf = async () => {
      await page.goto(`${pages.base}/ops/destinations/${destination.id}`)
      await heading(page, 'Main account')
      return looked(page, 'destination-holder')
    }
    const isBanks = new RegExp(`Account holder, as the bank says\\s+${atBank}\\s+(?!Account holder)`)
    assert.match(await factsOf(), isBanks)
    await change(stack.merchant, destination, { account_name: 'Demo Organization' })
    const isBoth = /as the bank says\s+\S.*\s+Account holder, as the merchant says\s+Demo Organization/
    assert.match(await factsOf(), isBoth)
    await page.goto(`${pages.base}/ops/queue`)
    const row = page.getByRole('row').filter({ hasText: destination.id })
    assert.ok((await row.innerText()).includes(`To ${atBank}, •••• 0008`))
    await change(stack.merchant, destination, { ...destinations.GBP, account_number: '31920008' })
    await page.reload()
    assert.ok((await row.innerText()).includes('To Demo Organization, as the merchant says, •••• 0008'))
  })
})

test('the page of a destination that its merchant has removed says so, decided or not', async () => {
  const { stack, visit, addReviewer, pages } = desk
  const waiting = await register(stack.merchant, 'NGN', leftOpen)
  const approved = await addDestination(stack, desk.owner)
  await visit(await addReviewer(), async (page) => {
    for (const id of [waiting.id, approved]) {
      assert.equal((await stack.merchant.call('DELETE', destinationPath({ id }))).status, 200)
      await page.goto(`${pages.base}/ops/destinations/${id}`)
      const shown = await looked(page, 'destination-removed')
      assert.match(shown, /Removed by the merchant\. No action needed\./)
      assert.doesNotMatch(shown, /Awaiting a decision|Approved\. No action needed/)
    }
  })
})

test('without JavaScript a held payout can be rejected; a rejection without a reason is not saved', async () => {
  const { stack, visit, addReviewer } = desk
  const id = await desk.heldPayout(silent, '1000.00')
  await visit(
    await addReviewer(),
    async (page) => {
      await page.getByRole('link', { name: /^Payout of NGN\s1,000\.00/ }).click()
      await heading(page, /^Payout of NGN/)
      const shown = await looked(page, 'payout-held')
      assert.match(shown, /Awaiting a decision/)
      assert.match(shown, /Held\s+test reference `sandbox_hold`/)
      await press(page, 'Reject')
      const reason = page.locator('#decide-reason')
      await page.getByText('Enter a reason').waitFor()
      assert.equal(await reason.getAttribute('aria-invalid'), 'true')
      await looked(page, 'payout-no-reason')
      await type(reason, 'The account holder has asked us to.')
      await press(page, 'Reject')
      await page.getByText('Decision saved.').waitFor()
      assert.match(await looked(page, 'payout-rejected'), /the money is back in the balance/)
    },
    { script: false },
  )
  const payout = await stack.merchant.getPayout(id)
  assert.deepEqual([payout.status, payout.status_reason], ['rejected', 'The account holder has asked us to.'])
})

const approval = `update payout_destinations set status = 'approved', reviewed_at = now() where id = ?`

/** Claims the open review of a payout for somebody, or for nobody. */
const claim = (id: string, person: { id: string } | null) =>
  desk.stack.sql(`update reviews set claimed_by = ?, claimed_at = now() where resource_id = ? and state = 'open'`, [
    person?.id ?? null,
    id,
  ])

test('a held payout says that its destination is in review, and why it can’t be approved before', async () => {
  const { stack, visit, addReviewer, pages } = desk
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  await stack.sql(approval, [destination.id])
  const id = await desk.heldPayout(destination.id, '1000.00')
  await change(stack.merchant, destination, { account_number: '0123460008' })
  await visit(await addReviewer(), async (page) => {
    await page.goto(`${pages.base}/ops/payouts/${id}`)
    await heading(page, /^Payout of NGN/)
    assert.match(await looked(page, 'payout-unreviewed'), /Destination status\s+In review: decide about it first\./)
    await claim(id, await addReviewer())
    await press(page, 'Approve')
    await page.getByText('or someone else has decided or claimed it. This is its current state.').waitFor()
    await claim(id, null)
    await press(page, 'Approve')
    await page.getByText('Not saved: its destination is in review. Decide about the destination first.').waitFor()
    await stack.sql(`update payout_destinations set deactivated_at = now() where id = ?`, [destination.id])
    await page.goto(`${pages.base}/ops/payouts/${id}`) // to reload the answer would send the form again
    assert.match(await looked(page, 'payout-removed'), /Destination status\s+Removed by the merchant\. A payout to it/)
  })
})

test('a held payout says that it can only fail where its destination has another currency now', async () => {
  const { stack, owner, visit, addReviewer, pages } = desk
  const destination = await addDestination(stack, owner)
  const id = await desk.heldPayout(destination, '1000.00')
  await change(stack.merchant, { id: destination }, { ...destinations.GBP, account_number: '31920008' })
  await visit(await addReviewer(), async (page) => {
    const isSaid = /Destination status\s+Has another currency\. A payout to it fails/
    await page.goto(`${pages.base}/ops/payouts/${id}`)
    await heading(page, /^Payout of NGN/)
    assert.match(await looked(page, 'payout-currency'), isSaid)
    await stack.sql(approval, [destination])
    await page.reload()
    assert.match(await page.locator('main').innerText(), isSaid)
  })
})

test('a stuck payout is found, retried and marked as arrived with proof', async () => {
  const { stack, visit, addReviewer } = desk
  const id = await desk.stuckPayout(silent, '1000.00')
  await visit(await addReviewer(), async (page) => {
    await openMenu(page)
    await page.getByRole('link', { name: 'Overdue', exact: true }).click()
    await heading(page, 'Overdue')
    const row = page.getByRole('row').filter({ hasText: id })
    assert.match(await row.innerText(), /NGN\s1,000\.00[\s\S]*To Marked Holder, as the merchant says, •••• 0003/)
    await looked(page, 'stuck')
    await row.getByRole('link').click()
    await heading(page, /^Payout of NGN/)
    const facts = await looked(page, 'payout-stuck')
    assert.match(facts, /No provider confirmation for over an hour/)
    assert.match(facts, /Destination\s+Our own\s+Account holder, as the merchant says\s+Marked Holder\s+Bank\s+A bank/)
    assert.match(facts, /Bank code\s+058\s/)
    assert.match(facts, /Account\s+•••• 0003/)
    const to = page.getByRole('link', { name: 'Our own' })
    assert.equal(await to.getAttribute('href'), `/ops/destinations/${silent}`)
    const link = page.getByRole('link', { name: 'Open in the Temporal UI' })
    const ui = `https://temporal.example.com/namespaces/default/workflows/payout%2F${id}`
    assert.equal(await link.getAttribute('href'), ui)
    await type(page.locator('#act-reason'), 'The bank says that it never came.')
    await press(page, 'Ask again')
    await page.getByText('Done. The provider is asked again.').waitFor()
    await type(page.getByLabel('Proof', { exact: true }), 'bank letter 7')
    await type(page.locator('#act-reason'), 'The bank has confirmed it in writing.')
    await press(page, 'Mark as arrived')
    await page.getByText('Done. Marked as arrived.').waitFor()
    const shown = await looked(page, 'payout-settled')
    assert.match(shown, /Retried\s+Done\s+.*, by A Person/)
    assert.match(shown, /Marked as arrived\s+Done\s+.*, by A Person\s+bank letter 7/)
  })
  assert.equal((await stack.merchant.getPayout(id)).status, 'completed')
})

test('a sent payout whose destination was changed says so, also where it is marked as failed', async () => {
  const { stack, owner, visit, addReviewer, pages } = desk
  const destination = await addDestination(stack, owner, { ends: '0003' })
  const id = await desk.stuckPayout(destination, '1000.00')
  await moveDestination(stack, owner, destination, '9128340001')
  const isSaid = /Destination changed\s+After this payout was sent with the earlier details, not/
  await visit(await addReviewer(), async (page) => {
    await page.goto(`${pages.base}/ops/payouts/${id}`)
    await heading(page, /^Payout of NGN/)
    assert.match(await looked(page, 'payout-moved'), isSaid)
    await type(page.locator('#act-reason'), 'The bank says that it never came.')
    await press(page, 'Mark as failed…')
    await heading(page, /^Mark this payout as/)
    assert.match(await looked(page, 'payout-moved-confirm'), isSaid)
  })
})

test('a payment that its provider holds is found among all that is stuck, and says what to do', async () => {
  const { stack, visit, addReviewer, pages } = desk
  const id = await holdAtRail(stack, await stack.merchant.createCheckout(sale))
  await stack.sql(`update payments set created_at = created_at - interval '2 hours' where id = ?`, [id])
  await visit(await addReviewer(), async (page) => {
    await page.goto(`${pages.base}/ops/stuck`)
    await page.getByLabel('Type').selectOption('Payments')
    await press(page, 'Show')
    const row = page.getByRole('row').filter({ hasText: id })
    const facts = /Payment of USD\s25\.00[\s\S]*No answer[\s\S]*What to do\s+Nothing to do: the provider is asked again/
    assert.match(await row.innerText(), facts)
    assert.equal(await page.getByRole('row').filter({ hasText: 'Payout of' }).count(), 0)
    await looked(page, 'stuck-payment')
    await page.goto(`${pages.base}/ops/stuck?resource=card&offset=-1`) // a wrong filter shows everything
    await row.waitFor()
    await page.goto(`${pages.base}/ops/stuck?offset=100000`)
    await page.getByText('Nothing more to show.').waitFor()
    await page.getByRole('link', { name: 'Longer waits' }).waitFor()
  })
})

test('what is overdue is listed with what should have happened, by kind, on a small phone too', async () => {
  const { stack, visit, addReviewer, pages } = desk
  const { checkout_id: id } = await stack.merchant.createCheckout(sale)
  const late = newId('we', Date.now())
  await stack.dispatched()
  await settled(stack.client, 'checkout', id)
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await stack.sql('update checkouts set created_at = ?, expires_at = ? where id = ?', [ago(90), ago(20), id])
  await stack.sql(
    `insert into webhook_endpoints (id, account_id, environment, url, events, failing_since, created_at, updated_at)
     values (?, ?, 'sandbox', 'https://example.com', '{*}', ?, ?, ?)`,
    [late, stack.organizationId, ago(2000), ago(2000), ago(2000)],
  )
  const work = async (page: Page) => {
    await page.goto(`${pages.base}/ops/stuck?resource=checkout_session`)
    await heading(page, 'Overdue')
    const row = page.getByRole('row').filter({ hasText: id })
    assert.match(await row.innerText(), /Checkout session of USD\s25\.00[\s\S]*The buyer\s+Overdue: End of the session/)
    assert.match(
      await row.innerText(),
      /Waiting since[\s\S]*overdue for 20 minutes[\s\S]*What to do\s+The session should have/,
    )
    assert.equal(await page.getByRole('row').filter({ hasText: late }).count(), 0)
    await looked(page, 'stuck-session')
    await page.getByLabel('Type').selectOption('Webhook endpoints')
    await press(page, 'Show')
    const endpoint = page.getByRole('row').filter({ hasText: `Webhook endpoint ${late}` })
    assert.match(await endpoint.innerText(), /Overdue: Mail to the endpoint’s owner/)
    await heading(page, 'Overdue')
    await looked(page, 'stuck-endpoint')
    await page.goto(`${pages.base}/ops/stuck?resource=checkout_session`)
    await row.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: /session/i }).waitFor()
    assert.match(page.url(), new RegExp(`/ops/timelines/${id}$`))
  }
  const reviewer = await addReviewer()
  await visit(reviewer, work, { viewport: smallPhone })
  await stack.sql('delete from webhook_endpoints where id = ?', [late])
})

test('the queue and the list of what is overdue link to the lists in the Temporal UI', async () => {
  const { visit, addReviewer, pages } = desk
  await visit(await addReviewer(), async (page) => {
    for (const path of ['/queue', '/stuck']) {
      await page.goto(`${pages.base}/ops${path}`)
      const links = page.getByRole('navigation', { name: 'In the Temporal UI' }).getByRole('link')
      assert.deepEqual(
        await links.allInnerTexts(),
        processLists.map(({ name }) => name),
      )
      const first = new URL((await links.first().getAttribute('href')) ?? '')
      assert.equal(first.origin + first.pathname, 'https://temporal.example.com/namespaces/default/workflows')
      assert.equal(first.searchParams.get('query'), processLists[0].query)
    }
  })
})

test('people of an organization, its admins too, are refused at the review desk', async () => {
  for (const role of ['owner', 'admin'] as const) {
    await desk.visit(await desk.logins.addPerson({ role }), async (page) => {
      await heading(page, 'That did not work')
      assert.match(await looked(page, `refused-${role}`), /The review desk is for reviewers of the platform/)
    })
  }
})

test('a visitor who is not signed in sees nothing, and a form of another site is refused', async () => {
  const { base } = desk.pages
  for (const path of ['/queue', '/stuck', '/timelines', '/payouts/pay_x', '/destinations/pd_x', '/timelines/ref_x']) {
    const answer = await fetch(`${base}/ops${path}`, { redirect: 'manual', headers: fromAnywhere() })
    assert.equal(answer.status, 303)
    assert.match(answer.headers.get('location') ?? '', /^\/ops\/login/)
  }
  const headers = { ...fromAnywhere(), 'sec-fetch-site': 'cross-site' }
  const forged = await fetch(`${base}/ops/payouts/pay_x/mark-failed`, { method: 'POST', headers })
  assert.equal(forged.status, 403)
})

const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test('unknown paths and the start page answer browsers with a page and programs with the error object', async () => {
  const { base } = desk.pages
  const get = (path: string, accept: string, method = 'GET') =>
    fetch(base + path, { method, headers: { ...fromAnywhere(), accept } })
  for (const path of ['/ops/nowhere', '/ops/queue/nowhere', '/dashboard/nowhere', '/ops/reviews/rvw_x/claim']) {
    const page = await get(path, ofBrowser)
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
    const text = await page.text()
    assert.match(text, /<h1>This page does not exist<\/h1>/)
    assert.ok(text.includes(`href="/${path.split('/')[1]}">Go to the start page`))
    const object = await get(path, 'application/json')
    assert.equal(object.status, 404)
    assert.equal(((await object.json()) as { error_code: string }).error_code, 'NOT_FOUND')
  }
  const start = await get('/', ofBrowser)
  assert.equal(start.status, 200)
  const links = [...(await start.text()).matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link ?? '')
  assert.deepEqual(links, ['/docs', '/reference', '/openapi.json', '/dashboard', '/ops'])
  for (const link of links) assert.equal((await get(link, ofBrowser)).status, 200, link)
  assert.equal((await get('/', 'application/json')).status, 404)
  const operation = await get('/v1/nowhere', ofBrowser)
  assert.match(operation.headers.get('content-type') ?? '', /^application\/json/)
})
