import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { derivedId, firstIdAt, idAfter, idPattern, newId } from '../../domain/id.ts'

test('100,000 ids of one millisecond differ, and all of them have their prefix and form', () => {
  const form = new RegExp(idPattern('pay'))
  const ids = new Set(Array.from({ length: 100_000 }, () => newId('pay', 1_800_000_000_000)))
  assert.equal(ids.size, 100_000)
  for (const id of ids) assert.match(id, form)
})

test('ids sort by time, in any language', () => {
  const moment = fc.integer({ min: 0, max: 8_640_000_000_000_000 / 10 })
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      fc.pre(one !== other)
      assert.equal(newId('evt', one) < newId('evt', other), one < other)
    }),
    { numRuns: 5_000, seed: 1 },
  )
  const around = [1_767_225_599_999, 1_767_225_600_000, 1_767_225_600_001, 2 ** 40 - 1, 2 ** 40, 2 ** 45 - 1, 2 ** 45]
  const sorted = around.toSorted((one, other) => one - other).map((at) => newId('chk', at))
  assert.deepEqual(sorted.toSorted(), sorted)
})

test('the random part has 120 bits: every place can be each of 32 digits', () => {
  const ids = Array.from({ length: 3_000 }, () => newId('txn', 1).slice('txn_'.length + 10))
  for (let place = 0; place < 24; place++) assert.equal(new Set(ids.map((id) => id[place])).size, 32)
})

test('a text that is shorter or longer, or has another prefix or other letters, is no id', () => {
  const id = newId('acct', 1)
  const form = new RegExp(idPattern('acct'))
  assert.match(id, form)
  for (const not of [
    id.slice(0, -1),
    `${id}0`,
    id.replace('acct', 'cust'),
    id.toUpperCase(),
    `${id.slice(0, -1)}u`,
    ` ${id}`,
  ]) {
    assert.doesNotMatch(not, form)
  }
})

test('the id after another one sorts right behind it and keeps its prefix and form', () => {
  const form = new RegExp(idPattern('evt'))
  let last = newId('evt', 1_800_000_000_000)
  for (let count = 0; count < 5_000; count++) {
    const next = idAfter(last)
    assert.ok(last < next, `${last} < ${next}`)
    assert.match(next, form)
    last = next
  }
  assert.equal(idAfter('evt_0az9'), 'evt_0aza')
  assert.equal(idAfter('evt_0hzz'), 'evt_0j00')
})

test('a derived id is the same for the same purpose and moment, and another one for any other', async () => {
  const dueAt = 1_800_000_000_000
  const id = await derivedId('pay', dueAt, 'payment of sub_1 subscription_cycle 2027-01-15T08:00:00.000Z 1')
  assert.equal(id, 'pay_01mcc5rm00497vn797337yfjfjt48c1grn')
  assert.match(id, new RegExp(idPattern('pay')))
  assert.ok(id.startsWith(firstIdAt('pay', dueAt)))
  const purposes = Array.from({ length: 2_000 }, (_, number) => derivedId('pay', dueAt, `payment ${number}`))
  assert.equal(new Set(await Promise.all(purposes)).size, 2_000)
  assert.notEqual(await derivedId('pay', dueAt, 'payment 1'), await derivedId('pay', dueAt + 1, 'payment 1'))
})
