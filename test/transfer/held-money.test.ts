import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from '@mikro-orm/postgresql'
import { reverseTransfer, makeTransfer } from '../../commands/transfer/transfer.ts'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { TestClock } from '../../db/core/test-clock.ts'
import { lockAvailable } from '../../db/ledger/available.ts'
import { post } from '../../db/ledger/ledger.ts'
import type { MovementKind } from '../../db/ledger/tables.ts'
import { Transfer } from '../../db/transfer/transfer.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { createLedgerForTest } from '../support/ledger.ts'
import { useDatabase } from '../support/use-database.ts'

const database = await useDatabase()
const ledger = createLedgerForTest({ database })
const at = Date.UTC(2026, 10, 20)
const currency = 'USD' as const

async function addAccount(ownerId: string | null): Promise<Tenant> {
  const id = newId('acct', at)
  await database.orm.em.fork().insert(Account, { id, ownerId, name: 'A shop', createdAt: new Date(at) })
  return { accountId: id, environment: 'sandbox' }
}

/** A platform and two of its connected accounts. */
async function addAccounts() {
  const platform = await addAccount(null)
  return { platform, seller: await addAccount(platform.accountId), sibling: await addAccount(platform.accountId) }
}

/** Takes an amount out of a balance for good. */
async function spend(owner: Tenant, amount: string) {
  await ledger.pay(owner, await ledger.hold(owner, amount, at), amount, at)
}

/** A platform that has sent all its money, 100.00, to a seller, who has spent it. */
async function emptied() {
  const accounts = await addAccounts()
  const { platform, seller } = accounts
  await ledger.earn(platform, '100.00', at)
  const wanted = { fromAccountId: platform.accountId, toAccountId: seller.accountId, currency, amount: '100.00' }
  const { id } = await inTransaction(database, (em) => makeTransfer(em, platform, { kind: 'transfer', ...wanted }, at))
  await spend(seller, '100.00')
  return { ...accounts, transferId: id }
}

type Debit = { kind: MovementKind; amount: string; to?: Tenant }

/** Posts a debit of a balance, after whose statement `index` something else is committed. Returns its statements. */
async function debit(owner: Tenant, { kind, amount, to }: Debit, index: number, commitOther: () => Promise<unknown>) {
  let statements = 0
  /** Every statement of a transaction, prepared or not, runs over its own Kysely. */
  const watched = (em: EntityManager) => {
    const transaction = em.getTransactionContext<Kysely<unknown>>()
    assert.ok(transaction)
    const run = transaction.executeQuery.bind(transaction)
    const runAndCommit = async (...args: Parameters<typeof run>) => {
      const rows = await run(...args)
      if (statements++ === index) await commitOther()
      return rows
    }
    Object.assign(transaction, { executeQuery: runAndCommit })
    return em
  }
  const taken = { ledgerAccount: 'merchant' as const, currency, amount: `-${amount}` }
  const postings = to ? [{ ...taken, to }] : [taken, { ledgerAccount: 'reserved' as const, currency, amount }]
  const movement = { kind, sourceId: newId('pay', at), owner, postings }
  const done = inTransaction(database, (em) => post(watched(em), movement, at))
  const refusal = await done.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error
      throw error
    },
  )
  return { statements, refusal }
}

const codeOf = (refusal: Refusal | null) => [refusal?.code, refusal?.errors?.[0]?.code]

/** Begins a transaction, which stays open until the returned function commits it. */
async function begin(work: (em: EntityManager) => Promise<unknown>): Promise<() => Promise<unknown>> {
  const [ready, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const committed = inTransaction(database, async (em) => {
    await work(em)
    await em.flush()
    ready.resolve()
    await end.promise
  })
  await Promise.race([ready.promise, committed])
  return () => {
    end.resolve()
    return committed
  }
}

/** Begins to reverse all of a transfer. The returned function commits it. */
const beginReversal = (transferId: string) =>
  begin(async (em) => reverseTransfer(em, await lock(em, Transfer, transferId), { amount: null }, at))

for (const kind of ['payout_hold', 'conversion_hold', 'transfer'] as const) {
  test(`a ${kind} never takes what a reversal credits meanwhile, after whichever of its statements`, async () => {
    const codes = []
    for (let index = 0, count = 1; index < count; index++) {
      const { platform, sibling, transferId } = await emptied()
      const commitReversal = await beginReversal(transferId)
      const order = { kind, amount: '100.00', ...(kind === 'transfer' && { to: sibling }) }
      const { statements, refusal } = await debit(platform, order, index, commitReversal)
      count = statements
      codes.push(codeOf(refusal))
      await commitReversal()
    }
    // Before the money is taken, the debt is found with it. After that there is too little money.
    assert.deepEqual(codes, [
      ['INSUFFICIENT_BALANCE', 'connected_balance_owed'],
      ['INSUFFICIENT_BALANCE', 'connected_balance_owed'],
      ['INSUFFICIENT_BALANCE', 'connected_balance_owed'],
      ['INSUFFICIENT_BALANCE', undefined],
    ])
  })
}

test('money that is held for one debt is not taken while a second debt comes with its credit', async () => {
  for (let index = 0, count = 1; index < count; index++) {
    const { platform, sibling, transferId } = await emptied()
    await ledger.owe(sibling, '50.00', at)
    await ledger.earn(platform, '70.00', at)
    const commitReversal = await beginReversal(transferId)
    const { statements, refusal } = await debit(
      platform,
      { kind: 'payout_hold', amount: '30.00' },
      index,
      commitReversal,
    )
    count = statements
    assert.deepEqual(codeOf(refusal), ['INSUFFICIENT_BALANCE', 'connected_balance_owed'], `statement ${index}`)
    await commitReversal()
  }
})

test('what a connected account owes stays held while it repays a part of it', async () => {
  for (let index = 0, count = 1; index < count; index++) {
    const { platform, seller, transferId } = await emptied()
    await (
      await beginReversal(transferId)
    )()
    await ledger.earn(seller, '60.00', at) // it still owes 40.00, and repays the rest by its next debit
    const commitRepayment = await begin((em) => {
      const postings = [
        { ledgerAccount: 'merchant' as const, currency, amount: '-1.00', mayOwe: true },
        { ledgerAccount: 'reserved' as const, currency, amount: '1.00' },
      ]
      return post(em, { kind: 'refund_hold', sourceId: newId('ref', at), owner: seller, postings }, at)
    })
    const { statements, refusal } = await debit(
      platform,
      { kind: 'payout_hold', amount: '60.01' },
      index,
      commitRepayment,
    )
    count = statements
    assert.deepEqual(codeOf(refusal), ['INSUFFICIENT_BALANCE', 'connected_balance_owed'], `statement ${index}`)
    await commitRepayment()
  }
})

test('what a connected account will repay from pending money stays held until that money is available', async () => {
  const { platform, seller, transferId } = await emptied()
  await (
    await beginReversal(transferId)
  )()
  const dayMs = 86_400_000
  await ledger.earn(seller, '100.00', at, at + 2 * dayMs)
  const payOut = (amount: string, moment: number) =>
    inTransaction(database, (em) => {
      const postings = [
        { ledgerAccount: 'merchant' as const, currency, amount: `-${amount}` },
        { ledgerAccount: 'reserved' as const, currency, amount },
      ]
      return post(em, { kind: 'payout_hold', sourceId: newId('pay', at), owner: platform, postings }, moment)
    })
  for (const amount of ['100.00', '0.01']) {
    const { refusal } = await debit(platform, { kind: 'payout_hold', amount }, Infinity, async () => undefined)
    assert.deepEqual(codeOf(refusal), ['INSUFFICIENT_BALANCE', 'connected_balance_owed'])
  }
  const shown = await inTransaction(database, (em) => lockAvailable(em, platform, currency, at))
  assert.equal(Number(shown), 0)
  await payOut('100.00', at + 2 * dayMs)
})

test('a reversal by the platform does not repay a debt from pending money, and frees no held money', async () => {
  const { platform, seller, transferId } = await emptied()
  await ledger.earn(platform, '1.00', at)
  const wanted = { fromAccountId: platform.accountId, toAccountId: seller.accountId, currency, amount: '1.00' }
  const second = await inTransaction(database, (em) => makeTransfer(em, platform, { kind: 'transfer', ...wanted }, at))
  await spend(seller, '1.00')
  await (
    await beginReversal(transferId)
  )()
  await ledger.earn(seller, '100.00', at, at + 2 * 86_400_000)
  await inTransaction(database, async (em) =>
    reverseTransfer(em, await lock(em, Transfer, second.id), { amount: '0.01' }, at),
  )
  for (const amount of ['100.00', '0.01']) {
    const { refusal } = await debit(platform, { kind: 'payout_hold', amount }, Infinity, async () => undefined)
    assert.deepEqual(codeOf(refusal), ['INSUFFICIENT_BALANCE', 'connected_balance_owed'])
  }
})

const laterMs = 30 * 86_400_000

test('what a connected account on a clock ahead owes is held of its platform in real time', async () => {
  const { platform, seller } = await addAccounts()
  const em = database.orm.em.fork()
  const frozenTime = new Date(at + laterMs)
  const [id, createdAt] = [newId('clk', at), new Date(at)]
  await em.insert(TestClock, { id, ...platform, name: 'Ahead', frozenTime, createdAt, updatedAt: createdAt })
  await em.nativeUpdate(Account, { id: seller.accountId }, { clockId: id })
  await ledger.earn(platform, '100.00', at)
  await ledger.owe(seller, '40.00', at + laterMs)
  const shown = await inTransaction(database, (each) => lockAvailable(each, platform, currency, at))
  assert.equal(Number(shown), 60)
  const wanted = (amount: string) => ({ kind: 'payout_hold' as const, amount })
  const { refusal } = await debit(platform, wanted('60.01'), Infinity, async () => undefined)
  assert.deepEqual(codeOf(refusal), ['INSUFFICIENT_BALANCE', 'connected_balance_owed'])
  assert.equal((await debit(platform, wanted('60.00'), Infinity, async () => undefined)).refusal, null)
})

test('what an account owes since a later time than that of a debit is deducted from its money', async () => {
  const { platform } = await addAccounts()
  await ledger.owe(platform, '40.00', at + laterMs)
  await ledger.earn(platform, '100.00', at)
  const shown = await inTransaction(database, (each) => lockAvailable(each, platform, currency, at))
  assert.equal(Number(shown), 60)
})

test('a debit of a platform takes as many statements with fifty accounts that owe as with one', async () => {
  const counts: number[] = []
  for (const count of [1, 50]) {
    const { platform } = await addAccounts()
    await ledger.earn(platform, '100.00', at)
    for (let index = 0; index < count; index++) {
      const owing = await addAccount(platform.accountId)
      await ledger.owe(owing, '1.00', at)
      await ledger.earn(owing, '0.50', at)
    }
    const left = 100 - count / 2
    const wanted = (amount: number) => ({ kind: 'payout_hold' as const, amount: amount.toFixed(2) })
    const nothing = async () => undefined
    const { refusal } = await debit(platform, wanted(left + 0.01), Infinity, nothing)
    assert.deepEqual(codeOf(refusal), ['INSUFFICIENT_BALANCE', 'connected_balance_owed'])
    const { statements, refusal: none } = await debit(platform, wanted(left), Infinity, nothing)
    assert.equal(none, null)
    counts.push(statements)
  }
  assert.equal(counts[0], counts[1])
})
