import { type Books, checkParams, pageOfKind, type Route } from './books.ts'

type Sum = { amount: number; currency: string }
type Endpoint = { id: string; url: string; status: 'enabled' | 'disabled'; enabled_events: string[] }

/** The account itself: its balance, what it may do, the endpoints of its callbacks, and its lists. */
export function createAccount(books: Books) {
  const state = {
    available: [{ amount: 125_000, currency: 'usd' }] as Sum[],
    pending: [{ amount: 3_000, currency: 'usd' }] as Sum[],
    chargesEnabled: true,
    payoutsEnabled: true,
    disabledReason: null as string | null,
    currentlyDue: [] as string[],
    endpoints: [] as Endpoint[],
  }
  const { livemode } = books
  const list = (data: unknown[], url: string) => ({ object: 'list', url, data, has_more: false })

  const routes: Route[] = [
    [
      /^GET \/v1\/balance$/,
      () => ({ object: 'balance', livemode, available: state.available, pending: state.pending }),
    ],
    [
      /^GET \/v1\/account$/,
      () => ({
        id: 'acct_double',
        object: 'account',
        charges_enabled: state.chargesEnabled,
        payouts_enabled: state.payoutsEnabled,
        requirements: { disabled_reason: state.disabledReason, currently_due: state.currentlyDue },
      }),
    ],
    [
      /^GET \/v1\/webhook_endpoints$/,
      (params) => {
        checkParams(params, ['limit'])
        const data = state.endpoints.map((one) => ({ ...one, object: 'webhook_endpoint', livemode }))
        return list(data, '/v1/webhook_endpoints')
      },
    ],
    [/^GET \/v1\/charges$/, (params) => pageOfKind(books, 'charge', params, '/v1/charges')],
  ]
  return { routes, state }
}
