import Big from 'big.js'
import * as fc from 'fast-check'
import { passOnSplit } from '../../commands/checkout/split.ts'
import { endRefund, openRefund, returnRefund } from '../../commands/open-refund.ts'
import { settlePayment } from '../../commands/settle-payment.ts'
import { reverseTransfer } from '../../commands/transfer/transfer.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { Account } from '../../db/core/account.ts'
import { type Database, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { post } from '../../db/ledger/ledger.ts'
import { openDatabase } from '../../db/open-database.ts'
import { Refund } from '../../db/refund.ts'
import { Transfer } from '../../db/transfer/transfer.ts'
import { quoteOf } from '../../domain/balance/quote.ts'
import { splitIn } from '../../domain/checkout/split.ts'
import { type Corridor, corridorKeys, corridorOf, type FeePreference } from '../../domain/corridor.ts'
import { type Currency, digitsOf, perUsd } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { inUsd, isLess, isZero, negate } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { createDatabase } from '../support/database.ts'
import { checkBooks } from '../support/invariants.ts'
import type { Outcome, Scenario } from './scenario.ts'

const environment = 'sandbox' as const
const platforms = ['acct_one', 'acct_two']
const sellersEach = 3
const lanes = 8
const startAt = Date.UTC(2030, 0, 1)
const [share, seed] = [fc.double({ min: 0.01, max: 1, noNaN: true }), 16]

/** A sale by a platform or one of its sellers: what it costs, how it is split, and what becomes of it later. */
const randomSale = fc.record({
  platform: fc.constantFrom(...platforms),
  seller: fc.nat(sellersEach - 1),
  isFee: fc.boolean(),
  corridor: fc.constantFrom(...corridorKeys),
  feePreference: fc.constantFrom<FeePreference>('customer_pays', 'org_pays'),
  cents: fc.integer({ min: 500, max: 1_000_000 }),
  part: share,
  refunds: fc.array(
    fc.record({ part: share, takesBack: fc.boolean(), end: fc.constantFrom('succeeded', 'failed', 'returned') }),
    { maxLength: 3 },
  ),
  reversedByHand: fc.option(share, { freq: 4 }),
  paidOut: fc.option(fc.record({ part: share, bySeller: fc.boolean() }), { freq: 3 }),
})
type Sale = typeof randomSale extends fc.Arbitrary<infer T> ? T : never

type Run = { database: Database; net: Map<string, bigint>; counts: Record<string, number>; violations: string[] }

const sellerOf = ({ platform, seller }: Sale) => `${platform}_${seller}`
const unitsOf = (amount: string, currency: Currency) =>
  BigInt(new Big(amount).times(new Big(10).pow(digitsOf(currency))).toFixed(0))
const amountOf = (units: bigint, currency: Currency) =>
  new Big(units.toString()).div(new Big(10).pow(digitsOf(currency))).toFixed(digitsOf(currency))

function book(run: Run, accountId: string, currency: Currency, units: bigint): void {
  const key = `${accountId} ${currency}`
  run.net.set(key, (run.net.get(key) ?? 0n) + units)
}

function count(run: Run, what: string): void {
  run.counts[what] = (run.counts[what] ?? 0) + 1
}

/** `size` is the number of sales. */
export const splitSales: Scenario = {
  promise: 'whatever becomes of split sales, each account has exactly its share, and the books of all of them balance',
  size: 10_000,
  async run(size): Promise<Outcome> {
    const { url, drop } = await createDatabase()
    const database = await openDatabase(url, lanes + 2)
    const run: Run = { database, net: new Map(), counts: {}, violations: [] }
    try {
      await addAccounts(database)
      const sales = fc.sample(randomSale, { seed, numRuns: size })
      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          for (let next = lane; next < sales.length; next += lanes) await live(run, sales[next] as Sale, startAt + next)
        }),
      )
      run.violations.push(...(await compare(run)), ...(await checkBooks(database)))
      return { figures: { sales: size, ...run.counts }, violations: run.violations }
    } finally {
      await database.orm.close()
      await drop()
    }
  },
}

async function addAccounts({ orm }: Database): Promise<void> {
  const createdAt = new Date(startAt)
  for (const platform of platforms) {
    await orm.em.fork().insert(Account, { id: platform, name: 'A platform', createdAt })
    for (let seller = 0; seller < sellersEach; seller++) {
      const id = `${platform}_${seller}`
      await orm.em.fork().insert(Account, { id, name: 'A seller', createdAt, ownerId: platform })
    }
  }
}

/** What is known of a sale beside the service, in the smallest units of its currency. */
type Known = {
  paymentId: string
  currency: Currency
  sender: string
  receiver: string
  settled: bigint
  share: bigint
  claimed: bigint
  reversed: bigint
}

/** Everything that becomes of one sale, step by step, while other sales of the same accounts have their steps. */
async function live(run: Run, sale: Sale, at: number): Promise<void> {
  const known = await sell(run, sale, at)
  if (!known) return
  if (sale.paidOut) await payOut(run, sale, known, at)
  const opened = []
  for (const wish of sale.refunds) opened.push(await refund(run, known, wish, at))
  if (sale.reversedByHand !== null) await reverseByHand(run, known, sale.reversedByHand, at)
  for (const each of opened) if (each) await endRefundOf(run, known, each, at)
}

async function sell(run: Run, sale: Sale, at: number): Promise<Known | null> {
  const { corridor, feePreference, part, isFee } = sale
  const currency = corridorOf(corridor).currency
  const rate = currency === 'USD' ? null : perUsd(currency)
  const base = new Big(sale.cents).div(100).toFixed(2)
  const {
    customerPays: amount,
    fee,
    settles,
  } = quoteOf({ amount: base, currency: 'USD', feePreference }, corridor, rate)
  const promised = new Big(base).times(part).toFixed(2, Big.roundDown)
  const split = isFee ? { platformFee: promised } : { transferAmount: promised }
  const moved = splitIn(split, rate, currency) ?? '0'
  if (isZero(promised) || isLess(settles, moved)) return null // the quote refuses such a sale
  const paymentId = await inTransaction(run.database, async (em) => {
    const made = em.create(Payment, {
      ...paymentOf(sale, corridor, at),
      ...(rate !== null && { baseAmount: base, baseCurrency: 'USD' as const, rate }),
      amount,
      amountReceived: amount,
      settles,
      fee,
      currency,
      feePreference,
      feeUsd: inUsd(fee, currency),
      platformFee: isFee ? promised : null,
      transferAmount: isFee ? null : promised,
      transferDestination: isFee ? null : sellerOf(sale),
    })
    await settlePayment(em, made, false, at)
    await passOnSplit(em, made, { settled: settles, whole: settles }, at)
    return made.id
  })
  const [sender, receiver] = isFee ? [sellerOf(sale), sale.platform] : [sale.platform, sellerOf(sale)]
  const [settled, passedOn] = [unitsOf(settles, currency), unitsOf(moved, currency)]
  book(run, sender, currency, settled - passedOn)
  book(run, receiver, currency, passedOn)
  count(run, isZero(moved) ? 'unsplit' : isFee ? 'fees' : 'transfers')
  return { paymentId, currency, sender, receiver, settled, share: passedOn, claimed: 0n, reversed: 0n }
}

const paymentOf = (sale: Sale, corridor: Corridor, at: number) => ({
  id: newId('pay', at),
  accountId: sale.isFee ? sellerOf(sale) : sale.platform,
  environment,
  corridor,
  status: 'processing' as const,
  checkoutId: null,
  subscriptionId: null,
  statementText: null,
  nextAction: null,
  methodDetails: null,
  lineItems: null,
  customerId: null,
  customerDetails: null,
  reference: null,
  failureCode: null,
  cancelling: null,
  baseAmount: null,
  baseCurrency: null,
  rate: null,
  newsDueAt: null,
  completedAt: null,
  metadata: {},
  createdAt: new Date(at),
  updatedAt: new Date(at),
})

/** Pays out a part of what is available to an account, and accepts that it may be refused. */
async function payOut(run: Run, sale: Sale, { paymentId, currency, settled }: Known, at: number): Promise<void> {
  const accountId = sale.paidOut?.bySeller ? sellerOf(sale) : sale.platform
  const owner = { accountId, environment }
  const units = partOf(settled, sale.paidOut?.part ?? 0)
  const wanted = amountOf(units, currency)
  const move = (em: EntityManager, kind: 'payout_hold' | 'payout_paid', from: 'merchant' | 'reserved') =>
    post(
      em,
      {
        kind,
        sourceId: paymentId,
        owner,
        postings: [
          { ledgerAccount: from, currency, amount: negate(wanted) },
          { ledgerAccount: from === 'merchant' ? 'reserved' : 'rail', currency, amount: wanted },
        ],
      },
      at,
    )
  const isPaid = await isAccepted(run.database, async (em) => {
    await move(em, 'payout_hold', 'merchant')
    await move(em, 'payout_paid', 'reserved')
  })
  if (isPaid) book(run, accountId, currency, -units)
  count(run, isPaid ? 'paid out' : 'payouts refused')
}

/** Does it in one transaction, unless it is refused. */
async function isAccepted(database: Database, work: (em: EntityManager) => Promise<unknown>): Promise<boolean> {
  try {
    await inTransaction(database, work)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const partOf = (units: bigint, part: number): bigint => (units * BigInt(Math.ceil(part * 1_000))) / 1_000n
/** A quotient, rounded half up. */
const rounded = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)

/** Moves units of the share back to its sender, or from it again where they are negative. */
function bringBack(run: Run, known: Known, units: bigint): void {
  known.reversed += units
  book(run, known.receiver, known.currency, -units)
  book(run, known.sender, known.currency, units)
}

type Wish = Sale['refunds'][number]
type Opened = { id: string; end: Wish['end']; requested: bigint; takenBack: bigint }

async function refund(run: Run, known: Known, { part, takesBack, end }: Wish, at: number): Promise<Opened | null> {
  const { currency, settled, share: whole, claimed, paymentId } = known
  const requested = partOf(settled - claimed, part)
  if (requested === 0n) return null
  let id = ''
  const wish = { amount: amountOf(requested, currency), feeBearer: 'CUSTOMER' as const, address: 'an-address' }
  const request = { reference: 'r', reason: null, simulatedOutcome: null, isFree: true }
  const isOpened = await isAccepted(run.database, async (em) => {
    const charge = await lock(em, Payment, paymentId)
    const shares = { reversesTransfer: takesBack, refundsPlatformFee: takesBack }
    ;({ id } = await openRefund(em, charge, { ...wish, ...request, takesBack: shares }, at))
  })
  count(run, isOpened ? 'refunds' : 'refunds refused')
  if (!isOpened) return null
  const due = rounded(whole * (claimed + requested), settled) - rounded(whole * claimed, settled)
  const left = whole - known.reversed
  const takenBack = !takesBack ? 0n : due < left ? due : left
  known.claimed += requested
  book(run, known.sender, currency, -requested)
  bringBack(run, known, takenBack)
  return { id, end, requested, takenBack }
}

async function endRefundOf(run: Run, known: Known, { id, end, requested, takenBack }: Opened, at: number) {
  const step = (work: (em: EntityManager, row: Refund, charge: Payment) => Promise<void>) =>
    inTransaction(run.database, async (em) =>
      work(em, await lock(em, Refund, id), await lock(em, Payment, known.paymentId)),
    )
  await step(async (em, row, charge) => {
    row.status = 'processing'
    await endRefund(em, row, charge, end === 'failed' ? 'failed' : 'succeeded', at)
  })
  if (end === 'returned') await step((em, row, charge) => returnRefund(em, row, charge, at))
  count(run, `refunds ${end}`)
  if (end === 'succeeded') return
  known.claimed -= requested
  book(run, known.sender, known.currency, requested)
  bringBack(run, known, -takenBack)
}

async function reverseByHand(run: Run, known: Known, part: number, at: number): Promise<void> {
  const units = partOf(known.share - known.reversed, part)
  if (units === 0n) return
  const isReversed = await isAccepted(run.database, async (em) => {
    const { id } = await em.findOneOrFail(Transfer, { paymentId: known.paymentId })
    await reverseTransfer(em, await lock(em, Transfer, id), { amount: amountOf(units, known.currency) }, at)
  })
  if (isReversed) bringBack(run, known, units)
  count(run, isReversed ? 'reversed by hand' : 'reversals refused')
}

/** The balances of all accounts, each less what it owes, against what is known of them. */
async function compare({ database, net }: Run): Promise<string[]> {
  const rows = await database.orm.em.fork().execute<{ key: string; currency: Currency; total: string }[]>(
    `select account_id || ' ' || currency as key, currency, sum(amount) as total from ledger_entries
     where book in ('merchant', 'owed') group by 1, 2`,
  )
  const found = new Map(rows.map(({ key, currency, total }) => [key, unitsOf(total, currency)]))
  return [...new Set([...net.keys(), ...found.keys()])]
    .filter((key) => (net.get(key) ?? 0n) !== (found.get(key) ?? 0n))
    .map((key) => `${key}: ${found.get(key) ?? 0n}, not ${net.get(key) ?? 0n}`)
}
