import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { Balance } from '../../schemas/balance/balance.ts'
import type { Summary } from '../../schemas/checkout/summary.ts'
import type { BalanceSettings } from '../../schemas/payout/schedule.ts'
import type { WebhookEndpoint } from '../../schemas/webhook/endpoint.ts'
import type { Answer } from '../api.ts'
import { pageOf, type Site } from '../site.ts'
import { day, money, timeOf } from '../words.ts'
import { dailyChart } from './chart.ts'
import { type Listed, showUnread } from './dashboard-lists.ts'
import { corridorName, type ListedPayment, paymentRow } from './payment-words.ts'

type Summed = Static<typeof Summary>
type Counted = { pagination: { total: number } }
type Endpoint = Static<typeof WebhookEndpoint>

/** What the start page asks of the API. */
type Read = {
  summary: Summed
  balances: Listed<Static<typeof Balance>>
  schedules: Static<typeof BalanceSettings>
  payments: Listed<ListedPayment>
  endpoints: Listed<Endpoint>
  toAnswer: Counted
  announced: Counted
}

const paths: Record<keyof Read, string> = {
  summary: '/v1/summary',
  balances: '/v1/balances',
  schedules: '/v1/balance_settings',
  payments: '/v1/payments?limit=10',
  endpoints: '/v1/webhooks/endpoints?limit=100',
  toAnswer: '/v1/disputes?status=needs_response&limit=1',
  announced: '/v1/disputes?status=early_warning&limit=1',
}

export const homeLink = { path: '', words: 'Home' }

/** `/dashboard`: how the business stands today and this month, and what waits for somebody. */
export function addHomePage(site: Site): void {
  const { home, sessions, read, show, goToLogin } = site

  /** Reads everything at once. What is refused first is the answer. */
  async function readAll(ctx: Context): Promise<Answer<Read>> {
    const entries = await Promise.all(
      Object.entries(paths).map(
        async ([name, path]) => [name, await sessions.call<unknown>(ctx, 'GET', path)] as const,
      ),
    )
    const found: Record<string, unknown> = {}
    for (const [name, answer] of entries) {
      if (!answer.ok) return answer
      found[name] = answer.body
    }
    return { ok: true, body: found as Read }
  }

  read('', async (ctx) => {
    if (!sessions.isKept(ctx)) return goToLogin(ctx)
    const answer = await readAll(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    show(
      ctx,
      pageOf('dashboard/home', 'Home', { isSignedIn: true, at: homeLink.path, ...shownHome(answer.body, home) }),
    )
  })
}

function shownHome(found: Read, home: string) {
  const { summary, balances, schedules, payments, endpoints } = found
  const folder = `${home}/payments`
  return {
    month: monthName(summary.from),
    waiting: {
      disputes: found.toAnswer.pagination.total + found.announced.pagination.total,
      folder: `${home}/disputes`,
    },
    failing: endpoints.items.filter(isFailing).map((row) => shownEndpoint(row, home)),
    volume: summary.volume.map((each) => shownVolume(each, summary)),
    methods: summary.payment_methods.map(shownMethod),
    balances: balances.items.map(({ currency, available, pending, reserved, owed }) => ({
      currency,
      figures: [available, pending, reserved, owed].map((amount) => money(amount, currency)),
      next: nextPayout(schedules.schedule_by_currency[currency]),
    })),
    payments: payments.items.map((row) => paymentRow(row, folder)),
    folder,
  }
}

const monthName = (from: string): string => day(from).split(' ').slice(1).join(' ')

/** Whether an endpoint fails, or was switched off for that. One that the merchant has switched off waits for nobody. */
const isFailing = ({ enabled, failing_since: since, disabled_reason: reason }: Endpoint): boolean =>
  reason !== null || (enabled && since !== null)

function shownEndpoint({ url, endpoint_id: id, ...state }: Endpoint, home: string) {
  const isOff = state.disabled_reason !== null
  const since = timeOf(isOff ? state.disabled_at : state.failing_since)
  return { link: `${home}/webhooks/${id}`, url: url ?? id, isOff, since }
}

function shownVolume({ currency, today, month, days }: Summed['volume'][number], { from, until }: Summed) {
  const name = (date: string) => day(`${date}T00:00:00Z`)
  const all = datesOf(from, until).map((date) => {
    const { amount, count } = days.find((each) => each.date === date) ?? { amount: '0', count: 0 }
    return { date, name: name(date), amount, count, words: money(amount, currency) }
  })
  const highest = all.reduce((best, each) => (Number(each.amount) > Number(best.amount) ? each : best))
  return {
    currency,
    today: { amount: money(today.amount, currency), count: today.count },
    month: { amount: money(month.amount, currency), count: month.count },
    chart: dailyChart(
      all.map((each) => ({ day: each.date, amount: each.amount, words: `${each.name}: ${each.words}` })),
    ),
    about: `Volume of each day in ${currency}. The highest was ${highest.words} on ${highest.name}.`,
    days: all,
  }
}

/** The days from one moment up to another, in UTC. */
function datesOf(from: string, until: string): string[] {
  const last = Number(until.slice(8, 10))
  return Array.from({ length: last }, (_, index) => `${from.slice(0, 8)}${String(index + 1).padStart(2, '0')}`)
}

function shownMethod({ payment_method: key, succeeded, failed }: Summed['payment_methods'][number]) {
  const rate = Math.floor((succeeded * 1000) / (succeeded + failed)) / 10
  return { name: corridorName(key), succeeded, failed, rate: `${rate.toFixed(1)} %` }
}

function nextPayout(schedule: Static<typeof BalanceSettings>['schedule_by_currency'][string] | undefined) {
  if (!schedule) return { time: null, words: 'No schedule' }
  if (schedule.disabled_reason !== null) return { time: null, words: 'The schedule is stopped' }
  return { time: timeOf(schedule.next_run_at), words: 'Not planned' }
}
