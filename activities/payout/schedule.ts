import { isCapable } from '../../db/platform/capability.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { lockAvailable } from '../../db/ledger/available.ts'
import { openPayout } from '../../commands/payout/open-payout.ts'
import { Payout } from '../../db/payout/payout.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { PayoutSchedule } from '../../db/payout/schedule.ts'
import { disableSchedule } from '../../commands/payout/set-schedule.ts'
import { clockTimeOf, timeOf } from '../../db/core/test-clock.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { repeatableId } from '../../db/core/repeatable-id.ts'
import type { Currency } from '../../domain/currency.ts'
import { type Amount, format, isLess } from '../../domain/money.ts'
import { isPayoutEnded } from '../../domain/payout/payout.ts'
import { isUsable } from '../../domain/payout/destination.ts'
import { minimumOf, mostPayable } from '../../domain/payout/fee.ts'
import { type DisabledReason, nextRunAt, isWorthRun } from '../../domain/payout/schedule.ts'
import { isTransient, Refusal } from '../../domain/refusal.ts'
import { payoutCreated } from '../../schemas/payout/event.ts'
import type { Rails } from '../../rails/index.ts'
import type { Deps } from '../deps.ts'

/**
 * What is scheduled. `nextRunAt` is in milliseconds since the epoch; null: nothing is scheduled. `clockTime` is the
 * time of the schedule's test clock; null: the real time.
 */
export type ScheduleSnapshot = {
  status: string
  nextRunAt: number | null
  currency: Currency
  minimumAmount: Amount
  clockTime: number | null
}

/** The steps of the `payout-schedule` process. Each returns what is scheduled next. */
export const payoutScheduleActivities = ({ database, rails }: Deps) => ({
  readSchedule: async (id: string): Promise<ScheduleSnapshot> => {
    const em = database.orm.em.fork()
    return snapshotOf(em, await em.findOneOrFail(PayoutSchedule, { id }))
  },

  /**
   * Makes the run that was planned for `dueAt`. Safe to repeat: a run that was made, or is no longer scheduled, is not
   * made again.
   */
  runSchedule: (id: string, dueAt: number, asked: number): Promise<ScheduleSnapshot> => {
    const makeRun = (pay: Pay | null) =>
      inTransaction(database, async (em) => {
        const schedule = await lock(em, PayoutSchedule, id)
        const at = await timeOf(em, schedule, asked)
        if (schedule.nextRunAt?.getTime() === dueAt && dueAt <= at) await run(em, schedule, { pay, rails, dueAt }, at)
        return snapshotOf(em, schedule)
      })
    return makeRun(payAllAvailable).catch((error: unknown) => {
      // A final refusal, such as of a destination that is being switched off at this moment: the next run checks again.
      if (error instanceof Refusal && !isTransient(error.code)) return makeRun(null)
      throw error
    })
  },
})

async function snapshotOf(em: EntityManager, schedule: PayoutSchedule): Promise<ScheduleSnapshot> {
  const { interval, nextRunAt: next, currency, minimumAmount, disabledReason } = schedule
  const status = disabledReason ?? (interval === 'manual' ? 'manual' : 'active')
  const minimum = format(minimumAmount, currency)
  const clockTime = await clockTimeOf(em, schedule)
  return { status, nextRunAt: next?.getTime() ?? null, currency, minimumAmount: minimum, clockTime }
}

/** When a run was planned for and when it is made, in milliseconds since the epoch. */
type Moments = { dueAt: number; at: number }

type Pay = (em: EntityManager, schedule: PayoutSchedule, target: PayoutDestination, moments: Moments) => Promise<void>

/** One run of a locked schedule. Several runs that were missed while no worker ran are made up for by one run. */
async function run(
  em: EntityManager,
  schedule: PayoutSchedule,
  { pay, rails, dueAt }: { pay: Pay | null; rails: Rails; dueAt: number },
  at: number,
): Promise<void> {
  const next = nextRunAt(schedule, at)
  Object.assign(schedule, { lastRunAt: new Date(at), nextRunAt: next && new Date(next), updatedAt: new Date(at) })
  const target = await targetOf(em, schedule)
  if (typeof target === 'string') return disableSchedule(schedule, target, at)
  // A worker whose provider is not configured makes no payouts. The account cannot mend that, so its schedule goes on.
  const isPaidOut = rails.in(schedule.environment).paysOut.includes(schedule.currency)
  if (isPaidOut && !(await isUnderWay(em, schedule.lastWithdrawalId))) await pay?.(em, schedule, target, { dueAt, at })
}

/**
 * Opens a payout of all available money, less the fee. Opens none where that is below the minimum of the merchant or
 * the rail.
 */
const payAllAvailable: Pay = async (em, schedule, target, { dueAt, at }) => {
  const sourceCurrency = schedule.currency
  const available = await lockAvailable(em, schedule, sourceCurrency, at)
  const amount = mostPayable({ ...target, sourceCurrency }, available)
  if (!isWorthRun(available, schedule.minimumAmount) || isLess(amount, minimumOf(target))) return
  const purpose = `payout of ${schedule.id} ${new Date(dueAt).toISOString()}`
  const id = await repeatableId(em, 'payouts', { purpose, dueAt })
  const request = { ...noExtras, id, scheduleId: schedule.id, sourceCurrency, amount, destinationId: target.id }
  const payout = await openPayout(em, schedule, request, at)
  schedule.lastWithdrawalId = payout.id
  await recordEvent(em, payout, { type: 'payout.created', resourceId: payout.id, data: payoutCreated(payout) }, at)
}

/** The parts of a request that a payout of a schedule has none of. */
const noExtras = { quoteId: null, reference: null, description: null, metadata: {}, simulatedOutcome: null }

/** The destination that the schedule pays out to, or the reason why it cannot be paid to. */
async function targetOf(em: EntityManager, schedule: PayoutSchedule): Promise<PayoutDestination | DisabledReason> {
  const { accountId, environment, currency } = schedule
  if (!(await isCapable(em, schedule, 'payouts'))) return 'account_restricted'
  const target = await em.findOne(PayoutDestination, { accountId, environment, currency, isDefault: true })
  if (!target) return 'no_default_destination'
  return isUsable(target) ? target : 'destination_not_usable'
}

async function isUnderWay(em: EntityManager, payoutId: string | null): Promise<boolean> {
  const payout = payoutId === null ? null : await em.findOne(Payout, { id: payoutId })
  return payout !== null && !isPayoutEnded(payout.status)
}

/** The types of the activities, for the process that calls them. */
export type PayoutScheduleActivities = ReturnType<typeof payoutScheduleActivities>
