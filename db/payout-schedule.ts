import { defineEntity, LockMode, p } from '@mikro-orm/core'
import type { Currency } from '../domain/currency.ts'
import {
  type DisabledReason,
  disabledReasons,
  failuresMax,
  nextRunAt,
  payoutIntervals,
  type Rhythm,
  type Weekday,
} from '../domain/payout-schedule.ts'
import { Account } from './account.ts'
import { moment, money, type Tenant, tenant } from './columns.ts'
import { type EntityManager, lock } from './database.ts'
import type { Payout } from './payout.ts'
import { signalProcess } from './start-process.ts'

const schema = defineEntity({
  name: 'PayoutSchedule',
  tableName: 'payout_schedules',
  properties: {
    // Account, environment and currency, in the words that name its process too.
    id: p.string().primary(),
    ...tenant,
    currency: p.string().length(10),
    interval: p.enum(payoutIntervals),
    weeklyPayoutDays: p.array((day) => day as Weekday),
    monthlyPayoutDays: p.array(Number, String).columnType('smallint[]'),
    anchorHourUtc: p.smallint().check('anchor_hour_utc between 0 and 23'),
    minimumAmount: money().check("minimum_amount >= 0 and minimum_amount <> 'NaN'"),
    // Null while nothing is planned: it is run by hand, or has stopped.
    nextRunAt: moment().strictNullable(),
    lastRunAt: moment().strictNullable(),
    // The last payout that it has opened; there is no other while that one is under way.
    lastWithdrawalId: p.string().strictNullable(),
    disabledReason: p.enum(disabledReasons).strictNullable(),
    // How many of its payouts in a row have not arrived.
    consecutiveFailures: p.smallint().default(0).check(`consecutive_failures between 0 and ${failuresMax}`),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'payout_schedules_id', expression: "id = account_id || '/' || environment || '/' || currency" },
    {
      name: 'payout_schedules_are_planned',
      expression: "(next_run_at is null) = (interval = 'manual' or disabled_reason is not null)",
    },
    {
      name: 'payout_schedules_have_the_days_of_their_interval',
      expression: `(cardinality(weekly_payout_days) > 0) = (interval = 'weekly')
        and (cardinality(monthly_payout_days) > 0) = (interval = 'monthly')`.replaceAll(/\s+/g, ' '),
    },
  ],
})
/** When an account's balance of one currency is paid out by itself. */
export class PayoutSchedule extends schema.class {}
schema.setClass(PayoutSchedule)

/** What a merchant decides about a schedule. */
export type ScheduleTerms = Pick<
  PayoutSchedule,
  'interval' | 'weeklyPayoutDays' | 'monthlyPayoutDays' | 'anchorHourUtc' | 'minimumAmount'
>

export const scheduleId = ({ accountId, environment }: Tenant, currency: Currency): string =>
  `${accountId}/${environment}/${currency}`

/** The schedules of an account, in the order of their currencies. */
export const schedulesOf = (em: EntityManager, { accountId, environment }: Tenant): Promise<PayoutSchedule[]> =>
  em.find(PayoutSchedule, { accountId, environment }, { orderBy: { currency: 'asc' } })

/**
 * Makes a schedule, or replaces it in full; it forgets what had stopped it, and keeps what it has done. The lock of the
 * account keeps two first writers apart. `at` is in milliseconds since the epoch.
 */
export async function setSchedule(
  em: EntityManager,
  { accountId, environment }: Tenant,
  currency: Currency,
  terms: ScheduleTerms,
  at: number,
): Promise<void> {
  await lock(em, Account, accountId)
  const id = scheduleId({ accountId, environment }, currency)
  const known = await em.findOne(PayoutSchedule, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const schedule =
    known ?? em.create(PayoutSchedule, { ...{ id, accountId, environment, currency }, ...fresh(terms, at) })
  const wasPlanned = schedule.nextRunAt
  const nextRunAt = firstRun(terms, wasPlanned, at)
  Object.assign(schedule, { ...terms, ...unfailing, nextRunAt, updatedAt: new Date(at) })
  if (wasPlanned !== null || nextRunAt !== null) tellSchedule(em, schedule)
}

const unfailing = { disabledReason: null, consecutiveFailures: 0 }

/** A schedule that has not done anything yet. */
const fresh = (terms: ScheduleTerms, at: number) => ({
  ...{ ...terms, ...unfailing, nextRunAt: null, lastRunAt: null, lastWithdrawalId: null },
  ...{ createdAt: new Date(at), updatedAt: new Date(at) },
})

/** A run that is due and was not made yet stays due, if the new terms have it too; else the first one from now on. */
function firstRun(terms: Rhythm, planned: Date | null, at: number): Date | null {
  const due = planned?.getTime() ?? Infinity
  const next = nextRunAt(terms, due <= at && nextRunAt(terms, due - 1) === due ? due - 1 : at)
  return next === null ? null : new Date(next)
}

/** Promises that the schedule's process hears of a change, and is started should it not run. */
function tellSchedule(em: EntityManager, { id, accountId, environment, currency }: PayoutSchedule): void {
  const summary = `Pays out ${currency} to its default destination`
  const about = { accountId, environment, status: 'active', waitingOn: 'next run', summary }
  signalProcess(em, 'payout-schedule', id, about, { name: 'changed', args: [] })
}

/** Stops a locked schedule, until its merchant sends it again. */
export function disableSchedule(schedule: PayoutSchedule, disabledReason: DisabledReason, at: number): void {
  Object.assign(schedule, { disabledReason, nextRunAt: null, updatedAt: new Date(at) })
}

/**
 * Counts how a payout has ended, where a schedule has opened it: some in a row that did not arrive stop the schedule.
 * Called once for each end, in its transaction.
 */
export async function hearPayoutEnd(em: EntityManager, { scheduleId: id, status }: Payout, at: number): Promise<void> {
  if (id === null) return
  const schedule = await lock(em, PayoutSchedule, id)
  const failures = status === 'completed' ? 0 : Math.min(schedule.consecutiveFailures + 1, failuresMax)
  schedule.consecutiveFailures = failures
  if (failures < failuresMax || schedule.nextRunAt === null) return
  disableSchedule(schedule, 'consecutive_failures', at)
  tellSchedule(em, schedule)
}
