import Type, { type Static } from 'typebox'
import type { ScheduleTerms } from '../../db/payout/schedule.ts'
import { intervalsOf, schedulesOf, setSchedule } from '../../commands/payout/set-schedule.ts'
import type { Currency } from '../../domain/currency.ts'
import { amountError, format } from '../../domain/money.ts'
import { paidOutCurrencies } from '../../domain/payout/routing.ts'
import { weekdays } from '../../domain/payout/schedule.ts'
import { type FieldError, mustBeOneOf } from '../../domain/refusal.ts'
import { Money, nullable } from '../../schemas/common.ts'
import {
  BalanceSettings,
  Hour,
  MonthDay,
  PayoutInterval,
  presentBalanceSettings,
  Weekday,
} from '../../schemas/payout/schedule.ts'
import { operation } from '../http/operation.ts'
import { notPaidOut } from './payout.ts'
import { fieldsOf } from '../../domain/narrow.ts'

const shared = { path: '/v1/balance_settings', tag: 'Payouts', auth: ['apiKey'] } as const

const SetSchedule = Type.Object({
  interval: PayoutInterval,
  weekly_payout_days: Type.Optional(Type.Array(Weekday, { maxItems: 7, description: 'Needed for `weekly`.' })),
  monthly_payout_days: Type.Optional(
    nullable(Type.Array(MonthDay, { maxItems: 31, description: 'Needed for `monthly`; clamped to its last day.' })),
  ),
  anchor_hour_utc: Type.Optional(Type.Integer({ ...Hour, default: 0 })),
  minimum_amount: Type.Optional(Money),
})

const SetBalanceSettings = Type.Object(
  {
    schedule_by_currency: Type.Record(Type.String(), SetSchedule, {
      propertyNames: { format: 'currency' },
      description: 'By the currency of the balance. A currency in it is replaced as a whole, the others stay.',
    }),
  },
  { $id: 'SetBalanceSettings' },
)

export const setBalanceSettings = operation({
  ...shared,
  method: 'post',
  summary: 'Set the payout schedules; the schedule of each named currency is replaced as a whole',
  scope: 'payouts:write',
  body: SetBalanceSettings,
  validate: ({ schedule_by_currency: map }) => Object.entries(fieldsOf(map)).flatMap(validateEntry),
  returns: [200, BalanceSettings],
  refuses: ['NOT_FOUND', 'ACCOUNT_NOT_ACTIVATED'],

  async handle({ body, caller, em, now, services }) {
    const { paysOut } = services.rails.in(caller.environment)
    const known = await intervalsOf(em, caller)
    for (const [name, sent] of Object.entries(body.schedule_by_currency)) {
      const currency = paidOutNamed(name)
      if (!currency) throw new Error('a checked body names only currencies that are paid out')
      const begins = sent.interval !== 'manual' && (known.get(currency) ?? 'manual') === 'manual'
      if (begins && !paysOut.includes(currency)) throw notPaidOut(currency)
      await setSchedule(em, caller, currency, termsOf(currency, sent), now)
    }
    await em.flush()
    return presentBalanceSettings(await schedulesOf(em, caller))
  },
})

export const getBalanceSettings = operation({
  ...shared,
  method: 'get',
  summary: 'Read the payout schedules',
  scope: 'payouts:read',
  returns: [200, BalanceSettings],
  refuses: ['NOT_FOUND'],

  handle: async ({ caller, em }) => presentBalanceSettings(await schedulesOf(em, caller)),
})

/** A schedule as it is stored: each day once, in order. */
const termsOf = (currency: Currency, sent: Static<typeof SetSchedule>): ScheduleTerms => ({
  interval: sent.interval,
  weeklyPayoutDays: weekdays.filter((day) => sent.weekly_payout_days?.includes(day)),
  monthlyPayoutDays: [...new Set(sent.monthly_payout_days)].toSorted((one, two) => one - two),
  anchorHourUtc: sent.anchor_hour_utc ?? 0,
  minimumAmount: format(sent.minimum_amount ?? '0', currency),
})

const paidOutNamed = (name: string) => paidOutCurrencies.find((code) => code === name)

/** Checks that the schema cannot do: the currency, the amount in that currency, and the days of the interval. */
function validateEntry([currency, entry]: [string, unknown]): FieldError[] {
  const at = (name: string) => `schedule_by_currency.${currency}.${name}`
  const sent = fieldsOf(entry)
  const errors: FieldError[] = []
  const known = paidOutNamed(currency)
  if (!known) {
    errors.push({
      field: `schedule_by_currency.${currency}`,
      message: mustBeOneOf(paidOutCurrencies),
      type: 'value_error.enum',
    })
  } else if (typeof sent['minimum_amount'] === 'string') {
    const error = amountError(sent['minimum_amount'], known, at('minimum_amount'))
    if (error) errors.push(error)
  }
  for (const [interval, name] of [
    ['weekly', 'weekly_payout_days'],
    ['monthly', 'monthly_payout_days'],
  ] as const) {
    const error = daysError(sent['interval'] === interval, sent[name])
    if (error) errors.push({ field: at(name), ...error })
  }
  return errors
}

/** An interval needs its own days. Days of another interval are refused, as no payout would happen on them. */
function daysError(isOwn: boolean, days: unknown): Omit<FieldError, 'field'> | null {
  const hasDays = Array.isArray(days) && days.length > 0
  if (isOwn === hasDays) return null
  if (isOwn) return { message: 'needs at least one day for this interval', type: 'value_error.missing' }
  return { message: 'must be empty for another interval', type: 'value_error.range' }
}
