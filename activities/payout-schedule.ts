import { AccountCapability } from '../db/capability.ts'
import { type EntityManager, inTransaction, lock } from '../db/database.ts'
import { lockedAvailable } from '../db/ledger.ts'
import { openPayout } from '../db/open-payout.ts'
import { Payout } from '../db/payout.ts'
import { PayoutDestination } from '../db/payout-destination.ts'
import { disableSchedule, PayoutSchedule } from '../db/payout-schedule.ts'
import { undecided } from '../domain/capability.ts'
import type { Currency } from '../domain/currency.ts'
import { type Amount, format, isLess } from '../domain/money.ts'
import { hasEnded } from '../domain/payout.ts'
import { isUsable } from '../domain/payout-destination.ts'
import { minimumOf, mostPayable } from '../domain/payout-fee.ts'
import { type DisabledReason, nextRunAt, reaches } from '../domain/payout-schedule.ts'
import type { Deps } from './deps.ts'

/** What is planned: nothing is where `nextRunAt` (milliseconds since the epoch) is null. */
export type Plan = { status: string; nextRunAt: number | null; currency: string; minimumAmount: Amount }

/** The steps of the `payout-schedule` process. Each answers what is planned next. */
export const payoutScheduleActivities = ({ database }: Deps) => ({
  readSchedule: async (id: string): Promise<Plan> =>
    planOf(await database.orm.em.fork().findOneOrFail(PayoutSchedule, { id })),

  /** Makes the run that was planned for `dueAt`. Safe to repeat: one that was made, or is planned no more, is left. */
  runSchedule: (id: string, dueAt: number, at: number): Promise<Plan> =>
    inTransaction(database, async (em) => {
      const schedule = await lock(em, PayoutSchedule, id)
      if (schedule.nextRunAt?.getTime() === dueAt && dueAt <= at) await run(em, schedule, at)
      return planOf(schedule)
    }),
})

function planOf({ interval, nextRunAt: next, currency, minimumAmount, disabledReason }: PayoutSchedule): Plan {
  const status = disabledReason ?? (interval === 'manual' ? 'manual' : 'active')
  const minimum = format(minimumAmount, currency as Currency)
  return { status, nextRunAt: next?.getTime() ?? null, currency, minimumAmount: minimum }
}

/** One run of a locked schedule: what was missed while nothing ran is made up for once. */
async function run(em: EntityManager, schedule: PayoutSchedule, at: number): Promise<void> {
  const next = nextRunAt(schedule, at)
  Object.assign(schedule, { lastRunAt: new Date(at), nextRunAt: next && new Date(next), updatedAt: new Date(at) })
  const target = await targetOf(em, schedule)
  if (typeof target === 'string') return disableSchedule(schedule, target, at)
  if (await isUnderWay(em, schedule.lastWithdrawalId)) return
  const amount = await amountOf(em, schedule, target, at)
  if (amount !== null) schedule.lastWithdrawalId = (await openPayout(em, target, amount, at)).id
}

/** Where the schedule pays out to, or why it cannot. */
async function targetOf(em: EntityManager, schedule: PayoutSchedule): Promise<PayoutDestination | DisabledReason> {
  const { accountId, environment, currency } = schedule
  const decided = await em.findOne(AccountCapability, { accountId, environment, capability: 'payouts' })
  if ((decided?.status ?? undecided(environment)) !== 'active') return 'account_restricted'
  const target = await em.findOne(PayoutDestination, { accountId, environment, currency, isDefault: true })
  if (!target) return 'no_default_destination'
  return isUsable(target) ? target : 'destination_not_usable'
}

async function isUnderWay(em: EntityManager, payoutId: string | null): Promise<boolean> {
  const payout = payoutId === null ? null : await em.findOne(Payout, { id: payoutId })
  return payout !== null && !hasEnded(payout.status)
}

/** All that is available, less the fee; null where that is too little for the merchant or the rail. */
async function amountOf(em: EntityManager, schedule: PayoutSchedule, target: PayoutDestination, at: number) {
  const sourceCurrency = schedule.currency as Currency
  const available = await lockedAvailable(em, schedule, sourceCurrency, at)
  if (!reaches(available, schedule.minimumAmount)) return null
  const amount = mostPayable({ ...target, sourceCurrency }, available)
  return isLess(amount, minimumOf(target)) ? null : amount
}

/** The types of the activities, for the process that calls them. */
export type PayoutScheduleActivities = ReturnType<typeof payoutScheduleActivities>
