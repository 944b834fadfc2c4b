import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { type Environment, environments } from '../../domain/access/scope.ts'
import { processId, type RowProcess } from '../../domain/processes.ts'
import {
  id,
  idParameter,
  iso,
  Money,
  nullable,
  offsetQuery,
  PayoutCurrencyCode,
  Timestamp,
} from '../../schemas/common.ts'
import { lastFourOf } from '../../domain/payout/destination.ts'
import { formatPaid } from '../../domain/payout/terms.ts'
import { operation } from '../http/operation.ts'
import { forStaff } from './review.ts'
import type { PayoutCurrency } from '../../domain/payout/destination.ts'

/** What waits for a rail, by resource: its rows, and what staff can do. `since` is when the rail got the order. */
const waiting = {
  payout: {
    rows: `select id, account_id, environment, status, amount, currency, submitted_at as since, trace_id,
      (select action from operator_actions where payout_id = p.id and state = 'proposed' limit 1) as proposed,
      destination_id, id as process_of from payouts p where status = 'processing'`,
    helps: 'Send the order again, or mark the payout as settled or failed (docs/stuck-payouts.md).',
  },
  refund: {
    rows: `select id, account_id, environment, status, requested_amount, currency, created_at, null, null, null, id
      from refunds where status in ('pending', 'processing')`,
    helps: 'Nothing to do: the provider is asked again every day.',
  },
  conversion: {
    rows: `select id, account_id, environment, status, from_amount, from_currency, created_at, null, null, null, id
      from conversions where status in ('pending', 'processing')`,
    helps: 'Nothing to do: the provider is asked again every day.',
  },
  deposit: {
    rows: `select id, account_id, environment, status, amount, currency, created_at, null, null, null, id
      from payments where status = 'processing' and checkout_id is null and id in (select id from deposits)`,
    helps: 'Nothing to do: the bank is asked again every day.',
  },
  payment: {
    rows: `select id, account_id, environment, status, amount, currency, created_at, null, null, null, checkout_id
      from payments where status = 'processing' and checkout_id is not null`,
    helps: 'Nothing to do: the provider is asked again and again, until the session expires.',
  },
} as const
type Resource = keyof typeof waiting
const isResource = (name: string): name is Resource => Object.hasOwn(waiting, name)
const resources = Object.keys(waiting).filter(isResource)

/** The process that works for a resource of this kind. */
const processOf = (resource: Resource): RowProcess => (resource === 'payment' ? 'checkout' : resource)

const pageMax = 100

const Stuck = Type.Object(
  {
    resource: Type.Enum(resources),
    id: Type.String(),
    account_id: Type.String(),
    environment: Type.String(),
    status: Type.String(),
    amount: Money,
    currency: PayoutCurrencyCode,
    since: Timestamp,
    trace_id: nullable(Type.String()),
    process_id: Type.String(),
    proposed_action: nullable(Type.String()),
    helps: Type.String({ description: 'What staff can do about it.' }),
    destination: nullable(
      Type.Object(
        {
          id: id('pd'),
          name: Type.String(),
          account_holder: nullable(Type.String()),
          last_four: nullable(Type.String()),
        },
        { description: 'The destination of a payout; null for other resources.' },
      ),
    ),
  },
  { $id: 'StuckResource' },
)

type Row = { resource: Resource; currency: PayoutCurrency } & Record<
  'id' | 'account_id' | 'environment' | 'status' | 'amount' | 'since' | 'process_of',
  string
> &
  Record<'trace_id' | 'proposed' | 'destination_id', string | null>

export const listStuck = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/stuck',
  summary: 'List whatever a rail has not answered, the longest wait first',
  query: Type.Object({
    ...offsetQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax, default: pageMax })),
    resource: Type.Optional(Type.Enum(resources)),
    account_id: Type.Optional(idParameter('acct')),
    environment: Type.Optional(Type.Enum([...environments])),
    older_than: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 525_600, default: 60, description: 'The least minutes of waiting.' }),
    ),
  }),
  returns: [200, Type.Object({ total: Type.Integer(), items: Type.Array(Stuck) })],
  refuses: ['FORBIDDEN'],

  async handle({ query, em, now }) {
    const { total, rows } = await findDue(em, query, now)
    return { total, items: await presentAll(em, rows) }
  },
})

type Filter = {
  resource?: Resource
  account_id?: string
  environment?: Environment
  older_than?: number
  limit?: number
  offset?: number
}

/** One page of what has waited for long enough, the longest wait first, and how many there are in all. */
async function findDue(em: EntityManager, filter: Filter, now: number): Promise<{ total: number; rows: Row[] }> {
  const { resource, account_id: accountId, environment, older_than: minutes = 60, limit = pageMax, offset = 0 } = filter
  const waits = (resource ? [resource] : resources)
    .map((each) => `select '${each}' as resource, * from (${waiting[each].rows}) ${each}`)
    .join(' union all ')
  const due = `with waits (resource, id, account_id, environment, status, amount, currency, since, trace_id, proposed,
      destination_id, process_of) as (${waits}),
    due as (select * from waits
      where since < ? and account_id = coalesce(?, account_id) and environment = coalesce(?, environment))`
  const params = [new Date(now - minutes * 60_000), accountId ?? null, environment ?? null]
  const rows = await em.execute<Row[]>(`${due} select * from due order by since, id limit ? offset ?`, [
    ...params,
    limit,
    offset,
  ])
  const [counted] = await em.execute<{ total: number }[]>(`${due} select count(*)::int as total from due`, params)
  return { total: counted?.total ?? 0, rows }
}

async function presentAll(em: EntityManager, rows: Row[]) {
  const wanted = rows.flatMap(({ destination_id: to }) => (to ? [to] : []))
  const destinations = await em.find(PayoutDestination, { id: wanted })
  return rows.map((row) =>
    present(
      row,
      destinations.find((to) => to.id === row.destination_id),
    ),
  )
}

const present = (row: Row, to: PayoutDestination | undefined) => ({
  id: row.id,
  account_id: row.account_id,
  environment: row.environment,
  status: row.status,
  currency: row.currency,
  trace_id: row.trace_id,
  resource: row.resource,
  amount: formatPaid(row.amount, row.currency),
  since: iso(new Date(row.since)),
  process_id: processId(processOf(row.resource), row.process_of),
  proposed_action: row.proposed,
  helps: waiting[row.resource].helps,
  destination: to
    ? {
        id: to.id,
        name: to.name,
        account_holder: to.accountName,
        last_four: lastFourOf(to),
      }
    : null,
})
