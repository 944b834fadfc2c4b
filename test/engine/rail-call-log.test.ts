import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRailCallLog } from '../../engine/rail-call-log.ts'
import type { RailCall } from '../../rails/line.ts'
import { startLog } from '../support/log.ts'

const call = (more: Partial<RailCall> = {}): RailCall => ({
  provider: 'stripe',
  call: 'GET /v1/refunds/…',
  status: 200,
  ms: 20,
  ...more,
})
type Line = Record<string, unknown> & { msg: string }

/** The log of calls, with a time that the test sets. */
function start() {
  const { lines, logger } = startLog()
  const clock = { at: 0 }
  const note = createRailCallLog(logger, () => clock.at)
  const read = (word: string) => lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg.includes(word))
  return { clock, note, read }
}

test('the calls of a minute are one line for each provider', () => {
  const { clock, note, read } = start()
  for (let n = 0; n < 10; n++) note(call({ ms: n, status: n === 3 ? 500 : 200 }))
  note(call({ provider: 'paystack', status: 'no answer' }))
  assert.deepEqual(read('in a minute'), [])
  clock.at = 60_000
  note(call())
  note(call())
  const [line, ...others] = read('in a minute')
  assert.deepEqual(others, [])
  assert.deepEqual([line?.['provider'], line?.['calls'], line?.['failed'], line?.['slowestMs']], ['stripe', 10, 1, 9])
})

test('once in an hour staff are told that more than 1 in 100 calls have failed, and not for a few calls', () => {
  const { clock, note, read } = start()
  for (let n = 0; n < 50; n++) note(call({ status: 'no answer' }))
  assert.deepEqual(read('budget'), [])
  for (let n = 0; n < 200; n++) note(call())
  assert.equal(read('budget').length, 1)
  clock.at = 3_600_000
  for (let n = 0; n < 100; n++) note(call({ status: n === 0 ? 429 : 404 }))
  assert.equal(read('budget').length, 1, 'one in a hundred may fail')
  note(call({ status: 'not sent' }))
  assert.equal(read('budget').length, 2)
  assert.equal(read('budget')[0]?.['level'], 40)
})
