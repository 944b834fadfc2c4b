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
