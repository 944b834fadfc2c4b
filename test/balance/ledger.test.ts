import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { inTransaction } from '../../db/core/database.ts'
import { type Movement, post } from '../../db/ledger/ledger.ts'
import type { LedgerAccount } from '../../db/ledger/tables.ts'
import { Refusal } from '../../domain/refusal.ts'
import { readBalance } from '../support/ledger.ts'
import { useDatabase } from '../support/use-database.ts'
import { checkInvariants } from '../support/invariants.ts'

const at = Date.UTC(2026, 10, 20)
const day = 86_400_000
const currency = 'NGN' as const

const database = await useDatabase({ connections: 12 })

let sources = 0
const owner = (name: string) => ({ accountId: `acct_${name}`, environment: 'sandbox' as const })
const postOne = (movement: Omit<Movement, 'sourceId' | 'kind'>, time = at, sourceId = `source_${(sources += 1)}`) =>
  inTransaction(database, (em) => post(em, { kind: 'settlement', sourceId, ...movement }, time))
const earn = (name: string, amount: string, availableAt?: Date) =>
  postOne({
    owner: owner(name),
    postings: [
      { ledgerAccount: 'rail', currency, amount: `-${amount}` },
      { ledgerAccount: 'merchant', currency, amount, ...(availableAt && { availableAt }) },
    ],
  })
const spend = (name: string, amount: string, time = at) =>
  postOne(
    {
      owner: owner(name),
      postings: [
        { ledgerAccount: 'merchant', currency, amount: `-${amount}` },
        { ledgerAccount: 'rail', currency, amount },
      ],
    },
    time,
  )
const balance = (name: string, time = at) =>
  readBalance(database.orm.em.fork(), owner(name), 'merchant', currency, time)
const sql = (text: string) => database.orm.em.fork().execute(text)
/** The SQL that inserts entries of a new transaction. */
const row = (transaction: string, values: string) =>
  `with made as (
     insert into ledger_transactions (id, kind, source_id, created_at)
     values ('${transaction}', 'surplus', '${transaction}', now()))
   insert into ledger_entries
     (transaction_id, account_id, environment, book, currency, amount, available_at, created_at)
   values ${values}`

test('postings that do not add up are refused, by the code and by the database', async () => {
  const postings = [
    { ledgerAccount: 'rail' as const, currency, amount: '-10' },
    { ledgerAccount: 'merchant' as const, currency, amount: '9' },
  ]
  await assert.rejects(postOne({ owner: owner('unbalanced'), postings }), /do not add up/)
  await assert.rejects(
    sql(row('txn_x', `('txn_x', 'a', 'sandbox', 'rail', 'NGN', -10, now(), now())`)),
    /does not balance/,
  )
  const twoCurrencies = row(
    'txn_y',
    `('txn_y', 'a', 'sandbox', 'rail', 'NGN', -10, now(), now()),
     ('txn_y', 'a', 'sandbox', 'merchant', 'USD', 10, now(), now())`,
  )
  await assert.rejects(sql(twoCurrencies), /does not balance/)
})

test('postings must add up in each currency: a difference in one is not made up for by another', async () => {
  const line = (of: 'NGN' | 'USD', amount: string) => ({ ledgerAccount: 'rail' as const, currency: of, amount })
  await assert.rejects(
    postOne({ owner: owner('two'), postings: [line('NGN', '-10'), line('USD', '10')] }),
    /do not add up/,
  )
})

for (const ledgerAccount of ['reserved', 'buyer', 'fees'] as const) {
  test(`money of ${ledgerAccount} can be moved by a clock that is behind the one that has posted it`, async () => {
    const move = (from: LedgerAccount, to: LedgerAccount, amount: string, time: number) =>
      postOne(
        {
          owner: owner(`skewed_${ledgerAccount}`),
          postings: [
            { ledgerAccount: from, currency, amount: `-${amount}` },
            { ledgerAccount: to, currency, amount },
          ],
        },
        time,
      )
    await move('rail', ledgerAccount, '6', at)
    await move('rail', ledgerAccount, '4', at + 30 * day)
    await move(ledgerAccount, 'rail', '10', at)
    await assert.rejects(move(ledgerAccount, 'rail', '1', at + 30 * day), Refusal) // and never more than is there
  })
}

test('the database itself refuses amounts of NaN and zero, and balances of NaN and less than zero', async () => {
  for (const amount of [`'NaN'`, '0']) {
    await assert.rejects(
      sql(row('txn_n', `('txn_n', 'a', 'sandbox', 'rail', 'NGN', ${amount}, now(), now())`)),
      /amount_check/,
    )
  }
  for (const amount of [`'NaN'`, '-1']) {
    const insert = `insert into ledger_balances values ('a', 'sandbox', 'merchant', 'NGN', ${amount})`
    await assert.rejects(sql(insert), /amount_check/)
  }
})

test('a posting cannot be changed or deleted', async () => {
  await earn('frozen', '5')
  for (const change of [
    `update ledger_entries set amount = 6 where account_id = 'acct_frozen' and book = 'merchant'`,
    `update ledger_entries set folded = true, amount = 6 where account_id = 'acct_frozen' and book = 'merchant'`,
    `delete from ledger_entries where account_id = 'acct_frozen'`,
  ]) {
    await assert.rejects(sql(change), /append-only/)
  }
})

test('a movement of the same source is posted once, also by callers at the same moment', async () => {
  const postings = [
    { ledgerAccount: 'rail' as const, currency, amount: '-7' },
    { ledgerAccount: 'merchant' as const, currency, amount: '7' },
  ]
  const tries = Array.from({ length: 10 }, () => postOne({ owner: owner('once'), postings }, at, 'the_one_source'))
  const done = await Promise.allSettled(tries)
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await balance('once'), { available: '7', pending: '0' })
})

test('money becomes available at its time, and not before', async () => {
  await earn('pending', '50', new Date(at + 2 * day))
  assert.deepEqual(await balance('pending'), { available: '0', pending: '50' })
  await assert.rejects(spend('pending', '50', at + 2 * day - 1), Refusal)
  await spend('pending', '20', at + 2 * day)
  assert.deepEqual(await balance('pending', at + 2 * day), { available: '30', pending: '0' })
})

test('parallel debits take exactly what is available', async () => {
  await Promise.all(Array.from({ length: 33 }, () => earn('busy', '101')))
  let taken = 0
  for (let batch = 0; batch < 10; batch++) {
    const done = await Promise.allSettled(Array.from({ length: 40 }, () => spend('busy', '10')))
    taken += done.filter(({ status }) => status === 'fulfilled').length
  }
  assert.equal(taken, 333)
  assert.deepEqual(await balance('busy'), { available: '3', pending: '0' })
})

test('random movements leave the balances that a plain sum gives', async () => {
  const movement = fc.record({
    who: fc.integer({ min: 0, max: 2 }),
    cents: fc.integer({ min: 1, max: 100_000 }),
    kind: fc.constantFrom('earn', 'earn later', 'spend'),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(movement, { minLength: 5, maxLength: 60 }), async (movements) => {
      run += 1
      const expected = new Map<number, Big>()
      const name = (who: number) => `random_${run}_${who}`
      for (const { who, cents, kind } of movements) {
        const amount = new Big(cents).div(100).toFixed(2)
        const had = expected.get(who) ?? new Big(0)
        if (kind === 'earn later') await earn(name(who), amount, new Date(at + day))
        if (kind === 'earn') await earn(name(who), amount)
        if (kind === 'earn') expected.set(who, had.plus(amount))
        if (kind !== 'spend') continue
        if (had.lt(amount)) await assert.rejects(spend(name(who), amount), Refusal)
        else await spend(name(who), amount)
        if (had.gte(amount)) expected.set(who, had.minus(amount))
      }
      for (const [who, amount] of expected) assert.equal((await balance(name(who))).available, amount.toFixed())
    }),
    { numRuns: 12, seed: 20261120 },
  )
})

test('after these tests the ledger keeps all its invariants', async () => {
  const violations = await checkInvariants(database)
  assert.deepEqual(violations, [])
})
