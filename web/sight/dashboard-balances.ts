import type { Context } from 'koa'
import type { Static } from 'typebox'
import { type BalanceTransactionType, balanceTransactionTypes } from '../../domain/balance/transaction.ts'
import { currencyCodes } from '../../domain/currency.ts'
import type { Balance, BalanceTransaction } from '../../schemas/balance/balance.ts'
import { pageOf, type Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { addCsvExport, type CsvColumn } from './csv-export.ts'
import { type Listed, pagesOf, queryOf, showUnlisted } from './dashboard-lists.ts'
import { createdIn, dayIn, wordIn } from './list-filter.ts'

type ShownBalance = Static<typeof Balance>
type ShownTransaction = Static<typeof BalanceTransaction>

export const balancesLink = { path: '/balances', words: 'Balances' }

/** The filters of the list of transactions, as its address has them; an empty one is not asked for. */
type Filters = { currency: string; type: string; from: string; to: string }

const filtersIn = (ctx: Context): Filters => ({
  currency: wordIn(ctx, 'currency', currencyCodes),
  type: wordIn(ctx, 'type', balanceTransactionTypes),
  from: dayIn(ctx, 'from'),
  to: dayIn(ctx, 'to'),
})

const askedFor = ({ currency, type, from, to }: Filters) => ({ currency, type, ...createdIn({ from, to }) })

/** `/dashboard/balances`: the money in each currency, and what has changed it, with filters and an export. */
export function addBalancePages(site: Site): void {
  const { home, sessions, read, show } = site
  const folder = `${home}${balancesLink.path}`
  const collection = '/v1/balances/transactions'

  addCsvExport<ShownTransaction>(site, {
    folder,
    file: 'balance-transactions',
    rows: 'transactions',
    collection,
    queryIn: (ctx) => ({ ok: true, body: askedFor(filtersIn(ctx)) }),
    idOf: (row) => row.transaction_id,
    fewerIn: () => 'choose a shorter time',
    columns,
  })

  read(balancesLink.path, async (ctx) => {
    const filters = filtersIn(ctx)
    const [balances, transactions] = await Promise.all([
      sessions.call<Listed<ShownBalance>>(ctx, 'GET', '/v1/balances'),
      sessions.call<Listed<ShownTransaction>>(ctx, 'GET', `${collection}?${queryOf(ctx, askedFor(filters))}`),
    ])
    if (!balances.ok) return showUnlisted(site, ctx, balances.refused, folder)
    if (!transactions.ok) return showUnlisted(site, ctx, transactions.refused, folder)
    const data = {
      isSignedIn: true,
      at: balancesLink.path,
      folder,
      balances: balances.body.items.map((row) => shownBalance(row, folder)),
      items: transactions.body.items.map((row) => shownTransaction(row, home)),
      pages: pagesOf(folder, transactions.body.pagination, filters),
      ...filters,
      currencies: currencyCodes,
      types: Object.entries(typeNames),
    }
    show(ctx, pageOf('dashboard/balances', balancesLink.words, data))
  })
}

const typeNames: Record<BalanceTransactionType, string> = {
  payment: 'Payment',
  refund: 'Refund',
  refund_reversal: 'Refund failed or came back',
  payout: 'Payout',
  payout_reversal: 'Payout failed',
  payout_return: 'Payout sent back',
  conversion: 'Conversion',
  conversion_reversal: 'Conversion failed',
  dispute: 'Dispute',
  dispute_fee: 'Fee of a dispute',
  dispute_reversal: 'Dispute won',
  transfer: 'Transfer',
  transfer_reversal: 'Transfer returned',
  platform_fee: 'Platform fee',
  platform_fee_reversal: 'Platform fee returned',
  adjustment: 'Correction by hand',
}

const shownBalance = ({ currency, available, pending, reserved, owed }: ShownBalance, folder: string) => ({
  currency,
  link: `${folder}?currency=${currency}`,
  figures: [available, pending, reserved, owed].map((amount) => money(amount, currency)),
  owes: /[1-9]/.test(owed),
})

const shownTransaction = (row: ShownTransaction, home: string) => ({
  title: money(row.amount, row.currency),
  type: typeNames[row.type],
  source: row.source_id,
  link: sourceLink(row, home),
  after: money(row.balance_after, row.currency),
  available: timeOf(row.available_at),
  created: timeOf(row.created_at),
})

/** The pages of what changes balances, by the prefixes of the ids. Payments and payouts share one. */
const folders = new Map([
  ['ref', 'timelines'],
  ['dsp', 'disputes'],
  ['cnv', 'conversions'],
])

/** The page of what has caused a transaction; null if it has none. */
function sourceLink({ type, source_id: id }: ShownTransaction, home: string): string | null {
  const [prefix = ''] = id.split('_', 1)
  const page = (folder: string) => `${home}/${folder}/${encodeURIComponent(id)}`
  if (prefix === 'pay') return page(type.startsWith('payout') ? 'payouts' : 'payments')
  const folder = folders.get(prefix)
  return folder === undefined ? null : page(folder)
}

/** The columns of the file, by the names that the API has for them. */
const columns: readonly CsvColumn<ShownTransaction>[] = [
  ['transaction_id', (row) => row.transaction_id],
  ['created_at', (row) => row.created_at],
  ['available_at', (row) => row.available_at],
  ['type', (row) => row.type],
  ['currency', (row) => row.currency],
  ['amount', (row) => row.amount],
  ['balance_after', (row) => row.balance_after],
  ['source_id', (row) => row.source_id],
]
