import Big from 'big.js'
import { type Database, inTransaction } from '../../db/core/database.ts'
import { openDatabase } from '../../db/open-database.ts'
import { readBalances } from '../../db/balance/balance.ts'
import { balancesAfter, BalanceTransaction } from '../../db/balance/transaction.ts'
import { post, releasePostings } from '../../db/ledger/ledger.ts'
import { Refusal } from '../../domain/refusal.ts'
import { createDatabase } from '../support/database.ts'
import { checkLedger } from '../support/invariants.ts'
import { balanceAt, type LedgerAccountName, type Model, repayment, taken, toAmount } from './ledger-model.ts'
import seeds from './ledger-seeds.json' with { type: 'json' }
import { crossing, decide, type Operation, operationsOf, type Step } from './ledger-steps.ts'
import type { Outcome, Scenario } from './scenario.ts'

const accounts = 4
const hour = 3_600_000
const batch = 40
const ledgerAccounts: LedgerAccountName[] = ['merchant', 'reserved', 'buyer', 'fees', 'owed']
const startAt = Date.UTC(2026, 10, 20)

type Run = { database: Database; models: Model[]; violations: string[]; counts: Record<string, number>; at: number }
const owner = ({ name }: Model) => ({ accountId: name, environment: 'sandbox' as const })
const shown = (units: { available: bigint; pending: bigint }) =>
  `${toAmount(units.available)}+${toAmount(units.pending)}`

/** `size` is the number of operations of each of the 20 saved seeds. */
export const ledgerOperations: Scenario = {
  promise: 'after random parallel movements of 20 seeds, the ledger agrees with a model to the last digit',
  size: 5_000,
  run: (size) => provePart(size, seeds.length),
}

/** Runs `size` operations of each of the first seeds, every seed on its own database. */
export async function provePart(size: number, seedCount: number): Promise<Outcome> {
  const violations: string[] = []
  const counts: Record<string, number> = {}
  for (const seed of seeds.slice(0, seedCount)) {
    const { url, drop } = await createDatabase()
    const database = await openDatabase(url, 10)
    const models = Array.from({ length: accounts }, (_, who) => newModel(`acct_${who}`))
    const run: Run = { database, models, violations: [], counts, at: startAt }
    try {
      await runSeed(run, operationsOf(seed, size))
      violations.push(...[...run.violations, ...(await checkLedger(database))].map((rule) => `seed ${seed}: ${rule}`))
    } finally {
      await database.orm.close()
      await drop()
    }
  }
  return { figures: { seeds: seedCount, ...counts }, violations }
}

const newModel = (name: string): Model => ({ name, lines: [], holds: [] })

async function runSeed(run: Run, operations: Operation[]): Promise<void> {
  const reads: { at: number; seen: string[] }[] = []
  for (let from = 0; from < operations.length; from += batch) {
    const next = operations.slice(from, from + batch)
    await runLanes(run, next)
    for (const operation of next.filter(({ kind }) => kind === 'rush')) await rush(run, operation)
    reads.push({ at: run.at, seen: await compare(run, run.at, 'now') })
    run.at += 1
  }
  const every = Math.ceil(reads.length / 12)
  for (const { at, seen } of reads.filter((_, index) => index % every === 0)) {
    const then = await compare(run, at, 'then')
    if (then.join() !== seen.join()) run.violations.push(`what was read at ${at} reads otherwise later`)
  }
  for (const { at } of reads.filter((_, index) => index % every === 1)) await compare(run, at - 30_001, 'then')
  for (const later of [1, 30 * 60_000, hour, 47 * hour, 49 * hour]) await compare(run, run.at + later, 'now')
  for (const model of run.models) await compareChain(run, model)
}

/** Runs each account's movements in order, and the accounts in parallel; a refused one has its own transaction. */
async function runLanes(run: Run, operations: Operation[]): Promise<void> {
  const lanes: Step[][] = run.models.map(() => [])
  for (const operation of operations) {
    run.at += operation.pause
    const model = run.models[operation.who]
    const step = model && decide(model, operation, run.at)
    if (!step) continue
    lanes[operation.who]?.push(step)
    const what = step.refusedWith ? 'refused' : operation.kind
    run.counts[what] = (run.counts[what] ?? 0) + 1
  }
  await Promise.all(run.models.map((model, who) => runLane(run, model, lanes[who] ?? [])))
}

async function runLane(run: Run, model: Model, steps: Step[]): Promise<void> {
  for (let next = 0; next < steps.length;) {
    const ends = steps.findIndex(({ refusedWith }, index) => index >= next && refusedWith !== null)
    const accepted = steps.slice(next, ends < 0 ? undefined : ends)
    const refused = steps[ends]
    const answer = await postSteps(run, model, accepted)
    if (answer) run.violations.push(`${model.name}: refused with ${answer}: ${accepted.map(describe).join(', ')}`)
    if (!refused) return
    const refusal = await postSteps(run, model, [refused])
    if (refusal !== refused.refusedWith) run.violations.push(`${model.name}: ${refusal}, not ${refused.refusedWith}`)
    next = ends + 1
  }
}

const describe = ({ movement: { kind, sourceId } }: Step) => `${kind} ${sourceId}`

/** Posts steps in one transaction, and returns the code of its refusal, or null. */
async function postSteps({ database }: Run, model: Model, steps: Step[]): Promise<string | null> {
  try {
    await inTransaction(database, async (em) => {
      for (const { movement, at } of steps) {
        await em.flush()
        const undo =
          movement.kind === 'refund_released' ? await releasePostings(em, 'refund_hold', movement.sourceId) : null
        await post(em, { ...movement, owner: owner(model), ...(undo && { postings: undo }) }, at)
      }
    })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Debits one balance several times at once, while credits come in: a debit is refused only if it did not fit. */
async function rush(run: Run, { who, currency, part, drawsPending }: Operation): Promise<void> {
  const model = run.models[who]
  if (!model) return
  run.at += 1
  // What is owed is repaid with the first debit that fits.
  const repaid = repayment(model, currency, run.at, true)
  const before = balanceAt({ ...model, lines: [...model.lines, ...repaid] }, 'merchant', currency, run.at)
  const limit = drawsPending ? before.available + before.pending : before.available
  const sizes = Array.from({ length: 6 }, (_, index) => (limit * BigInt(part)) / BigInt(100 + 150 * index) + 1n)
  const credits = drawsPending ? [] : sizes.slice(3).map((units) => crossing(currency, units, run.at))
  const debits = sizes.map((units) => crossing(currency, units, run.at, drawsPending))
  const [answers] = await Promise.all([
    Promise.all(debits.map((step) => postSteps(run, model, [step]))),
    Promise.all(credits.map((step) => postSteps(run, model, [step]))),
  ])
  const fitting = sizes.filter((_, index) => answers[index] === null).reduce((total, units) => total + units, 0n)
  if (fitting > 0n) model.lines.push(...repaid)
  const lines = taken(model, { ledgerAccount: 'merchant', currency, units: fitting }, run.at, drawsPending)
  if (lines) model.lines.push(...lines)
  else run.violations.push(`${model.name}: debits at once took ${toAmount(fitting)} of ${toAmount(limit)}`)
  const refusedWrongly = sizes.filter((units, index) => answers[index] !== null && units <= limit - fitting)
  if (refusedWrongly.length > 0) run.violations.push(`${model.name}: a debit that fitted was refused`)
  for (const units of drawsPending ? [] : sizes.slice(3)) {
    model.lines.push({ ledgerAccount: 'merchant', currency, units, availableAt: run.at + 48 * hour, createdAt: run.at })
  }
  run.counts['rush'] = (run.counts['rush'] ?? 0) + debits.length + credits.length
}

/** Reads every ledger account of every account at a moment, and compares it with the model. */
async function compare(run: Run, at: number, asOf: 'now' | 'then'): Promise<string[]> {
  const seen: string[] = []
  for (const model of run.models) {
    const found = await readBalances(run.database.orm.em.fork(), owner(model), ledgerAccounts, at, asOf)
    const read = found.map(
      ({ ledgerAccount: name, currency, available, pending }) => `${name} ${currency} ${available}+${pending}`,
    )
    const known = (['NGN', 'USD'] as const).flatMap((currency) =>
      ledgerAccounts.flatMap((name) => {
        const balance = balanceAt(model, name, currency, at, asOf === 'then' ? at : Infinity)
        const isNegative = balance.available < 0n || balance.pending < 0n
        if (isNegative !== (name === 'owed' && balance.available < 0n)) {
          run.violations.push(`${model.name}: ${name} is ${shown(balance)}`)
        }
        return balance.exists ? [`${name} ${currency} ${shown(balance)}`] : []
      }),
    )
    const [left, right] = [read.toSorted().join('; '), known.toSorted().join('; ')]
    if (left !== right) run.violations.push(`${model.name} ${asOf} at ${at}: ${left} is not ${right}`)
    seen.push(left)
  }
  run.counts['comparisons'] = (run.counts['comparisons'] ?? 0) + run.models.length
  return seen
}

/** Checks every tenth "balance after a transaction" against the model's total at that moment. */
async function compareChain(run: Run, model: Model): Promise<void> {
  const em = run.database.orm.em.fork()
  const all = await em.find(BalanceTransaction, owner(model), { orderBy: { createdAt: 'asc', id: 'asc' } })
  const isLast = ({ createdAt, currency }: BalanceTransaction, index: number) =>
    all.slice(index + 1, index + 10).every((row) => row.currency !== currency || row.createdAt > createdAt)
  const rows = all.filter((row, index) => index % 10 === 0 && isLast(row, index))
  for (let from = 0; from < rows.length; from += 50) {
    const page = rows.slice(from, from + 50)
    const after = await balancesAfter(em, owner(model), page)
    for (const { id, currency, createdAt } of page) {
      const own = balanceAt(model, 'merchant', currency, 0, createdAt.getTime())
      const debt = balanceAt(model, 'owed', currency, 0, createdAt.getTime())
      const shownTotal = new Big(after.get(id) ?? NaN).toFixed()
      const expected = toAmount(own.available + own.pending + debt.available + debt.pending)
      if (shownTotal !== expected) {
        run.violations.push(`${id}: the balance after it is ${shownTotal}, not ${expected}`)
      }
    }
  }
}
