import Type from 'typebox'
import { readBalances } from '../../db/balance/balance.ts'
import { balancesAfter, BalanceTransaction as TransactionRow } from '../../db/balance/transaction.ts'
import { debtsOfConnected } from '../../db/ledger/available.ts'
import { inSnapshot } from '../../db/core/database.ts'
import { balanceTransactionTypes } from '../../domain/balance/transaction.ts'
import { currencyCodes } from '../../domain/currency.ts'
import {
  Balance,
  BalanceTransaction,
  presentBalances,
  presentBalanceTransaction,
} from '../../schemas/balance/balance.ts'
import { Moment, page, pageQuery } from '../../schemas/common.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { operation } from '../http/operation.ts'
import { listPage, pageOfAll } from '../http/pagination.ts'

const shared = { tag: 'Balances', auth: ['apiKey'], scope: 'balances:read' } as const

/** `at` is a past moment: the balances as they were then. */
const ListBalances = Type.Object({ ...pageQuery, at: Type.Optional(Moment) })

export const listBalances = operation({
  ...shared,
  method: 'get',
  path: '/v1/balances',
  summary: 'Read the balances, by currency',
  query: ListBalances,
  validate: (_, { query: { at }, now }) =>
    typeof at === 'string' && Date.parse(at) > now
      ? [{ field: 'at', message: 'must not lie in the future', type: 'value_error.range' }]
      : [],
  returns: [200, page(Balance)],
  refuses: [],

  async handle({ query, caller, em, now, services }) {
    const at = query.at === undefined ? now : Date.parse(query.at)
    const asOf = query.at === undefined ? 'now' : 'then'
    const balances = await readBalances(em, caller, ['merchant', 'owed', 'reserved'], at, asOf)
    // What is held for connected accounts today says nothing about an earlier moment.
    const all = presentBalances(balances, asOf === 'now' ? await debtsOfConnected(em, caller, at) : [])
    const { rows: items, pagination } = pageOfAll('balances', all, ({ currency }) => currency, query, services)
    return { items, pagination }
  },
})

const ListBalanceTransactions = Type.Object({
  ...pageQuery,
  ...createdRange,
  type: Type.Optional(Type.Enum([...balanceTransactionTypes])),
  currency: Type.Optional(Type.Enum(currencyCodes, { format: 'currency' })),
  source_id: Type.Optional(Type.String({ maxLength: 64, examples: ['pay_…'] })),
})

export const listBalanceTransactions = operation({
  ...shared,
  method: 'get',
  path: '/v1/balances/transactions',
  summary: 'List what changed the balances, newest first',
  query: ListBalanceTransactions,
  returns: [200, page(BalanceTransaction)],
  refuses: [],

  async handle({ query, caller, em: given, services }) {
    const where = whereMatching(caller, query, { type: 'type', currency: 'currency', source_id: 'sourceId' })
    // One snapshot for all queries: an entry posted between two of them would break the chain of the balances.
    return inSnapshot(given, async (em) => {
      const { rows, pagination } = await listPage<TransactionRow>({ em, services }, TransactionRow, where, query)
      const after = await balancesAfter(em, caller, rows)
      return { items: rows.map((row) => presentBalanceTransaction(row, after.get(row.id) ?? '')), pagination }
    })
  },
})
