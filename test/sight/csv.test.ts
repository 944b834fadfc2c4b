import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../../web/csv.ts'

test('no cell is a formula to a spreadsheet, and a negative amount stays a number', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n']) {
    const text = `${sign}HYPERLINK(1)`
    const cell = `'${text}`
    assert.equal(csvLine([text]), `${/[\r\n]/.test(text) ? `"${cell}"` : cell}\r\n`)
  }
  assert.equal(csvLine(['-25.00', 'a=b', null, 'say "x", y']), '-25.00,a=b,,"say ""x"", y"\r\n')
})
