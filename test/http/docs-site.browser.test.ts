import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { barriersOn, describeBarriers } from '../support/barriers.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { openPages } from '../support/pages.ts'
import { desktop, heading, looked, phone } from '../support/review-desk.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

const stack = await useStack({ workers: false })
const pages = await openPages(stack)
const browser = await launchBrowser()
atEnd(() => pages.stop())
atEnd(() => browser.close())

const tablet = { width: 820, height: 1180 }
const kilobyte = 1_024

async function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options)
  await watchPage(context, { origins: [pages.base] }, work)
}

const kinds = {
  home: ['/', 'steadypay'],
  overview: ['/docs', 'Documentation'],
  start: ['/docs/start', 'Getting started'],
  guide: ['/docs/guides/checkout', 'Checkout'],
  wide: ['/docs/endpoints', 'Endpoints'],
  errors: ['/docs/errors', 'Errors'],
  events: ['/docs/events', 'Event types'],
  event: ['/docs/events/refund.paid', 'refund.paid'],
  search: ['/docs/search?q=refund', 'Search'],
  decision: ['/docs/decisions/0033-one-house', /^0033/],
} as const

for (const [name, options] of Object.entries({
  phone: { viewport: phone },
  tablet: { viewport: tablet },
  'dark desktop': { viewport: desktop, colorScheme: 'dark' },
} satisfies Record<string, BrowserContextOptions>))
  test(`every kind of page is read by anybody, and not wider than the screen: ${name}`, () =>
    visit(options, async (page) => {
      for (const [kind, [path, title]] of Object.entries(kinds)) {
        await page.goto(pages.base + path)
        await heading(page, title)
        if (name !== 'tablet' && kind !== 'wide') await looked(page, `docs-${kind}`)
      }
    }))

test('a table has no header without a name', () =>
  visit({ viewport: desktop }, async (page) => {
    for (const guide of ['checkout', 'invoices', 'production', 'payout-destinations']) {
      await page.goto(`${pages.base}/docs/guides/${guide}`)
      const found = describeBarriers(await barriersOn(page))
      assert.deepEqual(
        found.filter((each) => each.startsWith('empty-table-header')),
        [],
        guide,
      )
    }
  }))

test('on a phone without script: the menu, the tabs and the search work', () =>
  visit({ viewport: phone, javaScriptEnabled: false }, async (page) => {
    await page.goto(`${pages.base}/docs`)
    await page.getByText('Menu', { exact: true }).click()
    await page.locator('.narrow').getByRole('link', { name: 'Getting started' }).click()
    await heading(page, 'Getting started')
    const panels = page.locator('.tabs').first().locator('.panel')
    assert.deepEqual(await panels.evaluateAll((all) => all.map((one) => one.checkVisibility())), [
      true,
      false,
      false,
      false,
    ])
    await page.locator('.tabs').first().getByText('Go', { exact: true }).click()
    assert.deepEqual(await panels.evaluateAll((all) => all.map((one) => one.checkVisibility())), [
      false,
      false,
      false,
      true,
    ])
    await page.getByLabel('Search the documentation').fill('payout schedules')
    await page.getByRole('button', { name: 'Search' }).click()
    await heading(page, 'Search')
    await page.locator('.hits a').first().click()
    await heading(page, 'Payout schedules')
  }))

test('with the keyboard alone: past the menu, to the search, and from one language to the next', () =>
  visit({ viewport: desktop }, async (page) => {
    await page.goto(`${pages.base}/docs/start`)
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').innerText(), 'Skip to the content')
    await page.keyboard.press('Enter')
    assert.equal(await page.locator(':focus').getAttribute('id'), 'content')
    await page.getByRole('radio', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    const shown = page.locator('.tabs .panel').filter({ visible: true })
    assert.match(await shown.first().innerText(), /await fetch|const /)
    const checked = await page
      .getByRole('radio', { name: 'TypeScript' })
      .evaluateAll((all) => all.map((one) => one.matches(':checked')))
    assert.ok(checked.every(Boolean), 'all tabs of the page follow')
  }))

test('code is copied as it is written', () =>
  visit({ viewport: desktop, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.goto(`${pages.base}/docs/guides/webhooks`)
    const block = page.locator('.code').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(copied, await block.locator('code').textContent())
  }))

test('a first view takes at most 150 KB and 12 requests', async () => {
  for (const path of Object.values(kinds).map(([first]) => first)) {
    await visit({ viewport: phone }, async (page) => {
      const sizes: Promise<number>[] = []
      page.on('response', (response) => sizes.push(response.body().then(({ length }) => length)))
      await page.goto(pages.base + path, { waitUntil: 'networkidle' })
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      assert.ok(bytes <= 150 * kilobyte, `${path}: ${bytes} bytes`)
      assert.ok(sizes.length <= 12, `${path}: ${sizes.length} requests`)
    })
  }
})
