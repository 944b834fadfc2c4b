import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ROOT } from '../../scripts/infra/paths.ts'
import { brandPath, brandStyle } from '../../web/checkout/brand.ts'

// Any colour that a merchant sets keeps the pages readable. The contrast is counted here anew, after WCAG 2.2.

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
function luminance(hex: string): number {
  const bits = Number.parseInt(hex.slice(1), 16)
  const [red, green, blue] = [bits >> 16, (bits >> 8) & 255, bits & 255].map((part) => channel(part / 255))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}
function contrast(one: string, other: string): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

const css = readFileSync(`${ROOT}/web/assets/checkout.css`, 'utf8')
/** The grounds of the stylesheet itself: a change there has to reach this test. */
const groundsOf = (from: string): string[] =>
  ['paper', 'ground', 'chosen'].map((name) => {
    const [, hex = ''] = new RegExp(`--${name}: (#[0-9a-f]{3,6});`).exec(from) ?? []
    return hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex
  })
const schemes = { light: groundsOf(css), dark: groundsOf(css.slice(css.indexOf('prefers-color-scheme: dark'))) }

const valuesOf = (rule: string): Record<string, string> =>
  Object.fromEntries([...rule.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]))

function assertReadable(colour: string): void {
  const [light = '', dark = ''] = brandStyle(colour).split('@media')
  for (const [scheme, rule] of Object.entries({ light, dark })) {
    const { brand = '', link = '', edge = '', 'on-brand': on = '', 'brand-dark': hover = '' } = valuesOf(rule)
    assert.equal(brand, colour)
    assert.ok(contrast(on, brand) >= 4.5, `${colour}: a button in ${scheme}`)
    assert.ok(contrast(on, hover) >= 4.5, `${colour}: a button under the pointer in ${scheme}`)
    for (const ground of schemes[scheme as keyof typeof schemes]) {
      assert.ok(contrast(link, ground) >= 4.5, `${colour}: a link on ${ground}`)
      assert.ok(contrast(edge, ground) >= 3, `${colour}: an edge on ${ground}`)
    }
  }
}

test('buttons, links and edges of every colour stand out, in light and in dark', () => {
  assert.deepEqual(schemes.light.length + schemes.dark.length, 6)
  for (const colour of ['#000000', '#ffffff', '#ffff00', '#777777', '#767676', '#0000ff', '#1a73e8']) {
    assertReadable(colour)
  }
  const colours = fc.integer({ min: 0, max: 0xffffff }).map((bits) => `#${bits.toString(16).padStart(6, '0')}`)
  fc.assert(fc.property(colours, assertReadable), { numRuns: 300 })
})

test('a colour that is readable as it is stays as it is', () => {
  const [light = ''] = brandStyle('#1f4b3f').split('@media')
  assert.partialDeepStrictEqual(valuesOf(light), { brand: '#1f4b3f', link: '#1f4b3f', edge: '#1f4b3f' })
})

test('only a colour has a stylesheet', () => {
  assert.equal(brandPath('#1a73e8'), '/assets/brand-1a73e8.css')
  for (const none of [null, '', 'red', '#12345', '#1a73e8;}body{display:none']) assert.equal(brandPath(none), null)
})
