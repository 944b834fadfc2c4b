import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { LanguageCode } from '../../domain/language.ts'
import { catalogues, type WordKey } from '../../web/words/catalogues.ts'
import { describeBarriers, graveBarriersOn } from './barriers.ts'

/** A name that looks like markup and like an insertion. */
export const hostileName = '<b>{amount}</b> & "Co" <img src=x onerror=alert(1)>'

/** A locale of each language, as a merchant or a browser names it. */
export const locales: Record<LanguageCode, string> = { en: 'en-NG', fr: 'fr-CI', sw: 'sw-KE', pt: 'pt-MZ' }

/** A text without insertions. */
export const textIn = (code: LanguageCode, key: WordKey): string => catalogues[code][key]

/** Without markup, and with spaces that every text has. */
export const plain = (html: string) => html.replaceAll(/<[^>]*>|[\u2066-\u2069]/g, '').replaceAll('\u00a0', ' ')

/** Which of these texts a page in this language has: of each, the longest part in which nothing is inserted. */
export const textsAmong = <K extends WordKey>(keys: readonly K[], page: string, code: LanguageCode): K[] =>
  keys.filter((key) => {
    const parts = plain(textIn(code, key)).split(/\{\w+\}/)
    return page.includes(parts.reduce((longest, part) => (part.length > longest.length ? part : longest)))
  })

/** English texts of three words or more: none of them is on a page in another language. */
const sentences = (Object.keys(catalogues.en) as WordKey[]).filter(
  (key) => !/[{<]/.test(catalogues.en[key]) && catalogues.en[key].split(' ').length > 2,
)

/** All that people read on a page: its title, its text, and what only screen readers say. */
async function readable(page: Page): Promise<string> {
  const attributes = await page.evaluate<string[]>(`[...document.querySelectorAll('[aria-label], [placeholder], [alt]')]
    .flatMap((one) => ['aria-label', 'placeholder', 'alt'].flatMap((name) => one.getAttribute(name) ?? []))`)
  return [await page.title(), await page.locator('body').innerText(), ...attributes].join('\n')
}

type Look = { code: LanguageCode; name: string; hasScript?: boolean }

/**
 * Asserts that a page is in one language and has no markup of others, and that nobody is kept from using it.
 * `hasScript` is false where the page has none: the checker is a script itself.
 */
export async function assertInLanguage(page: Page, { code, name, hasScript = true }: Look): Promise<void> {
  assert.equal(await page.locator('html').getAttribute('lang'), code)
  const shown = await readable(page)
  if (code !== 'en') {
    const left = sentences.filter((key) => shown.includes(catalogues.en[key]))
    assert.deepEqual(left, [], `${name} in ${code}`)
  }
  assert.doesNotMatch(shown, /undefined|\[object|NaN/)
  assert.equal(await page.locator('img[src=x]').count(), 0)
  if (!hasScript) return
  assert.deepEqual(describeBarriers(await graveBarriersOn(page)), [], `${name} in ${code}`)
}

/** Asserts that a page is not wider than its screen. */
export async function assertFits(page: Page, name: string): Promise<void> {
  const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
  const width = page.viewportSize()?.width ?? 0
  assert.ok(pixels <= width, `${name}: the page is ${pixels} pixels wide on a screen of ${width}`)
}
