import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { fromAnywhere, withApi } from './support/api.ts'
import { endow } from './support/conversion.ts'
import { leftOpen, read as readDestination, register } from './support/destination.ts'
import { createLogins, type Logins, type Person, totpAt } from './support/login.ts'
import { openPages } from './support/pages.ts'
import { addDestination } from './support/payout.ts'
import { type Stack, startStack, until } from './support/stack.ts'

const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }
const shots = process.env['SCREENSHOTS']

let stack: Stack
let logins: Logins
let browser: Browser
let pages: Awaited<ReturnType<typeof openPages>>
let owner: { accountId: string; environment: 'sandbox' }
let silent = ''

before(async () => {
  assert.ok(existsSync(chromiumPath), `the pages are tested with ${chromiumPath}; install chromium or set CHROMIUM`)
  stack = await startStack()
  await withApi(stack).lift()
  logins = createLogins(stack)
  pages = await openPages(stack)
  owner = { accountId: stack.organizationId, environment: 'sandbox' }
  await endow(stack, owner.accountId, '9000000.00', 'NGN')
  silent = await addDestination(stack, owner, { ends: '0003' })
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  })
})
after(async () => {
  await browser?.close()
  pages?.stop()
  await stack?.stop()
})

type Options = { script?: boolean; viewport?: typeof phone }

/** A visit of somebody of the staff from an address of their own; no page may look outside, or complain. */
async function visit(person: Person, work: (page: Page) => Promise<void>, options: Options = {}): Promise<void> {
  const { script = true, viewport = phone } = options
  const context = await browser.newContext({ javaScriptEnabled: script, viewport, extraHTTPHeaders: fromAnywhere() })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  if (!script) withoutScript.add(page)
  const complaints: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== pages.base) complaints.push(`outside: ${request.url()}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (!message.text().includes('status of 4')) complaints.push(message.text())
  })
  try {
    await signIn(page, person)
    await work(page)
    assert.deepEqual(complaints, [])
  } finally {
    await context.close()
  }
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto(`${pages.base}/ops`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await press(page, 'Continue')
  await heading(page, 'Enter your code')
  await page.getByRole('textbox', { name: /code$/i }).fill(totpAt(person.totpSecret, Date.now()))
  await press(page, 'Sign in')
}

const addReviewer = () => logins.addPerson({ role: 'reviewer', accountId: null })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(pixels <= (page.viewportSize()?.width ?? 0), `${name}: the page is ${pixels} pixels wide`)
}

/** Pages without script, which axe cannot look into; they are the same pages. */
const withoutScript = new WeakSet<Page>()

/** What a page says, when a screen reader would have no serious trouble with it. */
async function looked(page: Page, name: string): Promise<string> {
  if (shots) await page.screenshot({ path: `${shots}/ops-${name}-${page.viewportSize()?.width}.png`, fullPage: true })
  if (withoutScript.has(page)) return page.locator('main').innerText()
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`),
    [],
  )
  return page.locator('main').innerText()
}

const audited = async (target: string): Promise<string[]> =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [target])).map(
    ({ action }) => action,
  )

/** A payout that the rail has had for two hours and has not answered; asked for in naira. */
async function stuckPayout(amount: string): Promise<string> {
  const { id } = await stack.merchant.payOut(silent, { amount })
  await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'it is with the rail', 30_000)
  await stack.sql(`update payouts set submitted_at = submitted_at - interval '2 hours' where id = ?`, [id])
  return id
}

for (const viewport of [phone, desktop]) {
  test(`a reviewer finds, claims and approves a destination, ${viewport.width} wide`, async () => {
    const destination = await register(stack.merchant, 'NGN', leftOpen)
    await visit(
      await addReviewer(),
      async (page) => {
        await heading(page, 'Queue')
        assert.match(await looked(page, 'queue'), /Destination: a new payout destination/)
        await page.getByRole('button', { name: `Claim and open ${destination.id}` }).click()
        await heading(page, 'Main account')
        const said = await looked(page, 'destination')
        assert.match(said, /It waits for a decision/)
        assert.match(said, /0123450008/)
        assert.match(said, /Put into the queue/)
        assert.match(said, /Claimed, by A Person/)
        await page.getByLabel('Approve').check()
        await press(page, 'Decide')
        await page.getByText('Your decision is taken.').waitFor()
        assert.match(await looked(page, 'destination-approved'), /Approved, by A Person/)
      },
      { viewport },
    )
    assert.equal((await readDestination(stack.merchant, destination)).status, 'approved')
    assert.deepEqual(await audited(destination.id), ['payout_destination.registered', 'payout_destination.approved'])
  })
}

test('without a script a held payout is rejected for a reason, and not without one', async () => {
  const { id } = await stack.merchant.payOut(silent, { reference: 'sandbox_hold' })
  await until(async () => (await stack.merchant.getPayout(id)).status === 'pending', 'it is held', 30_000)
  await visit(
    await addReviewer(),
    async (page) => {
      await page.getByRole('link', { name: /^Payout: held by its reference/ }).click()
      await heading(page, /^Payout of NGN/)
      assert.match(await looked(page, 'payout-held'), /It waits for a decision/)
      await page.getByLabel('Reject').check()
      await press(page, 'Decide')
      await page.getByText('Please say why').waitFor()
      await page.getByLabel('Reject').check()
      await page.locator('#decide-reason').fill('The account holder has asked us to.')
      await press(page, 'Decide')
      await page.getByText('Your decision is taken.').waitFor()
      assert.match(await looked(page, 'payout-rejected'), /the balance has its money back/)
    },
    { script: false },
  )
  const payout = await stack.merchant.getPayout(id)
  assert.deepEqual([payout.status, payout.failure_reason], ['rejected', 'The account holder has asked us to.'])
})

test('a stuck payout is found, asked about again and marked as arrived with proof', async () => {
  const id = await stuckPayout('1000.00')
  await visit(await addReviewer(), async (page) => {
    await page.getByRole('link', { name: 'Stuck payouts' }).click()
    await heading(page, 'Stuck payouts')
    assert.match(await looked(page, 'stuck'), new RegExp(id))
    await page.goto(`${pages.base}/ops/payouts/${id}`)
    await heading(page, /^Payout of NGN/)
    assert.match(await looked(page, 'payout-stuck'), /has not answered for more than an hour/)
    const link = page.getByRole('link', { name: 'Open its process in the Temporal UI' })
    const ui = `https://temporal.example.com/namespaces/default/workflows/payout%2F${id}`
    assert.equal(await link.getAttribute('href'), ui)
    await page.locator('#retry-reason').fill('The bank says that it never came.')
    await press(page, 'Ask again')
    await page.getByText('Done.', { exact: true }).waitFor()
    await page.getByText('The money has arrived, and there is proof').click()
    await page.getByLabel('Where the proof is').fill('bank letter 7')
    await page.locator('#settled-reason').fill('The bank has confirmed it in writing.')
    await press(page, 'Mark as arrived')
    await page.getByText('Done.', { exact: true }).waitFor()
    const said = await looked(page, 'payout-settled')
    assert.match(said, /Tried again, by A Person/)
    assert.match(said, /Marked as arrived, by A Person\s+bank letter 7/)
  })
  assert.equal((await stack.merchant.getPayout(id)).status, 'completed')
})

test('a high payout is marked as failed by two people, and never by one', async () => {
  const id = await stuckPayout('2000000.00')
  const markFailed = async (page: Page) => {
    await page.goto(`${pages.base}/ops/payouts/${id}`)
    await page.getByText('The money has not arrived and never will').click()
    await page.locator('#failed-reason').fill('The bank has sent the order back.')
    await press(page, 'Mark as failed')
  }
  const first = await addReviewer()
  await visit(first, async (page) => {
    await heading(page, 'Queue')
    await markFailed(page)
    await page.getByText('so a second person has to do the same').waitFor()
    assert.match(await looked(page, 'payout-proposed'), /It counts once a second person does the same/)
    await markFailed(page)
    await page.getByText('so a second person has to do the same').waitFor()
    assert.equal((await stack.merchant.getPayout(id)).status, 'processing')
  })
  await visit(await addReviewer(), async (page) => {
    await heading(page, 'Queue')
    await markFailed(page)
    await page.getByText('Done.', { exact: true }).waitFor()
  })
  assert.equal((await stack.merchant.getPayout(id)).status, 'failed')
})

test('people of an organization are told that the desk is not theirs, its admins too', async () => {
  for (const role of ['owner', 'admin'] as const) {
    await visit(await logins.addPerson({ role }), async (page) => {
      await heading(page, 'That did not work')
      assert.match(await looked(page, `refused-${role}`), /The review desk is for reviewers of the platform/)
    })
  }
})

test('nobody who is not signed in sees anything, and another site’s form does nothing', async () => {
  for (const path of ['/queue', '/stuck', '/payouts/pay_x', '/destinations/pd_x']) {
    const answer = await fetch(`${pages.base}/ops${path}`, { redirect: 'manual', headers: fromAnywhere() })
    assert.equal(answer.status, 303)
    assert.match(answer.headers.get('location') ?? '', /^\/ops\/login/)
  }
  const headers = { ...fromAnywhere(), 'sec-fetch-site': 'cross-site' }
  const forged = await fetch(`${pages.base}/ops/payouts/pay_x/mark-failed`, { method: 'POST', headers })
  assert.equal(forged.status, 403)
})
