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
import { noTimeLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { Refund } from '../../db/refund/refund.ts'
import { Transfer } from '../../db/transfer/transfer.ts'
import { quoteOf } from '../../domain/balance/quote.ts'
import { splitIn } from '../../domain/checkout/split.ts'
import { cardCorridors, type Corridor, corridorKeys, corridorOf, type FeePreference } from '../../domain/corridor.ts'
import { type Currency, perUsd } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { inUsd, isLess, isZero, negate } from '../../domain/money.ts'
import { createDatabase } from '../support/database.ts'
import { checkBooks } from '../support/invariants.ts'
import type { Outcome, Scenario } from './scenario.ts'
import { type DisputeWish, endDisputeOf, type Raised, raiseOn, randomDisputes } from './split-disputes.ts'
import {
  amountOf,
  book,
  count,
  followShare,
  isAccepted,
  type Known,
  lesser,
  partOf,
  type Run,
  unitsOf,
} from './split-run.ts'

const environment = 'sandbox' as const
const platforms = ['acct_one', 'acct_two']
const sellersEach = 3
const lanes = 8
const startAt = Date.UTC(2030, 0, 1)
const [anyPart, seed] = [fc.double({ min: 0.01, max: 1, noNaN: true }), 16]

/** A sale by a platform or one of its sellers: what it costs, how it is split, and what becomes of it later. */
const randomSale = fc.record({
  platform: fc.constantFrom(...platforms),
  seller: fc.nat(sellersEach - 1),
  isFee: fc.boolean(),
  corridor: fc.oneof(fc.constantFrom(...corridorKeys), fc.constantFrom(...cardCorridors)), // only cards are disputed
  feePreference: fc.constantFrom<FeePreference>('customer_pays', 'org_pays'),
  cents: fc.integer({ min: 500, max: 1_000_000 }),
  part: anyPart,
  refunds: fc.array(
    fc.record({ part: anyPart, takesBack: fc.boolean(), end: fc.constantFrom('succeeded', 'failed', 'returned') }),
    { maxLength: 3 },
  ),
  disputes: randomDisputes,
  isDisputedFirst: fc.boolean(),
  reversedByHand: fc.option(anyPart, { freq: 4 }),
  paidOut: fc.option(fc.record({ part: anyPart, bySeller: fc.boolean() }), { freq: 3 }),
})
type Sale = typeof randomSale extends fc.Arbitrary<infer T> ? T : never

const sellerOf = ({ platform, seller }: Sale) => `${platform}_${seller}`
/** `size` is the number of sales. */
export const splitSales: Scenario = {
  promise: 'whatever becomes of split sales, each account has exactly its share, and the books of all of them balance',
  size: 10_000,
  async run(size): Promise<Outcome> {
    const { url, drop } = await createDatabase()
    const database = await openDatabase(url, lanes + 2, noTimeLimits) // each rule reads all that was written
    const run: Run = { database, net: new Map(), counts: {}, violations: [] }
    try {
      await addAccounts(database)
      const sales = fc.sample(randomSale, { seed, numRuns: size })
      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          for (let next = lane; next < sales.length; next += lanes) await live(run, sales[next] as Sale, startAt + next)
        }),
      )
      await database.orm.em.fork().execute('analyze') // all rows are new, and the rules join them
      run.violations.push(...(await compare(run)), ...(await checkBooks(database)))
      const figures = { sales: size, ...run.counts, 'repaid what they owed': await countRepaid(database) }
      return { figures, violations: run.violations }
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

/** Everything that becomes of one sale, step by step, while other sales of the same accounts have their steps. */
async function live(run: Run, sale: Sale, at: number): Promise<void> {
  const known = await sell(run, sale, at)
  if (!known) return
  if (sale.paidOut) await payOut(run, sale, known, at)
  const [early, late] = [sale.disputes.filter(({ isLate }) => !isLate), sale.disputes.filter(({ isLate }) => isLate)]
  const refunds = async () => {
    const opened: Opened[] = []
    for (const wish of sale.refunds) opened.push(...(await refund(run, known, wish, at)))
    return opened
  }
  const disputes = async (wishes: DisputeWish[]) => {
    const raised: Raised[] = []
    for (const wish of wishes) raised.push(...(await raiseOn(run, known, wish, at)))
    return raised
  }
  const first = sale.isDisputedFirst ? await disputes(early) : []
  const opened = await refunds()
  const raised = [...first, ...(sale.isDisputedFirst ? [] : await disputes(early))]
  if (sale.reversedByHand !== null) await reverseByHand(run, known, sale.reversedByHand, at)
  for (const each of raised) await endDisputeOf(run, known, each, at)
  for (const each of opened) await endRefundOf(run, known, each, at)
  for (const each of await disputes(late)) await endDisputeOf(run, known, each, at)
  assertAllIsBack(run, known)
}

/** Once all that a buyer has paid is on its way back, and each return has taken its share, all of the share is back. */
function assertAllIsBack({ violations }: Run, known: Known): void {
  const { paymentId, received, settled, share, claimed, takingBack, disputed, reversed } = known
  if (claimed > settled || claimed + disputed > received) violations.push(`${paymentId}: ${claimed} and ${disputed}`)
  const isAllReturned = takingBack + disputed === received || takingBack === settled
  if (isAllReturned && reversed !== share)
    violations.push(`${paymentId}: all is returned, and ${share - reversed} of the share ${share} are left`)
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
  const nothing = { claimed: 0n, takingBack: 0n, disputed: 0n, reversed: 0n, byHand: 0n, undone: 0 }
  const received = unitsOf(amount, currency)
  return { paymentId, currency, corridor, sender, receiver, received, settled, share: passedOn, ...nothing }
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

type Wish = Sale['refunds'][number]
type Opened = { id: string; end: Wish['end']; requested: bigint; takesBack: boolean }

async function refund(run: Run, known: Known, { part, takesBack, end }: Wish, at: number): Promise<Opened[]> {
  const { currency, settled, received, claimed, disputed, paymentId } = known
  const requested = partOf(lesser(settled - claimed, received - claimed - disputed), part)
  if (requested === 0n) return []
  let id = ''
  const wish = { amount: amountOf(requested, currency), feeBearer: 'CUSTOMER' as const, address: 'an-address' }
  const request = { reference: 'r', reason: null, simulatedOutcome: null, isFree: true }
  const isOpened = await isAccepted(run.database, async (em) => {
    const charge = await lock(em, Payment, paymentId)
    const shares = { reversesTransfer: takesBack, refundsPlatformFee: takesBack }
    ;({ id } = await openRefund(em, charge, { ...wish, ...request, takesBack: shares }, at))
  })
  count(run, isOpened ? 'refunds' : 'refunds refused')
  if (!isOpened) return []
  known.claimed += requested
  if (takesBack) known.takingBack += requested
  book(run, known.sender, currency, -requested)
  await followShare(run, known)
  return [{ id, end, requested, takesBack }]
}

async function endRefundOf(run: Run, known: Known, { id, end, requested, takesBack }: Opened, at: number) {
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
  if (takesBack) known.takingBack -= requested
  known.undone += 1
  book(run, known.sender, known.currency, requested)
  await followShare(run, known)
}

async function reverseByHand(run: Run, known: Known, part: number, at: number): Promise<void> {
  const units = partOf(known.share - known.reversed, part)
  if (units === 0n) return
  const isReversed = await isAccepted(run.database, async (em) => {
    const { id } = await em.findOneOrFail(Transfer, { paymentId: known.paymentId })
    await reverseTransfer(em, await lock(em, Transfer, id), { amount: amountOf(units, known.currency) }, at)
  })
  if (isReversed) known.byHand += units
  await followShare(run, known)
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

/** How often later credits have repaid what an account owed. */
async function countRepaid({ orm }: Database): Promise<number> {
  const sql = `select count(*) from ledger_transactions where kind = 'owed_repaid'`
  const [row] = await orm.em.fork().execute<{ count: string }[]>(sql)
  return Number(row?.count)
}
