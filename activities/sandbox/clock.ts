import { setTimeout } from 'node:timers/promises'
import { log } from '@temporalio/activity'
import { isPreventedByRefunds } from '../../commands/dispute/prevention.ts'
import { tellMembers } from '../../commands/sandbox/test-clock.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { TestClock } from '../../db/core/test-clock.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import type { Wait } from '../../db/sight/agenda.ts'
import { dueOnClock, nextOnClock } from '../../db/sight/clock-waits.ts'
import { processId } from '../../domain/processes.ts'
import type { Deps } from '../deps.ts'

/** The pause between two looks whether the members have done everything that is due, in milliseconds. */
const lookMs = 10
/** The same pause once a settling has taken `soonMs`. */
const seldomMs = 100
const soonMs = 500
/** Members that have not done what is due get the time again after this long, in milliseconds. */
const tellAgainMs = 1_000
/** After this long the clock goes on without them, as an outsider may never answer. */
const patienceMs = 20_000

/** The step of the `clock` process. */
export const clockActivities = ({ database, processView }: Deps) => {
  /** Waits until the members have done everything that is due at the clock's time. */
  async function settle({ id, frozenTime }: TestClock): Promise<void> {
    const time = frozenTime.getTime()
    const begun = performance.now()
    for (let timesTold = 0; ; await setTimeout(performance.now() - begun < soonMs ? lookMs : seldomMs)) {
      const em = database.orm.em.fork()
      const waits = await dueOnClock(em, id, time)
      const due = timesTold === 0 ? waits : await stillRunning(waits)
      if (due.length === 0 && !(await isUnderWay(em, id)) && !(await isPreventing(em, id))) return
      const waited = performance.now() - begun
      if (waited > patienceMs) return log.warn('a test clock goes on without some members', { members: due.length })
      if (due.length > 0 && waited >= timesTold * tellAgainMs) {
        timesTold += 1
        await inTransaction(database, (writing) => tellMembers(writing, id, due, time))
      }
    }
  }

  /** Leaves out sessions that no longer listen for late money: nothing but the end of their process tells of that. */
  async function stillRunning(waits: Wait[]): Promise<Wait[]> {
    const left: Wait[] = []
    for (const wait of waits) {
      const isListening = wait.reason === 'late_money_end'
      if (!isListening || (await processView.isRunning(processId('checkout', wait.id)))) left.push(wait)
    }
    return left
  }

  /** Sets the clock to its members' next deadline, or to its target. False once it is there. */
  async function step({ id, frozenTime }: TestClock): Promise<boolean> {
    const next = await nextOnClock(database.orm.em.fork(), id, frozenTime.getTime())
    return inTransaction(database, async (em) => {
      const clock = await lock(em, TestClock, id)
      const target = clock.target?.getTime()
      if (target === undefined) return false
      if (clock.frozenTime.getTime() >= target) {
        clock.target = null
        return false
      }
      // A step of a worker that was thought dead may have moved it meanwhile: then the next look decides.
      if (clock.frozenTime.getTime() === frozenTime.getTime())
        clock.frozenTime = new Date(Math.min(next ?? target, target))
      return true
    })
  }

  return {
    /**
     * Advances a clock to the target in its row: from one deadline of its members to the next, and at each lets
     * everything settle that is due. Cut off, it goes on from the time in the row.
     */
    advanceClock: async (id: string): Promise<void> => {
      for (;;) {
        const clock = await database.orm.em.fork().findOne(TestClock, { id })
        if (!clock) return
        await settle(clock)
        if (!(await step(clock))) return
      }
    },
  }
}

/**
 * Whether something that members have caused waits in the outbox, a payment of theirs is being ordered, or a
 * subscription of theirs has to charge, to send a mail or to take note of money.
 */
async function isUnderWay(em: EntityManager, clockId: string): Promise<boolean> {
  const [row] = await em.execute<{ waits: boolean }[]>(
    `select exists (select from outbox where about -> 'clock' ->> 'id' = ?)
       or exists (select from payments where clock_id = ? and status = 'processing' and poll_count = 0)
       or exists (select from subscriptions where clock_id = ? and charge_due_at is not null
         and payment_id is null)
       or exists (select from subscription_mails where clock_id = ? and sent_at is null)
       or exists (select from invoices where clock_id = ? and status = 'paid' and applied_at is null) as waits`,
    Array.from({ length: 5 }, () => clockId),
  )
  return row?.waits ?? false
}

/** Whether a refund in full has succeeded that prevents an announced dispute, and the dispute has not ended yet. */
async function isPreventing(em: EntityManager, clockId: string): Promise<boolean> {
  const announced = await em.find(Dispute, { clockId, status: 'early_warning' }, { fields: ['paymentId'] })
  if (announced.length === 0) return false
  const charges = await em.find(Payment, { id: { $in: announced.map(({ paymentId }) => paymentId) } })
  for (const charge of charges) if (await isPreventedByRefunds(em, charge)) return true
  return false
}

/** The types of the activities, for the process that calls them. */
export type ClockActivities = ReturnType<typeof clockActivities>
