import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latinDigits } from '../../domain/digits.ts'

test('the digits of every script are 0 to 9, and all else stays as it is', () => {
  const zeros = { Latin: '0', Arabic: '٠', Persian: '۰', NKo: '߀', Devanagari: '०', Bengali: '০', 'full width': '０' }
  for (const [script, zero] of Object.entries({ ...zeros, Adlam: '𞥐', Thai: '๐', Myanmar: '၀', Osmanya: '𐒠' })) {
    const code = zero.codePointAt(0) ?? 0
    const ten = Array.from({ length: 10 }, (_, value) => String.fromCodePoint(code + value)).join('')
    assert.equal(latinDigits(`+${ten}/a`), '+0123456789/a', script)
  }
  assert.equal(latinDigits('½ Ⅳ ² one'), '½ Ⅳ ² one')
})

test('digits of scripts that stand one behind the other in Unicode have the values of their own script', () => {
  assert.equal(latinDigits('𝟏𝟎 𝟙𝟘.𝟡𝟡 𝟣𝟢 𝟭𝟬 𝟷𝟶 𝟿'), '10 10.99 10 10 10 9')
  const digits: string[] = []
  for (let code = 0; code < 0x11_0000; code++) {
    const text = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code)
    if (/\p{Nd}/u.test(text)) digits.push(text)
  }
  assert.ok(digits.length >= 650)
  for (const [index, digit] of digits.entries()) {
    const known = digit.normalize('NFKC') // of another width or style than 0 to 9
    assert.equal(latinDigits(digit), /^[0-9]$/.test(known) ? known : String(index % 10), digit)
  }
})
