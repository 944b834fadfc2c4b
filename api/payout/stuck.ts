import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { processId } from '../../domain/processes.ts'
import { id, iso, Money, nullable, PayoutCurrencyCode, Timestamp } from '../../schemas/common.ts'
import { lastFourOf } from '../../domain/payout/destination.ts'
import { formatPaid } from '../../domain/payout/terms.ts'
import { operation } from '../http/operation.ts'
import { forStaff } from './review.ts'
import type { PayoutCurrency } from '../../domain/payout/destination.ts'

/** What waits for a rail, by resource: `since` is when it was last handed to the rail. */
const waiting = {
  payout: `select id, account_id, environment, status, amount, currency, submitted_at as since, trace_id,
    (select action from operator_actions where payout_id = p.id and state = 'proposed' limit 1) as proposed,
    destination_id from payouts p where status = 'processing'`,
  refund: `select id, account_id, environment, status, requested_amount, currency, created_at, null, null, null
    from refunds where status in ('pending', 'processing')`,
  conversion: `select id, account_id, environment, status, from_amount, from_currency, created_at, null, null, null
    from conversions where status in ('pending', 'processing')`,
  deposit: `select id, account_id, environment, status, amount, currency, created_at, null, null, null
    from payments where status = 'processing' and id in (select id from deposits)`,
} as const
type Resource = keyof typeof waiting
const isResource = (name: string): name is Resource => Object.hasOwn(waiting, name)
const resources = Object.keys(waiting).filter(isResource)

const atOnceMax = 100

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
  'id' | 'account_id' | 'environment' | 'status' | 'amount' | 'since',
  string
> &
  Record<'trace_id' | 'proposed' | 'destination_id', string | null>

export const listStuck = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/stuck',
  summary: 'List payments, refunds and payouts that their rails have not answered, longest wait first',
  query: Type.Object({
    resource: Type.Optional(Type.Enum(resources)),
    older_than: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 525_600, default: 60, description: 'The least minutes of waiting.' }),
    ),
  }),
  returns: [200, Type.Object({ total: Type.Integer(), items: Type.Array(Stuck) })],
  refuses: ['FORBIDDEN'],

  async handle({ query: { resource, older_than: minutes = 60 }, em, now }) {
    const selected = resource ? [resource] : resources
    const all = selected
      .map((each) => `select '${each}' as resource, * from (${waiting[each]}) ${each}`)
      .join(' union all ')
    const rows = await em.execute<(Row & { total: number })[]>(
      `with waits (resource, id, account_id, environment, status, amount, currency, since, trace_id, proposed,
         destination_id)
       as (${all})
       select *, count(*) over ()::int as total from waits where since < ? order by since, id limit ${atOnceMax}`,
      [new Date(now - minutes * 60_000)],
    )
    return { total: rows[0]?.total ?? 0, items: await presentAll(em, rows) }
  },
})

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
  process_id: processId(row.resource, row.id),
  proposed_action: row.proposed,
  destination: to
    ? {
        id: to.id,
        name: to.name,
        account_holder: to.accountName,
        last_four: lastFourOf(to),
      }
    : null,
})
