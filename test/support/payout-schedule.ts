import { inTransaction } from '../../db/database.ts'
import { post } from '../../db/ledger.ts'
import { PayoutDestination } from '../../db/payout-destination.ts'
import { scheduleId } from '../../db/payout-schedule.ts'
import type { Currency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { negate } from '../../domain/money.ts'
import type { Merchant } from './merchant.ts'
import type { Stack } from './stack.ts'

/** Somebody whose balances are paid out, in the sandbox. */
export type Payee = { accountId: string; merchant: Merchant }

export const idOf = ({ accountId }: Payee, currency: Currency): string =>
  scheduleId({ accountId, environment: 'sandbox' }, currency)

export type Schedule = Record<string, string | null>

/** Sends the schedule of a currency; answers how it is set. */
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

/** Money that becomes available to an account at a moment, as if the rail had taken it in. */
export async function credit(stack: Stack, { accountId }: Payee, currency: Currency, amount: string, from: number) {
  const now = await stack.clock.now()
  const postings = [
    { book: 'rail' as const, currency, amount: negate(amount) },
    { book: 'merchant' as const, currency, amount, availableAt: new Date(from) },
  ]
  const owner = { accountId, environment: 'sandbox' as const }
  await inTransaction(stack.database, (em) =>
    post(em, { kind: 'deposit', sourceId: newId('txn', now), owner, postings }, now),
  )
}

/** An approved bank account that is the default of its currency; the last four digits say what the sandbox does. */
export async function addDestination(stack: Stack, { accountId }: Payee, currency: Currency, lastFour = '0001') {
  const now = new Date(await stack.clock.now())
  const id = newId('pd', now.getTime())
  const em = stack.database.orm.em.fork()
  await em.insert(PayoutDestination, {
    ...{ id, accountId, environment: 'sandbox', name: 'Our bank', type: 'bank_account', currency, isDefault: true },
    ...{ status: 'approved', reviewedAt: now, accountNumber: `000000${lastFour}`, bankCode: '058', metadata: {} },
    ...{ statusReason: null, accountName: 'A Shop', bankName: null, scheme: currency === 'USD' ? 'ach' : null },
    ...{ phoneNumber: null, mobileProvider: null, walletAddress: null, network: null, deactivatedAt: null },
    ...{ createdAt: now, updatedAt: now },
  })
  return id
}

export type MadePayout = { id: string; status: string; amount: string; debited: string; at: Date }

/** The payouts that a schedule has opened, in their order. */
export const payoutsOf = (stack: Stack, payee: Payee, currency: Currency): Promise<MadePayout[]> =>
  stack.sql<MadePayout>(
    `select id, status, amount::numeric(20, 2)::text as amount, (source_amount + fee)::numeric(20, 2)::text as debited,
       created_at as at from payouts where schedule_id = ? order by created_at, id`,
    [idOf(payee, currency)],
  )
