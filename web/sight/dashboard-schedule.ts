import type { Context } from 'koa'
import type { Static } from 'typebox'
import { paidOutCurrencies } from '../../domain/payout/routing.ts'
import type { DisabledReason } from '../../domain/payout/schedule.ts'
import type { BalanceSettings, PayoutSchedule } from '../../schemas/payout/schedule.ts'
import type { Answer } from '../api.ts'
import { pageOf, type Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { mayDo, noticeIn } from './board-form.ts'
import { type Listed, showUnread } from './dashboard-lists.ts'
import type { ShownDestination } from './payout-words.ts'
import { addScheduleForm } from './schedule-form.ts'
import { rhythmOf } from './schedule-words.ts'

type Schedule = Static<typeof PayoutSchedule>

export const scheduleLink = { path: '/schedule', words: 'Schedule' }

/** `/dashboard/schedule`: when each balance is paid out by itself, and the form for each currency. */
export function addSchedulePages(site: Site): void {
  const { home, sessions, read, show } = site
  const folder = `${home}${scheduleLink.path}`
  addScheduleForm(site, folder)

  /** The default destinations of all currencies, which may be among the oldest ones. */
  async function readDefaults(ctx: Context): Promise<Answer<ShownDestination[]>> {
    const defaults: ShownDestination[] = []
    let place = ''
    for (let page = 1; page <= destinationPagesMax; page++) {
      const path = `/v1/payouts/destinations?limit=100${place}`
      const answer = await sessions.call<Listed<ShownDestination>>(ctx, 'GET', path)
      if (!answer.ok) return answer
      defaults.push(...answer.body.items.filter((each) => each.is_default))
      const { next_cursor: next } = answer.body.pagination
      if (next === null) break
      place = `&cursor=${encodeURIComponent(next)}`
    }
    return { ok: true, body: defaults }
  }

  read(scheduleLink.path, async (ctx: Context) => {
    const [settings, destinations] = await Promise.all([
      sessions.call<Static<typeof BalanceSettings>>(ctx, 'GET', '/v1/balance_settings'),
      readDefaults(ctx),
    ])
    if (!settings.ok) return showUnread(site, ctx, settings.refused)
    if (!destinations.ok) return showUnread(site, ctx, destinations.refused)
    const mayWrite = mayDo(site, ctx, 'payouts:write')
    const schedules = settings.body.schedule_by_currency
    const data = {
      isSignedIn: true,
      at: scheduleLink.path,
      rows: paidOutCurrencies.map((currency) => {
        const to = destinations.body.find((each) => each.currency === currency)
        return {
          title: currency,
          link: mayWrite ? `${folder}/${currency}` : null,
          to: to?.name ?? null,
          ...shownSchedule(schedules[currency] ?? null, home),
        }
      }),
      stopped: Object.values(schedules).flatMap(({ currency, disabled_reason: reason }) =>
        reason === null ? [] : [{ currency, words: disabledWords[reason] }],
      ),
      notice: noticeIn(ctx, { saved: 'The schedule is saved.' }),
    }
    show(ctx, pageOf('dashboard/schedules', 'Payout schedule', data))
  })
}

/** Of so many pages of destinations the defaults are looked for: the calls of a person are limited. */
const destinationPagesMax = 20

const disabledWords: Record<DisabledReason, string> = {
  no_default_destination: 'no destination of this currency is the default.',
  destination_not_usable: 'the default destination is not approved.',
  consecutive_failures: 'three payouts in a row have failed or were rejected.',
  account_restricted: 'the account may not pay out now.',
}

function shownSchedule(schedule: Schedule | null, home: string) {
  if (schedule === null) return { when: 'By hand', minimum: null, isStopped: false, next: null, last: null }
  const { currency, minimum_amount: minimum, disabled_reason: reason, last_withdrawal_id: last } = schedule
  return {
    when: rhythmOf(schedule),
    minimum: /[1-9]/.test(minimum) ? money(minimum, currency) : null,
    isStopped: reason !== null,
    next: timeOf(schedule.next_run_at),
    last: last && `${home}/payouts/${last}`,
  }
}
