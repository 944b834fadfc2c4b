import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { aboutClock } from '../../domain/sandbox/process.ts'
import { withStableNames } from '../../domain/sandbox/stable-names.ts'

// The rules of the sandbox's stories and clocks, tested without a running service.

test('a story has the same names whenever it happens: ids, random fields, numbers of invoices and their pages', () => {
  const tell = (at: number, invoice: string) => {
    const id = newId('pay', at)
    const other = newId('evt', at)
    const key = newId('inv', at).slice(4, 36)
    return {
      id,
      again: [id, { nested: id }],
      event: other,
      tx_hash: `${at}`.padEnd(16, 'a'),
      session_id: `${at}`.slice(0, 10),
      invoice_number: invoice,
      url: `https://pay.example/invoice/${key}?lang=fr`,
      amount: '5.00',
      count: 3,
      nothing: null,
      account_number: `${at}`.slice(0, 10),
    }
  }
  const first = tell(1_800_000_000_000, 'INV-000007')
  const one = withStableNames(first, 'seed')
  assert.deepEqual(one, withStableNames(tell(1_900_000_000_123, 'INV-000019'), 'seed'))
  assert.notDeepEqual(one, withStableNames(first, 'another seed'))
  assert.match(one.id, /^pay_[0-9a-hjkmnp-tv-z]{34}$/)
  assert.match(one.event, /^evt_/)
  assert.notEqual(one.id.slice(4), one.event.slice(4))
  assert.deepEqual(one.again, [one.id, { nested: one.id }])
  assert.match(one.tx_hash, /^[0-9a-f]{16}$/)
  assert.match(one.session_id, /^\d{10}$/)
  assert.equal(one.account_number, one.session_id, 'the same value has the same name')
  assert.match(one.invoice_number, /^INV-\d{6}$/)
  assert.match(one.url, /^https:\/\/pay\.example\/invoice\/[0-9a-hjkmnp-tv-z]{32}\?lang=fr$/)
  assert.notEqual(one.url, first.url)
  assert.deepEqual([one.amount, one.count, one.nothing], ['5.00', 3, null])
  assert.notEqual(one.id, first.id)
  const strange = { id: `${first.id}x`, other: `x${first.id}`, text: 'pay_1', invoice: 'xINV-000001' }
  assert.deepEqual(withStableNames(strange, 'seed'), strange, 'what only looks like an id stays')
})

test('operators read of a test clock its name, cut at a hundred characters', () => {
  assert.deepEqual(aboutClock({ accountId: 'acct_1', environment: 'sandbox', name: 'x'.repeat(150) }), {
    accountId: 'acct_1',
    environment: 'sandbox',
    status: 'advancing',
    waitingOn: 'members',
    summary: `Test clock ${'x'.repeat(100)}`,
  })
})
