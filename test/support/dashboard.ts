import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Opens the dashboard's menu, which is always open on a desktop. */
export async function openMenu(page: Page): Promise<void> {
  // Before its styles have come, a page shows what a desktop hides.
  await page.locator('body.dashboard').waitFor({ state: 'attached' })
  await page.waitForLoadState()
  const closed = page.locator('details:not([open]) > summary', { hasText: 'Menu' })
  if (await closed.isVisible()) await closed.click()
}

/** Follows a link of the dashboard's menu. */
export async function choose(page: Page, name: string): Promise<void> {
  await openMenu(page)
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click()
}

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
