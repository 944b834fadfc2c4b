import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  type Comparison,
  createComparison,
  type DifferenceReason,
  foreignMax,
  type Matched,
  type MoneyKind,
  type MoneyStatus,
  type OwnLine,
  type StatementLine,
} from '../../domain/reconciliation.ts'

const kinds: MoneyKind[] = ['payment', 'refund', 'payout', 'dispute']
const statuses: MoneyStatus[] = ['settled', 'open', 'undone']

/** A movement on which both sides agree. */
const movement = fc.record({
  kind: fc.constantFrom(...kinds),
  status: fc.constantFrom(...statuses),
  minor: fc.integer({ min: 1, max: 1_000_000_000 }),
  currency: fc.constantFrom('USD', 'NGN', 'XOF'),
  isForeign: fc.boolean(),
})
type Movement = (typeof movement extends fc.Arbitrary<infer T> ? T : never) & { index: number }

const amountOf = (minor: number) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`

/** Whether a line of it is ours with a row of ours: an open dispute and an undone payment have one too. */
function matchedOf({ kind, status, minor, currency, isForeign, index }: Movement): Matched {
  const line: StatementLine = {
    kind,
    theirId: `their_${index}`,
    ourId: null,
    reference: null,
    paymentTheirId: null,
    status,
    word: status,
    amount: amountOf(minor),
    currency,
    at: index,
  }
  const id = `our_${index}`
  const own: OwnLine = {
    kind,
    id,
    networkId: null,
    paymentId: null,
    status,
    amount: amountOf(minor),
    currency,
    posted: status === 'settled' ? amountOf(minor) : '0',
  }
  if (isForeign) return { line, isOurs: false, ourId: null, paymentId: null, own: null }
  return { line, isOurs: true, ourId: id, paymentId: null, own }
}

const movements = fc
  .array(movement, { maxLength: 30 })
  .map((all): Matched[] => all.map((one, index) => matchedOf({ ...one, index })))

/** Compares in pages of this size. */
function compare(all: readonly Matched[], pageSize: number, missing: [OwnLine, StatementLine | null][] = []) {
  const comparison = createComparison()
  for (let from = 0; from < all.length; from += pageSize) comparison.take(all.slice(from, from + pageSize))
  for (const [own, line] of missing) if (!comparison.has(own)) comparison.takeMissing(own, line)
  return comparison.result()
}

const reasonsOf = ({ differences }: Comparison) => differences.map(({ reason }) => reason)
const pageSizes = fc.integer({ min: 1, max: 10 })

test('where both sides say the same there is no difference, and the sums are equal', () => {
  fc.assert(
    fc.property(movements, pageSizes, (all, pageSize) => {
      const missing = all.flatMap(({ own }): [OwnLine, null][] => (own === null ? [] : [[own, null]]))
      const settledOnly = missing.filter(([own]) => own.status === 'settled')
      const found = compare(all, pageSize, settledOnly)
      assert.deepEqual(found.differences, [])
      assert.equal(found.foreignCount, all.filter(({ isOurs }) => !isOurs).length)
      for (const { theirs, ours } of found.totals) assert.deepEqual(theirs, ours)
    }),
  )
})

test('lines that are shown again, as pages move on, count once', () => {
  fc.assert(
    fc.property(movements, pageSizes, fc.array(fc.nat(29), { maxLength: 10 }), (all, pageSize, again) => {
      const repeated = [...all, ...again.flatMap((index) => all[index] ?? [])]
      assert.deepEqual(compare(repeated, pageSize), compare(all, pageSize))
    }),
  )
})

type Change = {
  reason: DifferenceReason
  of: (matched: Matched) => Matched | null
  fits: (matched: Matched) => boolean
}
const isSettled = ({ line }: Matched) => line.status === 'settled'
const withLine = (matched: Matched, line: Partial<StatementLine>) => ({
  ...matched,
  line: { ...matched.line, ...line },
})

/** One change on one side, and the difference that has to be found. */
const changes: Record<string, Change> = {
  'the provider has it and we do not': {
    reason: 'not_here',
    fits: isSettled,
    of: (matched) => ({ ...matched, own: null }),
  },
  'a refund, payout or dispute under way that we do not have': {
    reason: 'not_here',
    fits: ({ line }) => line.status === 'open' && line.kind !== 'payment',
    of: (matched) => ({ ...matched, own: null }),
  },
  'we have it and the provider does not': { reason: 'not_there', fits: isSettled, of: () => null },
  'the provider has a cent more': {
    reason: 'amount',
    fits: isSettled,
    of: (matched) => withLine(matched, { amount: `${matched.line.amount}1` }),
  },
  'another currency': { reason: 'currency', fits: isSettled, of: (matched) => withLine(matched, { currency: 'GHS' }) },
  'another status': {
    reason: 'status',
    fits: ({ line, own }) => own !== null && (isSettled({ line } as Matched) || line.kind !== 'payment'),
    of: (matched) =>
      withLine(matched, { status: matched.line.status === 'undone' ? 'open' : 'undone', word: 'changed' }),
  },
  'the ledger has posted something else': {
    reason: 'ledger',
    fits: isSettled,
    of: (matched) => ({ ...matched, own: matched.own && { ...matched.own, posted: `${matched.own.amount}1` } }),
  },
  'the ledger has posted what has not happened': {
    reason: 'ledger',
    fits: (matched) => !isSettled(matched),
    of: (matched) => ({ ...matched, own: matched.own && { ...matched.own, posted: '5' } }),
  },
}

for (const [name, { reason, of, fits }] of Object.entries(changes)) {
  test(`${name}: it is found, and nothing else`, () => {
    fc.assert(
      fc.property(movements, pageSizes, fc.nat(29), (all, pageSize, at) => {
        const index = at % Math.max(all.length, 1)
        const chosen = all[index]
        fc.pre(chosen !== undefined && chosen.isOurs && fits(chosen))
        const changed = of(chosen)
        const theirs = all.flatMap((matched, place) => (place === index ? (changed ?? []) : matched))
        const missing = all.flatMap(({ own, line }): [OwnLine, null][] =>
          own !== null && line.status === 'settled' && !(changed !== null && changed.own === null && own === chosen.own)
            ? [[own, null]]
            : [],
        )
        const found = compare(theirs, pageSize, missing)
        assert.deepEqual(reasonsOf(found), [reason])
        assert.equal(found.differences[0]?.ourId, chosen.ourId)
        assert.equal(found.differences[0]?.kind, chosen.line.kind)
      }),
    )
  })
}

const one = (changes_: Partial<Movement> = {}) =>
  matchedOf({
    kind: 'payment',
    status: 'settled',
    minor: 2500,
    currency: 'USD',
    isForeign: false,
    index: 0,
    ...changes_,
  })

test('what the provider has done twice is found, with both of its sums', () => {
  const first = one()
  const again = withLine(first, { theirId: 'their_again' })
  const found = compare([first, again], 1)
  assert.deepEqual(reasonsOf(found), ['twice'])
  assert.deepEqual(found.totals, [
    {
      kind: 'payment',
      currency: 'USD',
      theirs: { count: 2, amount: '50' },
      ours: { count: 1, amount: '25' },
    },
  ])
})

test('an attempt that failed before another one succeeded is no difference, in whatever order they come', () => {
  const paid = one()
  const failed = withLine(paid, { theirId: 'their_first', status: 'undone' })
  for (const lines of [
    [paid, failed],
    [failed, paid],
  ])
    assert.deepEqual(compare(lines, 1).differences, [])
  assert.deepEqual(reasonsOf(compare([failed], 1)), ['status'])
})

test('a payment that nobody paid is no difference, whichever side has given it up', () => {
  for (const theirs of ['open', 'undone'] as const)
    for (const ours of ['open', 'undone'] as const) {
      const matched = one({ status: ours })
      assert.deepEqual(compare([withLine(matched, { status: theirs })], 1).differences, [])
    }
  const unknown = { ...one({ status: 'open' }), own: null }
  assert.deepEqual(compare([unknown], 1).differences, [])
})

test('what the provider has on another day is no difference, but what it says of it then is', () => {
  const { own, line } = one()
  assert.ok(own)
  assert.deepEqual(compare([], 1, [[own, line]]), { differences: [], foreign: [], foreignCount: 0, totals: [] })
  assert.deepEqual(reasonsOf(compare([], 1, [[own, { ...line, amount: '24.99' }]])), ['amount'])
  const undone = compare([], 1, [[own, { ...line, status: 'undone' }]])
  assert.deepEqual(reasonsOf(undone), ['status'])
  assert.equal(undone.totals[0]?.ours.count, 1)
})

test('a payment that has come and gone back is settled where it was booked, and undone where it was not', () => {
  const booked = one()
  const found = compare([withLine(booked, { status: 'returned' })], 1)
  assert.deepEqual([found.differences, found.totals[0]?.theirs.count], [[], 1])
  assert.deepEqual(reasonsOf(compare([withLine(booked, { status: 'returned', amount: '1.00' })], 1)), ['amount'])
  for (const status of ['open', 'undone'] as const) {
    const { differences, totals } = compare([withLine(one({ status }), { status: 'returned' })], 1)
    assert.deepEqual([differences, totals], [[], []])
  }
  assert.deepEqual(compare([withLine({ ...booked, own: null }, { status: 'returned' })], 1).differences, [])
  const { own, line } = booked
  assert.ok(own)
  assert.deepEqual(compare([], 1, [[own, { ...line, status: 'returned' }]]).differences, [])
})

test('a refund that nobody here has ordered is found, and names the payment that it is about', () => {
  const refund = { ...one({ kind: 'refund' }), ourId: null, own: null, paymentId: 'pay_1' }
  const [found] = compare([refund], 1).differences
  assert.deepEqual([found?.reason, found?.paymentId, found?.ourId], ['not_here', 'pay_1', null])
})

test('of lines that are not ours only the first are kept, and all are counted', () => {
  const all = Array.from({ length: foreignMax + 20 }, (_, index) => one({ isForeign: true, index }))
  const { foreign, foreignCount } = compare([...all, ...all], 7)
  assert.deepEqual([foreign.length, foreignCount], [foreignMax, foreignMax + 20])
})

test('amounts are compared while money may still move, and not once it has come to nothing on either side', () => {
  const line: StatementLine = {
    kind: 'refund',
    theirId: 're_1',
    ourId: 'ref_1',
    reference: null,
    paymentTheirId: 'ch_1',
    status: 'open',
    word: 'pending',
    amount: '10',
    currency: 'USD',
    at: 0,
  }
  const own: OwnLine = {
    kind: 'refund',
    id: 'ref_1',
    networkId: null,
    paymentId: 'pay_1',
    status: 'open',
    amount: '9',
    currency: 'USD',
    posted: '0',
  }
  const reasons = (theirs: StatementLine, ours: OwnLine) => {
    const comparison = createComparison()
    comparison.take([{ line: theirs, own: ours, isOurs: true, ourId: ours.id, paymentId: ours.paymentId }])
    return comparison.result().differences.map(({ reason }) => reason)
  }
  assert.deepEqual(reasons(line, own), ['amount'])
  assert.deepEqual(reasons({ ...line, currency: 'NGN' }, own), ['currency'])
  assert.deepEqual(reasons({ ...line, status: 'undone' }, { ...own, status: 'undone' }), [])
  assert.deepEqual(reasons({ ...line, status: 'undone' }, own), ['status'])
  assert.deepEqual(reasons({ ...line, kind: 'payment' }, { ...own, kind: 'payment' }), [], 'no money has moved yet')
  const settled = { ...own, status: 'settled', posted: '9' } as const
  assert.deepEqual(reasons({ ...line, kind: 'payment', status: 'settled' }, { ...settled, kind: 'payment' }), [
    'amount',
  ])
  assert.deepEqual(reasons({ ...line, kind: 'payment', status: 'settled' }, { ...own, kind: 'payment' }), ['status'])
})
