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

test('nor does a cell hold a formula for a spreadsheet that divides at semicolons, tabs or all line breaks', () => {
  const call = "=cmd|'/C calc'!A0"
  for (const [text, line] of [
    [`Ada;${call}`, `Ada;'${call}`],
    ['Ada;;@sum(1);-2+3', "Ada;;'@sum(1);'-2+3"],
    ['Ada\t+1', "Ada\t'+1"],
    [`Ada\r\n${call}`, `"Ada\r\n'${call}"`],
    [`Ada;"${call}`, `"Ada;'""${call}"`],
    ['=1;=2', "'=1;'=2"],
    ['Tea; two - cups;a=b; -5;c@d.example', 'Tea; two - cups;a=b; -5;c@d.example'],
  ] as const) {
    assert.equal(csvLine([text]), `${line}\r\n`)
  }
})
