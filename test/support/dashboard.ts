import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Opens the menu of the dashboard or the desk, which is always open on a desktop. */
export async function openMenu(page: Page): Promise<void> {
  // Before its styles have come, a page shows what a desktop hides.
  await page.locator('body:is(.dashboard, .desk)').waitFor({ state: 'attached' })
  await page.waitForLoadState()
  const closed = page.locator('details:not([open]) > summary', { hasText: 'Menu' })
  if (await closed.isVisible()) await closed.click()
}

/** Follows a link of the dashboard's menu. */
export async function choose(page: Page, name: string): Promise<void> {
  await openMenu(page)
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click()
}

/**
 * Sends the long form of a page three times at once, and asserts that one thing is made of it: all answers lead to the
 * same page. Then sends it with other values, which are refused. `file` is for its input of that name.
 */
export async function assertMakesOne(page: Page, url: string, other: Fields, file: Fields = {}): Promise<void> {
  const { file: _, ...shown } = await page.evaluate<Record<string, string>>(
    'Object.fromEntries(new FormData(document.querySelector("main form[enctype]")))',
  )
  const send = (more: Fields = {}) =>
    page.request.post(url, {
      headers: { 'sec-fetch-site': 'same-origin' },
      multipart: { ...shown, ...file, ...more },
      maxRedirects: 0,
    })
  const answers = await Promise.all([send(), send(), send()])
  const to = answers[0]?.headers()['location']
  assert.ok(to)
  assert.deepEqual(
    answers.map((answer) => [answer.status(), answer.headers()['location']]),
    answers.map(() => [303, to]),
  )
  const changed = await send(other)
  assert.equal(changed.status(), 409)
  assert.match(await changed.text(), /sent before with other values/)
}

type Fields = Record<string, string | { name: string; mimeType: string; buffer: Buffer }>

/** The cells of a file for spreadsheets, by line. */
export function cellsOf(text: string): string[][] {
  assert.equal(text[0], '\uFEFF')
  const cells = [...text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)]
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of cells) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}
