import { inTransaction } from '../../db/core/database.ts'
import { post } from '../../db/ledger/ledger.ts'
import { PayoutSchedule } from '../../db/payout/schedule.ts'
import { scheduleId, setSchedule as setAnew } from '../../commands/payout/set-schedule.ts'
import type { Currency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { negate } from '../../domain/money.ts'
import type { Merchant } from './merchant.ts'
import { addDestination, lastFour } from './payout.ts'
import { changeDestination } from './rows.ts'
import type { Stack } from './stack.ts'

/** An account whose sandbox balances are paid out. */
export type Payee = { accountId: string; merchant: Merchant }

export const idOf = ({ accountId }: Payee, currency: Currency): string =>
  scheduleId({ accountId, environment: 'sandbox' }, currency)

type Schedule = Record<string, string | null>

/** Sends the schedule of a currency, and returns it as it is set. */
export async function setSchedule({ merchant }: Payee, currency: Currency, terms: object, headers = {}) {
  const body = { schedule_by_currency: { [currency]: terms } }
  return scheduleIn(await merchant.call('POST', '/v1/balance_settings', body, headers), currency)
}

export const getSchedule = async ({ merchant }: Payee, currency: Currency): Promise<Schedule> =>
  scheduleIn(await merchant.call('GET', '/v1/balance_settings'), currency)

function scheduleIn({ status, body, text }: Awaited<ReturnType<Merchant['call']>>, currency: Currency): Schedule {
  const schedule = (body['schedule_by_currency'] as unknown as Record<string, Schedule> | undefined)?.[currency]
  if (status !== 200 || !schedule) throw new Error(`${status}: ${text}`)
  return schedule
}

/** Credits an account with money that becomes available at a moment, as if a rail had received it. */
export async function credit(stack: Stack, { accountId }: Payee, currency: Currency, amount: string, from: number) {
  const now = await stack.clock.now()
  const postings = [
    { ledgerAccount: 'rail' as const, currency, amount: negate(amount) },
    { ledgerAccount: 'merchant' as const, currency, amount, availableAt: new Date(from) },
  ]
  const owner = { accountId, environment: 'sandbox' as const }
  await inTransaction(stack.database, (em) =>
    post(em, { kind: 'surplus', sourceId: newId('txn', now), owner, postings }, now),
  )
}

/** An approved bank account that is the default of its currency; `ends` says what the sandbox's bank does. */
export async function addDefault(stack: Stack, { accountId }: Payee, currency: Currency, ends = lastFour.completes) {
  const scheme = currency === 'USD' ? 'ach' : null
  const id = await addDestination(stack, { accountId, environment: 'sandbox' }, { currency, scheme, ends })
  await stack.sql('update payout_destinations set is_default = false where account_id = ? and currency = ?', [
    accountId,
    currency,
  ])
  await changeDestination(stack, id, { isDefault: true })
  return id
}

/** A payout of a schedule; `at` is when it was opened, in milliseconds since the epoch. */
export type MadePayout = { id: string; status: string; amount: string; debited: string; at: number }

/** The payouts that a schedule has made, in order. */
export const payoutsOf = (stack: Stack, payee: Payee, currency: Currency): Promise<MadePayout[]> =>
  stack.sql<MadePayout>(
    `select id, status, amount::numeric(20, 2)::text as amount, (source_amount + fee)::numeric(20, 2)::text as debited,
       (extract(epoch from created_at) * 1000)::float8 as at
     from payouts where schedule_id = ? order by created_at, id`,
    [idOf(payee, currency)],
  )

/** Stops every running schedule, as its merchant would. */
export async function stopAll(stack: Stack): Promise<void> {
  const now = await stack.clock.now()
  await inTransaction(stack.database, async (em) => {
    for (const schedule of await em.find(PayoutSchedule, { nextRunAt: { $ne: null } })) {
      const terms = { interval: 'manual' as const, weeklyPayoutDays: [], monthlyPayoutDays: [] }
      const { anchorHourUtc, minimumAmount, currency } = schedule
      await setAnew(em, schedule, currency, { ...terms, anchorHourUtc, minimumAmount }, now)
    }
  })
}
