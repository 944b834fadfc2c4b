import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createReadPlaces } from '../../api/http/read-places.ts'
import { Refusal } from '../../domain/refusal.ts'

/** Reads that go on until `end`, in the order in which they began. */
function createReads(connections: number) {
  const inReadPlace = createReadPlaces(connections)
  const open: { accountId: string; end: (error?: Error) => void }[] = []
  const refused: unknown[] = []
  return {
    open,
    refused,
    countOf: (accountId: string) => open.filter((read) => read.accountId === accountId).length,
    start(accountId: string, count = 1) {
      for (let n = 0; n < count; n++) {
        const ended = Promise.withResolvers<void>()
        const end = (error?: Error) => (error ? ended.reject(error) : ended.resolve())
        inReadPlace(accountId, () => {
          open.push({ accountId, end })
          return ended.promise
        }).catch((error: unknown) => refused.push(error))
      }
    },
    async end(count: number, error?: Error) {
      for (const read of open.splice(0, count)) read.end(error)
      await pause(0)
    },
  }
}

test('the reads of one account leave connections for all others, and each gets its turn', async () => {
  const reads = createReads(10)
  reads.start('acct_greedy', 40)
  reads.start('acct_quiet', 3)
  await pause(0)
  assert.deepEqual([reads.countOf('acct_greedy'), reads.countOf('acct_quiet')], [7, 3])
  for (let n = 0; n < 50; n++)
    await reads.end(1, n % 3 === 0 ? new Error('a read that fails frees its place') : undefined)
  assert.equal(reads.open.length, 0)
  assert.equal(reads.refused.filter((error) => error instanceof Refusal).length, 0)
  reads.start('acct_greedy', 8)
  await pause(0)
  assert.equal(reads.countOf('acct_greedy'), 7, 'a place that was freed by an error is neither lost nor given twice')
})

test('SERVICE_UNAVAILABLE: a read that waits for too long for those of its account', async () => {
  const reads = createReads(10)
  const begun = performance.now()
  reads.start('acct_greedy', 9)
  while (reads.refused.length < 2) await pause(20)
  const tookMs = performance.now() - begun
  assert.ok(tookMs >= 1_400 && tookMs < 5_000, `it took ${tookMs} ms`)
  for (const error of reads.refused) {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.code, error.retryAfter], ['SERVICE_UNAVAILABLE', 2])
  }
  await reads.end(7)
  reads.start('acct_greedy', 7)
  await pause(0)
  assert.equal(reads.open.length, 7, 'the refused ones hold no place')
})

test('a process with one connection still reads', async () => {
  const reads = createReads(1)
  reads.start('acct_greedy', 2)
  await pause(0)
  assert.equal(reads.open.length, 1)
  await reads.end(1)
  assert.equal(reads.open.length, 1)
  await reads.end(1)
})
