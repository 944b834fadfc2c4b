import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { moment, type Tenant, tenant } from './columns.ts'
import { clockOf, type ClockTime, type EntityManager, goByClock, realTimeOfWriting } from './database.ts'
import { readRow } from './prepared-statement.ts'

const schema = defineEntity({
  name: 'TestClock',
  tableName: 'test_clocks',
  properties: {
    id: p.string().primary(),
    ...tenant,
    name: p.string().length(255),
    frozenTime: moment(),
    // Until when it is advancing; null while it stands still.
    target: moment().strictNullable(),
    // The last item of the timeline before the advance: what has come since is what the advance has caused.
    advancesAfter: p.bigint().strictNullable(),
    // The call that has advanced it last. A repeated call advances it no further.
    advancedBy: p.string().strictNullable(),
    // Where it stood before it was sent to its target; equal to the target where it only lets things settle.
    advancedFrom: moment().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [{ name: 'test_clocks_are_of_the_sandbox', expression: "environment = 'sandbox'" }],
  indexes: [
    { name: 'test_clocks_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'test_clocks_advancing', properties: ['createdAt'], where: 'target is not null' },
  ],
})
/** A time of their own for some resources of the sandbox. It stands still until it is advanced. */
export class TestClock extends schema.class {}
schema.setClass(TestClock)

/** A row that may be on a clock. */
export type OnClock = { clockId?: string | null | undefined }

/** The time of a row's clock, in milliseconds since the epoch; null where it lives by the real time. */
export async function clockTimeOf(em: EntityManager, { clockId }: OnClock): Promise<number | null> {
  const clock = clockId ? await em.findOne(TestClock, { id: clockId }) : null
  return clock?.frozenTime.getTime() ?? null
}

/**
 * The time by which a row lives, in milliseconds since the epoch: its clock's, or `at`. From then on the transaction
 * writes with that time, and what it makes joins the clock.
 */
export async function timeOf(em: EntityManager, row: OnClock, at: number): Promise<number> {
  const time = await clockTimeOf(em, row)
  if (time === null || !row.clockId) return at
  // A process gives the clock's time as `at`, so that a worker asks what the real time is.
  goByClock(em, { id: row.clockId, time }, (await realTimeOfWriting(em)) ?? at)
  return time
}

/** The clock of a row, where the transaction goes by another one or by the real time; null otherwise. */
export async function otherClockOf(em: EntityManager, { clockId }: OnClock): Promise<ClockTime | null> {
  const time = clockOf(em)?.id === clockId ? null : await clockTimeOf(em, { clockId })
  return clockId && time !== null ? { id: clockId, time } : null
}

/** The time for what a stranger does in an account, such as a visit to its payment link: that of the account. */
export async function timeOfAccount(em: EntityManager, { accountId, environment }: Tenant, at: number) {
  if (environment !== 'sandbox') return at
  const account = await readRow(em, Account, { id: accountId })
  return account ? timeOf(em, account, at) : at
}

/** A clock of this owner, or null. */
export const findClock = (em: EntityManager, id: string, { accountId, environment }: Tenant) =>
  em.findOne(TestClock, { id, accountId, environment })

/** Of the owner's clocks that are later than a moment, in milliseconds since the epoch, the latest; null: none is. */
export const furthestAhead = (em: EntityManager, { accountId, environment }: Tenant, at: number) =>
  em.findOne(
    TestClock,
    { accountId, environment, frozenTime: { $gt: new Date(at) } },
    { orderBy: { frozenTime: 'desc', id: 'desc' } },
  )
