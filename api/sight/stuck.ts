import Type, { type Static } from 'typebox'
import { accountNamesOf } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { listStuckWaits, readSubjects, type StuckSubject, type StuckWait } from '../../db/sight/stuck.ts'
import { environments } from '../../domain/access/scope.ts'
import { minuteMs } from '../../domain/duration.ts'
import { stuckResources } from '../../domain/sight/agenda.ts'
import { idParameter, offsetQuery } from '../../schemas/common.ts'
import { presentStuck, Stuck } from '../../schemas/sight/stuck.ts'
import { operation } from '../http/operation.ts'
import { forStaff } from '../http/staff.ts'

const pageMax = 100

const minutes = (defaultMinutes: number, minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 525_600, default: defaultMinutes, description }))

const ListStuck = Type.Object({
  ...offsetQuery,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax, default: pageMax })),
  resource: Type.Optional(Type.Enum([...stuckResources])),
  account_id: Type.Optional(idParameter('acct')),
  environment: Type.Optional(Type.Enum([...environments])),
  older_than: minutes(60, 1, 'The least minutes without an answer of a rail. What is overdue is listed earlier.'),
  overdue_by: minutes(5, 0, 'The least minutes since the moment at which something should have happened.'),
})

export const listStuck = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/stuck',
  summary: 'List whatever is overdue or a rail has not answered, the longest wait first',
  query: ListStuck,
  returns: [200, Type.Object({ total: Type.Integer(), items: Type.Array(Stuck) }, { $id: 'StuckPage' })],
  refuses: ['FORBIDDEN'],

  async handle({ query, em, now }) {
    const { total, waits } = await listStuckWaits(em, filterOf(query), now)
    return { total, items: await presentAll(em, waits) }
  },
})

const filterOf = (query: Static<typeof ListStuck>) => ({
  resource: query.resource,
  accountId: query.account_id,
  environment: query.environment,
  olderThanMs: (query.older_than ?? 60) * minuteMs,
  overdueByMs: (query.overdue_by ?? 5) * minuteMs,
  limit: query.limit ?? pageMax,
  offset: query.offset ?? 0,
})

async function presentAll(em: EntityManager, waits: readonly StuckWait[]) {
  const subjects = await readSubjects(em, waits)
  const to = subjects.flatMap(({ destinationId }) => destinationId ?? [])
  const destinations = to.length === 0 ? [] : await em.find(PayoutDestination, { id: to })
  const accountNames = await accountNamesOf(
    em,
    waits.map(({ accountId }) => accountId),
  )
  const subjectOf = new Map(subjects.map((subject) => [keyOf(subject), subject]))
  const destinationOf = new Map(destinations.map((destination) => [destination.id, destination]))
  return waits.flatMap((wait) => {
    const subject = subjectOf.get(keyOf(wait))
    if (!subject) return []
    const destination = destinationOf.get(subject.destinationId ?? '') ?? null
    return presentStuck(wait, subject, destination, accountNames[wait.accountId] ?? null)
  })
}

const keyOf = ({ resource, id }: Pick<StuckSubject, 'resource' | 'id'>) => `${resource} ${id}`
