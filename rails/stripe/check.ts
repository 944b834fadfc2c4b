import type Stripe from 'stripe'
import { isCurrency } from '../../domain/currency.ts'
import {
  addressFinding,
  type Asked,
  asked,
  failed,
  type Finding,
  keyFinding,
  listFindings,
  ok,
  warning,
  why,
} from '../provider-check.ts'
import { fromMinor } from './amount.ts'
import { metadataKey } from './intent.ts'
import { ask } from './trouble.ts'

const name = 'Stripe'
const listNames = ['charges', 'refunds', 'disputes', 'setup intents']

/** The events that the processes listen to; those of virtual accounts are not used. */
export const neededEvents = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.canceled',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.requires_action',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const

type Parts = { api: Stripe; livemode: boolean; publicUrl: string; isRestricted: boolean }

/** What Stripe answers about our key and our account. Only reads; nothing is made and no money moves. */
export async function checkStripe({ api, livemode, publicUrl, isRestricted }: Parts): Promise<Finding[]> {
  const query = `metadata['${metadataKey}']:'rails_check'`
  const question = <T>(what: string, request: () => Promise<T>) => asked(() => ask(what, request))
  const [balance, account, search, endpoints, ...lists] = await Promise.all([
    question('the balance', () => api.balance.retrieve()),
    question('the account', () => api.accounts.retrieveCurrent()),
    question('the search', () => api.paymentIntents.search({ query, limit: 1 })),
    question('the endpoints', () => api.webhookEndpoints.list({ limit: 100 })),
    question('the charges', () => api.charges.list({ limit: 1 })),
    question('the refunds', () => api.refunds.list({ limit: 1 })),
    question('the disputes', () => api.disputes.list({ limit: 1 })),
    question('the setups', () => api.setupIntents.list({ limit: 1 })),
  ])
  const key = keyFinding(name, balance)
  if (key.level === 'failed') return [key]
  return [
    key,
    ...('answer' in balance ? balanceFindings(balance.answer, livemode) : []),
    accountFinding(account),
    searchFinding(search),
    ...listFindings(name, listNames, lists),
    ...(isRestricted ? [warning('key', 'what a restricted key may write cannot be seen without moving money')] : []),
    ...callbackFindings(endpoints, `${publicUrl}/rails/stripe/callbacks`),
    ...addressFinding(publicUrl),
  ]
}

function balanceFindings({ available, pending, livemode: mode }: Stripe.Balance, livemode: boolean): Finding[] {
  if (mode !== livemode) return [failed('balance', 'Stripe answers in its other mode')]
  const shown = (minor: number, code: string): string => {
    const currency = code.toUpperCase()
    if (!isCurrency(currency)) return `an amount in ${currency}`
    return `${minor < 0 ? '-' : ''}${fromMinor(Math.abs(minor), currency)} ${currency}`
  }
  const sums = available.map(({ amount, currency }) => {
    const more = pending.find((one) => one.currency === currency)
    return `${shown(amount, currency)}${more ? `, and ${shown(more.amount, currency)} pending` : ''}`
  })
  return [ok('balance', sums.length > 0 ? sums.join('; ') : 'nothing yet')]
}

function accountFinding(account: Asked<Stripe.Account>): Finding {
  if ('unanswered' in account)
    return warning('account', `cannot see whether charges are enabled: ${why(name, account.unanswered)}`)
  const { charges_enabled: charges, payouts_enabled: payouts, requirements } = account.answer
  const reason = requirements?.disabled_reason
  if (!charges)
    return failed('account', `charges are not enabled${reason ? ` (${reason})` : ''}: see Stripe’s dashboard`)
  if (!payouts) return warning('account', 'charges are enabled; payouts to your bank account are not')
  const due = requirements?.currently_due?.length ?? 0
  if (due > 0) return warning('account', `charges are enabled; Stripe wants ${due} more answers about your business`)
  return ok('account', 'charges and payouts to your bank account are enabled')
}

function searchFinding(search: Asked<unknown>): Finding {
  if ('answer' in search) return ok('search', 'payments can be searched, which finds those whose answer was lost')
  return failed('search', `payments cannot be searched: ${why(name, search.unanswered)}`)
}

function callbackFindings(endpoints: Asked<{ data: Stripe.WebhookEndpoint[] }>, url: string): Finding[] {
  if ('unanswered' in endpoints) {
    const reason = why(name, endpoints.unanswered)
    return [warning('callbacks', `cannot see the endpoints: ${reason}. ${url} has to be one of them`)]
  }
  const ours = endpoints.answer.data.filter((one) => one.url.replace(/\/$/, '') === url)
  if (ours.length === 0) return [failed('callbacks', `no endpoint of Stripe calls ${url}`)]
  const enabled = ours.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0) return [failed('callbacks', `the endpoint ${url} is disabled`)]
  const heard = new Set(enabled.flatMap(({ enabled_events: events }) => events))
  const missing = heard.has('*') ? [] : neededEvents.filter((event) => !heard.has(event))
  if (missing.length > 0) return [failed('callbacks', `the endpoint ${url} lacks ${missing.join(', ')}`)]
  if (enabled.length > 1)
    return [
      warning('callbacks', `${enabled.length} endpoints call ${url}: STRIPE_WEBHOOK_SECRETS needs each one’s secret`),
    ]
  return [ok('callbacks', `Stripe calls ${url} with every event that is needed`)]
}
