import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  intervalCountMax,
  keptAmounts,
  type PriceAmounts,
  type PriceType,
  validatePrice,
} from '../../domain/catalogue/product.ts'
import {
  productCategories,
  productCategorySections,
  productCategoryValues,
} from '../../domain/catalogue/product-category.ts'
import { isImage, typeOfContent, uploadBytesMax, uploadTypes } from '../../domain/catalogue/upload.ts'

// The rules of products and uploads, tested without a running service.

const none: PriceAmounts = { amount: null, minimum_amount: null, maximum_amount: null, suggested_amount: null }
const errorsOf = (priceType: PriceType, amounts: Partial<PriceAmounts>, currency = 'USD') =>
  validatePrice(priceType, currency, { ...none, ...amounts }).map(({ field, type }) => `${field} ${type}`)

test('a fixed price is an amount above zero, without bounds', () => {
  assert.deepEqual(errorsOf('fixed', { amount: '0.01' }), [])
  assert.deepEqual(errorsOf('fixed', {}), ['amount value_error.missing'])
  assert.deepEqual(errorsOf('fixed', { amount: '0.00' }), ['amount value_error.range'])
  assert.deepEqual(
    errorsOf('fixed', { amount: '5', minimum_amount: '1', maximum_amount: '9', suggested_amount: '5' }),
    ['minimum_amount value_error', 'maximum_amount value_error', 'suggested_amount value_error'],
  )
})

test('a free product has no amount, or zero, and no bounds', () => {
  assert.deepEqual(errorsOf('free', {}), [])
  assert.deepEqual(errorsOf('free', { amount: '0' }), [])
  assert.deepEqual(errorsOf('free', { amount: '1' }), ['amount value_error.range'])
  assert.deepEqual(errorsOf('free', { suggested_amount: '1' }), ['suggested_amount value_error'])
})

test('of a price that the buyer decides the bounds are in order, and each error is told once', () => {
  assert.deepEqual(errorsOf('custom', {}), [])
  assert.deepEqual(errorsOf('custom', { amount: '5' }), ['amount value_error'])
  assert.deepEqual(errorsOf('custom', { minimum_amount: '5', maximum_amount: '5', suggested_amount: '5.00' }), [])
  assert.deepEqual(errorsOf('custom', { minimum_amount: '10', maximum_amount: '9' }), [
    'maximum_amount value_error.range',
  ])
  assert.deepEqual(errorsOf('custom', { minimum_amount: '10', suggested_amount: '9' }), [
    'suggested_amount value_error.range',
  ])
  assert.deepEqual(errorsOf('custom', { maximum_amount: '10', suggested_amount: '11' }), [
    'suggested_amount value_error.range',
  ])
  assert.deepEqual(errorsOf('custom', { maximum_amount: '0' }), ['maximum_amount value_error.range'])
  assert.deepEqual(errorsOf('custom', { minimum_amount: '0', maximum_amount: '0.01' }), [])
})

test('an amount that cannot be read has its own error alone, and is compared with nothing', () => {
  assert.deepEqual(errorsOf('custom', { minimum_amount: '1e9', maximum_amount: '5' }), [
    'minimum_amount value_error.format',
  ])
  assert.deepEqual(errorsOf('fixed', { amount: '-1' }), ['amount value_error.format'])
  assert.deepEqual(errorsOf('free', { amount: 'x' }), ['amount value_error.format'])
  assert.deepEqual(errorsOf('fixed', { amount: '1.005' }), ['amount value_error.format'])
  assert.deepEqual(errorsOf('fixed', { amount: '1.005' }, 'XTS'), [], 'an unknown currency has its own error elsewhere')
})

test('a price is kept with all decimals: zero when free, null only where the buyer decides', () => {
  const amounts = { ...none, minimum_amount: '5', maximum_amount: '10', suggested_amount: '7.5' }
  assert.deepEqual(keptAmounts('custom', 'USD', amounts), {
    amount: null,
    minimumAmount: '5.00',
    maximumAmount: '10.00',
    suggestedAmount: '7.50',
  })
  assert.equal(keptAmounts('free', 'RWF', none).amount, '0')
  assert.equal(keptAmounts('fixed', 'USD', { ...none, amount: '5' }).amount, '5.00')
})

test('two charges are at most three years apart', () => {
  const daysOf = { day: 1, week: 7, month: 365 / 12, year: 365 }
  assert.deepEqual(Object.keys(intervalCountMax), Object.keys(daysOf))
  for (const [interval, count] of Object.entries(intervalCountMax)) {
    const days = count * daysOf[interval as keyof typeof daysOf]
    assert.ok(days <= 3 * 365 && days > 3 * 365 - 7, interval)
  }
})

test('every category is in exactly one section, and has a label', () => {
  const inSections = productCategorySections.flatMap(({ categories }) => categories)
  assert.deepEqual(inSections, productCategoryValues)
  assert.equal(new Set(inSections).size, inSections.length)
  assert.ok(inSections.length > 20)
  for (const { value, label } of productCategories) {
    assert.match(value, /^[a-z]+(_[a-z]+)*$/)
    assert.match(label, /^[A-Z]/)
  }
  for (const { label, categories } of productCategorySections) assert.ok(/^[A-Z]/.test(label) && categories.length > 2)
})

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part)))

test('the type of a file is told by its first bytes, as the formats define them', () => {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  assert.equal(typeOfContent(bytes(png, [0, 0, 0, 13], 'IHDR')), 'image/png')
  assert.equal(typeOfContent(bytes(png, [0, 0, 0, 13], 'IDAT')), null)
  assert.equal(typeOfContent(bytes([0x88], png.slice(1), [0, 0, 0, 13], 'IHDR')), null)
  assert.equal(typeOfContent(bytes([0xff, 0xd8, 0xff, 0xe0])), 'image/jpeg')
  assert.equal(typeOfContent(bytes([0xff, 0xd8, 0x00])), null)
  for (const kind of ['VP8 ', 'VP8L', 'VP8X'])
    assert.equal(typeOfContent(bytes('RIFF', [1, 2, 3, 4], 'WEBP', kind)), 'image/webp')
  assert.equal(typeOfContent(bytes('RIFF', [1, 2, 3, 4], 'WEBPVP9 ')), null)
  assert.equal(typeOfContent(bytes('RIFF', [1, 2, 3, 4], 'WAVEVP8 ')), null)
  assert.equal(typeOfContent(bytes('RIFX', [1, 2, 3, 4], 'WEBPVP8 ')), null)
  assert.equal(typeOfContent(bytes('RIFF', [1, 2, 3, 4], 'WEBPxVP8')), null)
  for (const version of ['1.4', '1.7', '2.0'])
    assert.equal(typeOfContent(bytes(`%PDF-${version}\n`)), 'application/pdf')
  for (const text of ['%PDF-3.0', ' %PDF-1.4', '%PDF-1x4', '%PDF-1.x', 'GIF89a', ''])
    assert.equal(typeOfContent(bytes(text)), null, text)
})

test('an upload has at most 10 MB, and a PDF is no image', () => {
  assert.equal(uploadBytesMax, 10_485_760)
  assert.deepEqual(uploadTypes.filter(isImage), ['image/png', 'image/jpeg', 'image/webp'])
})
