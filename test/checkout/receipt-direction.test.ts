import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsInSight } from '../../api/pdf/direction.ts'
import { drawText, drawTextTo, ink, type Sheet, type Style } from '../../api/pdf/sheet.ts'

// What is seen from left to right on a receipt or an invoice. The font turns the letters of a part that is Arabic or
// Hebrew; every other part is drawn as it is.

test('a line without Arabic or Hebrew is drawn as it is', () => {
  for (const text of ['Ada Buyer', '₦5,000.00 (paid)', '', '李小龍 25', '12, Marina Road']) {
    assert.deepEqual(partsInSight(text), [text])
  }
})

test('numbers and words in Latin letters keep their order in a line that is read from the right', () => {
  assert.deepEqual(partsInSight('شركة محمد Ltd'), ['Ltd', 'شركة محمد '])
  assert.deepEqual(partsInSight('شارع 25'), ['25', 'شارع '])
  assert.deepEqual(partsInSight('12 شارع'), [' شارع', '12'])
  assert.deepEqual(partsInSight('قهوة 25kg'), ['25kg', 'قهوة '])
  assert.deepEqual(partsInSight('שלום abc 123'), ['abc 123', 'שלום '])
  assert.deepEqual(partsInSight('سعر 1,250.50$ فقط'), ['$ فقط', '1,250.50', 'سعر '])
})

test('a name in Arabic or Hebrew inside of a line that is read from the left stays where it is', () => {
  assert.deepEqual(partsInSight('Ada محمد Smith'), ['Ada ', 'محمد', ' Smith'])
  assert.deepEqual(partsInSight('Room 12 שלום'), ['Room 12 ', 'שלום'])
  assert.deepEqual(partsInSight('Ada محمد 25'), ['Ada ', '25', 'محمد '])
})

test('brackets open towards what they hold', () => {
  assert.deepEqual(partsInSight('محمد (VIP)'), ['(', 'VIP', 'محمد )'])
  assert.deepEqual(partsInSight('محمد (علي)'), ['محمد )علي('])
})

test('a mark above a letter stays with it', () => {
  assert.deepEqual(partsInSight('مُحَمَّد 5'), ['5', 'مُحَمَّد '])
})

test('a document draws the parts of a line side by side, each where it is seen', () => {
  const drawn: [text: string, x: number][] = []
  const page = { drawText: (text: string, { x }: { x: number }) => void drawn.push([text, x]) }
  const font = { widthOfTextAtSize: (text: string, size: number) => [...text].length * size }
  const face = { runsOf: (text: string) => [{ text, font }], widthOf: font.widthOfTextAtSize }
  const style = { face, size: 10, color: ink } as unknown as Style
  const sheet = { page } as unknown as Sheet
  drawText(sheet, 'قهوة 25kg', 100, 0, style)
  drawTextTo(sheet, 'قهوة 25kg', 200, 0, style)
  assert.deepEqual(drawn, [
    ['25kg', 100],
    ['قهوة ', 140],
    ['25kg', 110],
    ['قهوة ', 150],
  ])
})
