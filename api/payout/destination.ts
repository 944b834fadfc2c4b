import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { lockDefaults, PayoutDestination as DestinationRow, routingOf } from '../../db/payout/destination.ts'
import {
  deactivateDestination,
  makeDefault,
  registerDestination,
  restateDestination,
} from '../../commands/payout/state-destination.ts'
import { destinationStatuses, destinationTypes } from '../../domain/payout/destination.ts'
import { mergeMetadata, validateMetadata } from '../../domain/metadata.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { ChangedMetadata, id, idParameter, Metadata, page, pageQuery, sentCurrency } from '../../schemas/common.ts'
import { PayoutDestination, presentDestination } from '../../schemas/payout/destination.ts'
import { resolveHolder } from './account-holder.ts'
import { auditCaller } from '../http/audit-caller.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { countInRange, hasCountedHours, type Range } from '../../db/core/counted-hours.ts'
import { countedRows, isCounted } from '../../db/core/row-count.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Call, type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { validateChange, validateRegistration, statesRouting, Name, readSentRouting, sentRouting } from './routing.ts'
import { assertValid } from '../http/validate.ts'

const managed = { tag: 'Payout destinations', auth: ['apiKey'] } as const
const reads = { ...managed, scope: 'payouts:read' } as const
const writes = { ...managed, scope: 'payouts:write' } as const

const CreateDestination = Type.Object(
  {
    ...sentRouting,
    metadata: Type.Optional(Metadata),
    name: Name,
    currency: sentCurrency({ maxLength: 10, examples: ['NGN'] }),
  },
  { $id: 'CreatePayoutDestination' },
)

export const createDestination = operation({
  ...writes,
  method: 'post',
  path: '/v1/payouts/destinations',
  summary: 'Register a payout destination; it can be used once it has been approved',
  mode: 'process',
  makes: 'pd',
  body: CreateDestination,
  validate: validateRegistration,
  returns: [201, PayoutDestination],
  refuses: ['CURRENCY_NOT_SUPPORTED', 'ACCOUNT_NOT_ACTIVATED'],

  async handle({ body, caller, em, now, services, callId, isRepeat, commit, askOutside }) {
    const { accountId, environment } = caller
    const made = isRepeat ? await em.findOne(DestinationRow, { id: callId, accountId, environment }) : null
    if (made) return presentDestination(made)
    const { name, is_default: isDefault = false, metadata: sent } = body
    const stated = readSentRouting(body, null, environment)
    // In NGN the bank names the holder, so a name in the body is ignored.
    const given = stated.currency === 'NGN' ? null : stated.account_name
    const statement = await resolveHolder({ em, caller, services, askOutside }, stated, given)
    const request = { id: callId, name, isDefault, metadata: mergeMetadata({}, sent), ...statement }
    return commit(async (writing) => {
      const row = await registerDestination(writing, { accountId, environment }, request, now)
      note(writing, caller, 'registered', row, now)
      return presentDestination(row)
    })
  },
})

/** Writes a change of a destination to the audit log, as destinations decide where money goes. */
function note(em: EntityManager, caller: Caller, what: string, row: DestinationRow, now: number): void {
  auditCaller(em, caller, { action: `payout_destination.${what}`, target: row.id }, now)
}

export const listDestinations = operation({
  ...reads,
  method: 'get',
  path: '/v1/payouts/destinations',
  summary: 'List the destinations for payouts, newest first, without deactivated ones',
  query: Type.Object({
    ...pageQuery,
    ...createdRange,
    status: Type.Optional(Type.Enum([...destinationStatuses])),
    currency: Type.Optional(sentCurrency({ maxLength: 10 })),
    type: Type.Optional(Type.Enum([...destinationTypes])),
  }),
  returns: [200, page(PayoutDestination)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const own = whereMatching(caller, query, { status: 'status', currency: 'currency', type: 'type' })
    const where = { ...own, deactivatedAt: null }
    const total = totalOf(em, own)
    const { rows, pagination } = await listPage({ em, services }, DestinationRow, where, query, undefined, total)
    return { items: rows.map(presentDestination), pagination }
  },
})

/** The total of a list, from what is kept of those that are not deactivated; undefined where it has to be counted. */
function totalOf(em: EntityManager, { createdAt, ...own }: Tenant & { createdAt?: Range }) {
  const { accountId, environment, ...sent } = own
  const owner = { accountId, environment }
  const tableName = 'payout_destinations'
  if (!createdAt) return isCounted(tableName, sent) ? countedRows(em, tableName, owner, sent) : undefined
  if (!hasCountedHours(tableName, sent)) return undefined
  return countInRange(em.fork(), DestinationRow, { ...owner, deactivatedAt: null }, { ...owner, tableName }, createdAt)
}

const DestinationId = Type.Object({ destination_id: idParameter('pd') })
const missing = () => new Refusal('NOT_FOUND', 'no such payout destination')

export const getDestination = operation({
  ...reads,
  method: 'get',
  path: '/v1/payouts/destinations/{destination_id}',
  summary: 'Read a destination, also a deactivated one',
  params: DestinationId,
  returns: [200, PayoutDestination],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const row = await em.findOne(DestinationRow, { id: params.destination_id, accountId, environment })
    if (!row) throw missing()
    return presentDestination(row)
  },
})

/** Locks the caller's own destination. Another account's destination is refused like one that does not exist. */
async function lockDestination(em: EntityManager, { accountId, environment }: Caller, destinationId: string) {
  const where = { id: destinationId, accountId, environment }
  const row = await em.findOne(DestinationRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!row) throw missing()
  return row
}

const ChangeDestination = Type.Object(
  { ...sentRouting, name: Type.Optional(Name), metadata: Type.Optional(ChangedMetadata) },
  { $id: 'ChangePayoutDestination' },
)

export const changeDestination = operation({
  ...writes,
  method: 'patch',
  path: '/v1/payouts/destinations/{destination_id}',
  summary: 'Change a destination; a new account, bank, wallet or number is reviewed again',
  params: DestinationId,
  body: ChangeDestination,
  validate: validateChange,
  returns: [200, PayoutDestination],
  refuses: ['NOT_FOUND', 'CONFLICT', 'CURRENCY_NOT_SUPPORTED', 'ACCOUNT_NOT_ACTIVATED'],

  async handle(call) {
    const { params, body, caller, em, now } = call
    if (body.is_default) await lockDefaults(em, caller)
    const row = await lockDestination(em, caller, params.destination_id)
    if (row.deactivatedAt) throw new Refusal('CONFLICT', 'the destination is deactivated')
    const metadata = mergeMetadata(row.metadata, body.metadata)
    const errors = validateMetadata(metadata)
    const isSentBack = statesRouting(body) && (await restate(call, row, errors))
    assertValid(errors)
    if (body.is_default !== undefined && !isSentBack) await setDefault(em, row, body.is_default, now)
    const { name = row.name } = body
    Object.assign(row, { name, metadata, updatedAt: new Date(now) })
    note(em, caller, isSentBack ? 'restated' : 'changed', row, now)
    return presentDestination(row)
  },
})

type Change = Pick<
  Call<undefined, undefined, typeof ChangeDestination>,
  'body' | 'caller' | 'em' | 'now' | 'services' | 'askOutside'
>

/** Applies the routing in the body to a destination. Returns true if the destination must be reviewed again. */
async function restate(call: Change, row: DestinationRow, errors: FieldError[]): Promise<boolean> {
  const { body, caller, em, now, services, askOutside } = call
  assertNotRejected(row)
  const before = { routing: routingOf(row), holderAtBank: row.holderAtBank }
  const stated = readSentRouting(body, before.routing, caller.environment, errors)
  // An update trusts its merchant: a name in the body is used as it is, and one that is left out stays.
  const statement = await resolveHolder({ em, caller, services, askOutside }, stated, stated.account_name, before)
  return restateDestination(em, row, statement, now)
}

function assertNotRejected({ status }: DestinationRow): void {
  if (status === 'rejected') throw new Refusal('CONFLICT', 'the destination was rejected: register a new one')
}

async function setDefault(em: EntityManager, row: DestinationRow, isDefault: boolean, now: number): Promise<void> {
  if (!isDefault) return void (row.isDefault = false)
  assertNotRejected(row)
  await makeDefault(em, row, now)
}

export const deleteDestination = operation({
  ...writes,
  method: 'delete',
  path: '/v1/payouts/destinations/{destination_id}',
  summary: 'Deactivate a destination: it can still be read, but nothing is paid out to it',
  params: DestinationId,
  returns: [200, Type.Object({ id: id('pd'), deleted: Type.Literal(true) }, { $id: 'DeletedPayoutDestination' })],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    const row = await lockDestination(em, caller, params.destination_id)
    if (!row.deactivatedAt) note(em, caller, 'deactivated', row, now)
    await deactivateDestination(em, row, now)
    return { id: row.id, deleted: true as const }
  },
})
