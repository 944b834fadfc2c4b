import { aboutSchedule } from '../../domain/payout/process.ts'
import { LockMode } from '@mikro-orm/core'
import type { Currency } from '../../domain/currency.ts'
import { type DisabledReason, failuresMax, nextRunAt, type ScheduleTiming } from '../../domain/payout/schedule.ts'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { timeOf, timeOfAccount } from '../../db/core/test-clock.ts'
import type { Payout } from '../../db/payout/payout.ts'
import { PayoutSchedule, type ScheduleTerms } from '../../db/payout/schedule.ts'
import { signalProcess } from '../../db/core/start-process.ts'

export const scheduleId = ({ accountId, environment }: Tenant, currency: Currency): string =>
  `${accountId}/${environment}/${currency}`

/** The schedules of an account, in the order of their currencies. */
export const schedulesOf = (em: EntityManager, { accountId, environment }: Tenant): Promise<PayoutSchedule[]> =>
  em.find(PayoutSchedule, { accountId, environment }, { orderBy: { currency: 'asc' } })

/**
 * The intervals of an owner's schedules before a call changes them, by currency. The rows are not managed:
 * `setSchedule` reads them again once they are locked, and of a managed row MikroORM would then keep what has become
 * null meanwhile.
 */
export async function intervalsOf(em: EntityManager, { accountId, environment }: Tenant) {
  const stored = await em.find(PayoutSchedule, { accountId, environment }, { disableIdentityMap: true })
  return new Map(stored.map(({ currency, interval }) => [currency, interval]))
}

/**
 * Makes a schedule, or replaces it in full. The reason why it was stopped is cleared, and its record of past runs is
 * kept. The lock of the account makes two first writers take turns. A known schedule goes by its test clock, a new one
 * by that of its account, as the balance does, and joins it. `asked` is in milliseconds since the epoch.
 */
export async function setSchedule(
  em: EntityManager,
  owner: Tenant,
  currency: Currency,
  terms: ScheduleTerms,
  asked: number,
): Promise<void> {
  const { accountId, environment } = owner
  await lock(em, Account, accountId)
  const id = scheduleId(owner, currency)
  const known = await em.findOne(PayoutSchedule, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const at = known ? await timeOf(em, known, asked) : await timeOfAccount(em, owner, asked)
  const schedule =
    known ??
    em.create(PayoutSchedule, {
      id,
      accountId,
      environment,
      currency,
      ...fresh(terms, at),
    })
  const previousRunAt = schedule.nextRunAt
  const nextRun = firstRun(terms, previousRunAt, at)
  Object.assign(schedule, { ...terms, ...unfailing, nextRunAt: nextRun, updatedAt: new Date(at) })
  if (previousRunAt !== null || nextRun !== null) signalSchedule(em, schedule)
}

const unfailing = { disabledReason: null, consecutiveFailures: 0 }

/** A new schedule, without any runs. */
const fresh = (terms: ScheduleTerms, at: number) => ({
  ...terms,
  ...unfailing,
  nextRunAt: null,
  lastRunAt: null,
  lastWithdrawalId: null,
  createdAt: new Date(at),
  updatedAt: new Date(at),
})

/**
 * The next run. A run that is due and was not made yet stays due, if the new terms have it too; otherwise the first one
 * from now on.
 */
function firstRun(terms: ScheduleTiming, nextRun: Date | null, at: number): Date | null {
  const due = nextRun?.getTime() ?? Infinity
  const next = nextRunAt(terms, due <= at && nextRunAt(terms, due - 1) === due ? due - 1 : at)
  return next === null ? null : new Date(next)
}

/** Signals a change to the schedule's process by way of the outbox, and starts the process if it does not run. */
function signalSchedule(em: EntityManager, schedule: PayoutSchedule): void {
  signalProcess(em, 'payout-schedule', schedule.id, aboutSchedule(schedule), 'changed')
}

/** Stops a locked schedule until the merchant sends it again. */
export function disableSchedule(schedule: PayoutSchedule, disabledReason: DisabledReason, at: number): void {
  Object.assign(schedule, { disabledReason, nextRunAt: null, updatedAt: new Date(at) })
}

/**
 * Counts the end of a payout that a schedule has opened: several failures in a row stop the schedule. Called once for
 * each end, in its transaction.
 */
export async function countPayoutEnd(em: EntityManager, { scheduleId: id, status }: Payout, at: number): Promise<void> {
  if (id === null) return
  const schedule = await lock(em, PayoutSchedule, id)
  const failures = status === 'completed' ? 0 : Math.min(schedule.consecutiveFailures + 1, failuresMax)
  schedule.consecutiveFailures = failures
  if (failures < failuresMax || schedule.nextRunAt === null) return
  disableSchedule(schedule, 'consecutive_failures', at)
  signalSchedule(em, schedule)
}
