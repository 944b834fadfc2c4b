import { setTimeout } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import {
  attach,
  type MemberKey,
  memberKeys,
  releaseMembers,
  tellMembers,
  timeSubscriptions,
} from '../../commands/sandbox/test-clock.ts'
import { organizationOf } from '../../db/core/account.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { findClock, TestClock as ClockRow } from '../../db/core/test-clock.ts'
import { allOnClock } from '../../db/sight/clock-waits.ts'
import { lastItem, readHappenings } from '../../db/sight/happenings.ts'
import { addDuration, durationPattern } from '../../domain/duration.ts'
import { newId } from '../../domain/id.ts'
import { type FieldError, invalid, Refusal } from '../../domain/refusal.ts'
import { aboutClock } from '../../domain/sandbox/process.ts'
import { idParameter, Moment, page, pageQuery, singleLine } from '../../schemas/common.ts'
import {
  AdvancedClock,
  DeletedClock,
  presentClock,
  presentHappening,
  TestClock,
} from '../../schemas/sandbox/test-clock.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'
import { type Caller, operation } from '../http/operation.ts'
import { freshMs } from '../http/remembering.ts'
import type { Services } from '../http/services.ts'
import { listPage } from '../http/pagination.ts'
import { removeReceiver } from './scenario-receiver.ts'

const shared = { tag: 'Test clocks', auth: ['apiKey'], scope: 'test_helpers:write' } as const
const path = '/v1/test-helpers/clocks'
const onOne = { ...shared, params: Type.Object({ clock_id: idParameter('clk') }) }

/** The caller's clock; with a lock, so that an advance and a change of its members come one after the other. */
async function ownClock(em: EntityManager, caller: Caller, id: string, locked = false): Promise<ClockRow> {
  assertSandbox(caller)
  const clock = await findClock(em, id, caller)
  if (!clock) throw new Refusal('NOT_FOUND', 'no such test clock')
  return locked ? lock(em, ClockRow, id) : clock
}

/** The times of ids and of processes are counted from 1970 on. */
export function validateFrozenTime({ frozen_time: time }: { frozen_time?: unknown }): FieldError[] {
  if (typeof time !== 'string' || !(Date.parse(time) < 0)) return []
  return [{ field: 'frozen_time', message: 'must not be before 1970-01-01T00:00:00Z', type: 'value_error.range' }]
}

export const createClock = operation({
  ...shared,
  method: 'post',
  path,
  summary: 'Make a test clock, which stands still until it is advanced',
  body: Type.Object(
    { name: singleLine(255, { minLength: 1 }), frozen_time: Type.Optional(Moment) },
    { $id: 'CreateTestClock' },
  ),
  validate: validateFrozenTime,
  returns: [201, TestClock],
  refuses: ['SIMULATION_NOT_ALLOWED'],

  async handle({ body, caller, em, now }) {
    assertSandbox(caller)
    const { name, frozen_time } = body
    return presentClock(makeClock(em, caller, { id: newId('clk', now), name, frozen_time, now }))
  },
})

export type NewClock = { id: string; name: string; frozen_time: string | undefined; now: number }

/** A clock of the caller that stands still. `now`, in milliseconds since the epoch, is its time if none is given. */
export function makeClock(em: EntityManager, { accountId, environment }: Caller, made: NewClock): ClockRow {
  const { id, name, frozen_time, now } = made
  return em.create(ClockRow, {
    accountId,
    environment,
    id,
    name,
    frozenTime: new Date(frozen_time ?? now),
    target: null,
    advancesAfter: null,
    advancedBy: null,
    advancedFrom: null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
  })
}

export const listClocks = operation({
  ...shared,
  method: 'get',
  path,
  summary: 'List test clocks, newest first',
  query: Type.Object(pageQuery),
  returns: [200, page(TestClock)],
  refuses: ['SIMULATION_NOT_ALLOWED'],

  async handle({ query, caller, em, services }) {
    assertSandbox(caller)
    const { accountId, environment } = caller
    const { rows, pagination } = await listPage({ em, services }, ClockRow, { accountId, environment }, query)
    return { items: rows.map(presentClock), pagination }
  },
})

export const getClock = operation({
  ...onOne,
  method: 'get',
  path: `${path}/{clock_id}`,
  summary: 'Read a test clock',
  returns: [200, TestClock],
  refuses: ['NOT_FOUND', 'SIMULATION_NOT_ALLOWED'],

  handle: async ({ params, caller, em }) => presentClock(await ownClock(em, caller, params.clock_id)),
})

export const deleteClock = operation({
  ...onOne,
  method: 'delete',
  path: `${path}/{clock_id}`,
  summary: 'Delete a test clock: its members go by the real time again',
  mode: 'process',
  returns: [200, DeletedClock],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, caller, now, services }) {
    const deleted = await inTransaction(services.database, async (em) => {
      const clock = await ownClock(em, caller, params.clock_id, true)
      assertReady(clock)
      await tellMembers(em, clock.id, await allOnClock(em, clock.id, clock.frozenTime.getTime()), null)
      await removeReceiver(em, clock.id, { caller, now })
      await releaseMembers(em, clock.id)
      em.remove(clock)
      return { ...presentClock(clock), deleted: true as const }
    })
    await setTimeout(freshMs) // from then on no API process goes by it
    return deleted
  },
})

/** Later than any wait, in milliseconds since the epoch. */
const endOfTime = Date.UTC(9999, 11, 31)

function assertReady({ target }: ClockRow): void {
  if (target) throw new Refusal('CONFLICT', `the clock is advancing to ${target.toISOString()}`)
}

const oneOrMore = Type.Union([
  Type.String({ maxLength: 64 }),
  Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 1_000 }),
])
const Attach = Type.Object(
  Object.fromEntries(memberKeys.map((key) => [key, Type.Optional(oneOrMore)])) as Record<
    MemberKey,
    ReturnType<typeof Type.Optional<typeof oneOrMore>>
  >,
  { $id: 'AttachToTestClock' },
)

export const attachToClock = operation({
  ...onOne,
  method: 'post',
  path: `${path}/{clock_id}/attach`,
  summary: 'Attach resources to a test clock, also while they wait for something',
  mode: 'process',
  body: Attach,
  validate: (body) => (memberKeys.some((key) => body[key] !== undefined) ? [] : [somebody]),
  returns: [200, TestClock],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body, caller, services }) {
    const attached = await inTransaction(services.database, async (em) => {
      const clock = await ownClock(em, caller, params.clock_id, true)
      assertReady(clock)
      for (const key of memberKeys) {
        for (const id of [body[key] ?? []].flat()) await attach(em, clock, key, id)
      }
      await timeSubscriptions(em, clock)
      return presentClock(clock)
    })
    if (body.account_id !== undefined) await setTimeout(freshMs) // from then on every API process knows of it
    return attached
  },
})

const somebody: FieldError = { field: 'checkout_id', message: 'or another member is required', type: 'value_error' }

const Advance = Type.Object(
  {
    to: Type.Optional(Moment),
    by: Type.Optional(Type.String({ maxLength: 50, pattern: durationPattern, examples: ['P1M', 'PT72H'] })),
  },
  { $id: 'AdvanceTestClock' },
)

export const advanceClock = operation({
  ...onOne,
  method: 'post',
  path: `${path}/{clock_id}/advance`,
  summary: 'Advance a test clock, and list what has happened on the way',
  mode: 'process',
  body: Advance,
  validate: ({ to, by }) => ((to === undefined) === (by === undefined) ? [eitherOr] : []),
  returns: [200, AdvancedClock],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body, caller, callId, isRepeat, services }) {
    const from = await inTransaction(services.database, async (em) => {
      const clock = await ownClock(em, caller, params.clock_id, true)
      // Ids of calls sort by time. A clock knows its last advance only, and can never go back.
      if (isRepeat && clock.advancedBy !== null && clock.advancedBy > callId)
        throw new Refusal('CONFLICT', 'the clock has been advanced by another call meanwhile: read it first')
      if (clock.advancedBy !== callId) await begin(em, clock, body, callId)
      return clock.advancedFrom ?? clock.frozenTime
    })
    const row = await untilReady(services, params.clock_id)
    const span = { afterItem: row.advancesAfter ?? 0n, from, to: row.frozenTime }
    const happened = await readHappenings(services.database.orm.em.fork(), row.id, span)
    return { ...presentClock(row), happened: happened.map(presentHappening) }
  },
})

const eitherOr: FieldError = { field: 'to', message: 'send either to or by', type: 'value_error' }

/** Notes where the clock is to go, by which call, and starts or signals its process. */
async function begin(
  em: EntityManager,
  clock: ClockRow,
  { to, by }: Static<typeof Advance>,
  callId: string,
): Promise<void> {
  assertReady(clock)
  if ((await countAdvancing(em, clock)) >= advancingMax) throw new TooManyAdvance()
  const time = clock.frozenTime.getTime()
  const target = (by === undefined ? Date.parse(to ?? '') : addDuration(time, by)) ?? Infinity
  if (target > endOfTime) throw invalid(by ? 'by' : 'to', 'leads beyond the year 9999', 'value_error.range')
  if (target <= time)
    throw new Refusal('CONFLICT', `the clock can only be advanced, from ${clock.frozenTime.toISOString()}`)
  clock.advancedBy = callId
  await send(em, clock, new Date(target))
}

/** Refuses an advance while other clocks of the organization have all the places. */
export class TooManyAdvance extends Refusal {
  constructor() {
    super('CONFLICT', `${advancingMax} clocks are advancing already`)
  }
}

/**
 * The clocks that advance, of an account's organization and all its connected accounts. One that lets things settle,
 * and stays where it is, does not. Until the transaction ends, the others that count them wait.
 */
async function countAdvancing(em: EntityManager, { accountId }: ClockRow): Promise<number> {
  const organization = await organizationOf(em, accountId)
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`advances/${organization}`])
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from test_clocks c join accounts a on a.id = c.account_id
     where coalesce(a.owner_id, a.id) = ? and c.target is not null and c.target > c.advanced_from`,
    [organization],
  )
  return row?.count ?? 0
}

/** Sends a clock on its way. */
async function send(em: EntityManager, clock: ClockRow, target: Date): Promise<void> {
  Object.assign(clock, { target, advancedFrom: clock.frozenTime, advancesAfter: await lastItem(em) })
  signalProcess(em, 'clock', clock.id, aboutClock(clock), 'advance')
}

/** Waits until everything has been done that is due at the clock's time, which stays. Returns the clock. */
export async function settleClock(services: Services, caller: Caller, id: string): Promise<ClockRow> {
  await inTransaction(services.database, async (em) => {
    const clock = await ownClock(em, caller, id, true)
    assertReady(clock)
    await send(em, clock, clock.frozenTime)
  })
  return untilReady(services, id)
}

/** Waits until a clock stands still, at most for a while. Returns it as it is then, unless it is deleted by then. */
async function untilReady({ database }: Services, id: string): Promise<ClockRow> {
  for (const begun = performance.now(); ; await setTimeout(lookMs)) {
    const row = await database.orm.em.fork().findOne(ClockRow, { id })
    if (!row) throw new Refusal('NOT_FOUND', 'no such test clock')
    if (!row.target || performance.now() - begun >= patienceMs) return row
  }
}

/** Clocks of an organization that advance at a time: each holds a place of a worker. */
const advancingMax = 3
/** How long a call waits for its clock to arrive, in milliseconds. */
const patienceMs = 50_000
/** The pause between two looks at the clock, in milliseconds. */
const lookMs = 20
