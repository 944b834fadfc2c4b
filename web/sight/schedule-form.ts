import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { Currency } from '../../domain/currency.ts'
import { amountError, format } from '../../domain/money.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { paidOutCurrencies } from '../../domain/payout/routing.ts'
import { payoutIntervals, type Weekday, weekdays } from '../../domain/payout/schedule.ts'
import type { BalanceSettings, PayoutSchedule } from '../../schemas/payout/schedule.ts'
import type { Answer, Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { typedText } from '../form.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { amountWords } from '../words.ts'
import { saidOf, saidOfField } from './api-words.ts'
import { forbidden, isDecimal, isUnread, mayDo, missing, refusedForm } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import { notSaved } from './edit-form.ts'
import { hourName, intervalNames, weekdayNames } from './schedule-words.ts'
import { readTypedAmount } from './typed-amount.ts'

/** The texts of the form: the days of a week as `monday, thursday`, those of a month as `1, 15`. */
type Typed = Record<'interval' | 'weekly' | 'monthly' | 'hour' | 'minimum', string>

type Schedule = Static<typeof PayoutSchedule>

/** A currency and its schedule as it is now. */
type Opened = { currency: Currency; schedule: Schedule | null }

const noSchedule: Typed = { interval: 'manual', weekly: '', monthly: '', hour: '0', minimum: '' }

/** A schedule as the form shows it. It has no days of another interval. */
const typedOf = (schedule: Schedule | null): Typed =>
  schedule === null
    ? noSchedule
    : {
        interval: schedule.interval,
        weekly: joinedWeekdays(schedule.weekly_payout_days),
        monthly: schedule.monthly_payout_days?.join(', ') ?? '',
        hour: String(schedule.anchor_hour_utc),
        minimum: /[1-9]/.test(schedule.minimum_amount) ? schedule.minimum_amount : '',
      }

/** What was sent, in the form of what is shown, so that the same schedule has the same texts. */
function typedIn(form: URLSearchParams, currency: Currency): Typed {
  const monthly = typedText(form, 'monthly')
  const minimum = readTypedAmount(typedText(form, 'minimum'), currency)
  const isWhole = isDecimal(minimum) && amountError(minimum, currency) === null
  return {
    interval: typedText(form, 'interval'),
    weekly: joinedWeekdays(form.getAll('weekly')),
    monthly: daysIn(monthly).every(isDay) ? joinedDays(monthly) : monthly,
    hour: typedText(form, 'hour'),
    minimum: isWhole ? format(minimum, currency) : minimum,
  }
}

const joinedWeekdays = (days: readonly string[]): string => weekdays.filter((day) => days.includes(day)).join(', ')

const weekdaysIn = (text: string): Weekday[] => weekdays.filter((day) => text.split(', ').includes(day))

const daysIn = (text: string): string[] => text.split(/[\s,]+/).filter((day) => day !== '')

const isDay = (day: string): boolean => /^\d{1,2}$/.test(day) && Number(day) >= 1 && Number(day) <= 31

const joinedDays = (text: string): string =>
  [...new Set(daysIn(text).map(Number))].toSorted((one, other) => one - other).join(', ')

/** The parts of one choice: days of the week and of the month mean something only with their interval. */
const days = ['interval', 'weekly', 'monthly'] as const

/** The words for the texts of a schedule that are codes. */
const words = {
  interval: (text: string) => (isOneOf(payoutIntervals, text) ? intervalNames[text] : text),
  weekly: (text: string) =>
    weekdaysIn(text)
      .map((day) => weekdayNames[day])
      .join(', '),
  hour: (text: string) => hourName(Number(text)),
}

/** `/dashboard/schedule/{currency}`: when the balance of a currency is paid out by itself. */
export function addScheduleForm(site: Site, folder: string): void {
  const { home, sessions, read, submit, show } = site
  const path = `${folder.slice(home.length)}/:currency`

  /** The currency of the address and its schedule, for somebody who may set it. */
  async function readToSet(ctx: Context): Promise<Answer<Opened>> {
    const settings = await sessions.call<Static<typeof BalanceSettings>>(ctx, 'GET', '/v1/balance_settings')
    if (!settings.ok) return settings
    const { currency } = ctx['params'] as { currency: string }
    if (!isOneOf(paidOutCurrencies, currency)) return { ok: false, refused: missing }
    if (!mayDo(site, ctx, 'payouts:write')) return { ok: false, refused: forbidden }
    return { ok: true, body: { currency, schedule: settings.body.schedule_by_currency[currency] ?? null } }
  }

  function showForm(
    ctx: Context,
    { currency, schedule }: Opened,
    typed: Typed,
    result: Partial<FormResult> = {},
  ): void {
    const data = {
      isSignedIn: true,
      at: '/schedule',
      folder,
      path: `${folder}/${currency}`,
      currency,
      opened: openedWith(typedOf(schedule)),
      typed: { ...typed, weekly: weekdaysIn(typed.weekly) },
      intervals: Object.entries(intervalNames),
      weekdays: Object.entries(weekdayNames),
      hours: Array.from({ length: 24 }, (_, hour) => ({ code: String(hour), name: hourName(hour) })),
    }
    show(ctx, pageOf('dashboard/schedule-form', 'Payout schedule', { ...data, ...result }, result.status ?? 200))
  }

  read(path, async (ctx) => {
    const answer = await readToSet(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    showForm(ctx, answer.body, typedOf(answer.body.schedule))
  })

  submit(path, async (ctx, form) => {
    const answer = await readToSet(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const { currency, schedule } = answer.body
    const { typed, errors: clashes } = editsOf(form, typedIn(form, currency), typedOf(schedule), words, days)
    const wrong = errorsIn(typed, currency)
    const errors = { ...clashes, ...wrong }
    const status = Object.keys(wrong).length > 0 ? 422 : 409
    if (Object.keys(errors).length > 0)
      return showForm(ctx, answer.body, typed, notSaved({ errors, problem: null, status }))
    const body = { schedule_by_currency: { [currency]: scheduleOf(typed) } }
    const saved = await sessions.call(ctx, 'POST', '/v1/balance_settings', body)
    if (saved.ok) return goTo(ctx, `${folder}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    showForm(ctx, answer.body, typed, wordSchedule(saved.refused, currency))
  })
}

/** What can be said before the API is asked: what the form has to turn into numbers. The API checks all the rest. */
function errorsIn({ interval, monthly, hour, minimum }: Typed, currency: Currency): InputErrors {
  const bounds = { currency, minimum_amount: null, maximum_amount: null }
  return {
    ...(!isOneOf(payoutIntervals, interval) && { interval: 'Choose one of these.' }),
    ...(interval === 'monthly' && !daysIn(monthly).every(isDay) && { monthly: monthlyWords }),
    ...(!/^([01]?\d|2[0-3])$/.test(hour) && { hour: 'Choose one of these.' }),
    ...(minimum !== '' && !isDecimal(minimum) && { minimum: amountWords(bounds, minimum) }),
  }
}

const monthlyWords = 'Enter days from 1 to 31, such as 1, 15.'

/** The schedule as the API takes it. Days of another interval are left out, as no payout would happen on them. */
const scheduleOf = ({ interval, weekly, monthly, hour, minimum }: Typed) => ({
  interval,
  weekly_payout_days: interval === 'weekly' ? weekdaysIn(weekly) : [],
  monthly_payout_days: interval === 'monthly' ? daysIn(monthly).slice(0, 31).map(Number) : [],
  anchor_hour_utc: Number(hour),
  minimum_amount: minimum || '0',
})

/** Why the API has refused a schedule, for people. */
function wordSchedule(refused: Refused, currency: string): FormResult {
  const at = (name: string) => `schedule_by_currency.${currency}.${name}`
  return refusedForm(
    refused,
    {
      [at('weekly_payout_days')]: ['weekly', 'Choose at least one day.'],
      [at('monthly_payout_days')]: ['monthly', monthlyWords],
      [at('minimum_amount')]: ['minimum', saidOfField(refused, at('minimum_amount'), 'The amount')],
    },
    { ACCOUNT_NOT_ACTIVATED: saidOf(refused) },
  )
}
