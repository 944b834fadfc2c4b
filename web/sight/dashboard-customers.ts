import type { Context } from 'koa'
import type { Static } from 'typebox'
import { hasExpired } from '../../domain/checkout/card.ts'
import type { SavedPaymentMethod } from '../../schemas/checkout/payment-method.ts'
import type { ListedCustomer } from '../../schemas/customer.ts'
import type { Invoice } from '../../schemas/subscription/invoice.ts'
import type { CustomerSession } from '../../schemas/subscription/portal.ts'
import type { Subscription } from '../../schemas/subscription/subscription.ts'
import type { Answer } from '../api.ts'
import { typedText } from '../form.ts'
import { english } from '../language.ts'
import { countryName } from '../platform/requirement-words.ts'
import { pageOf, type Site } from '../site.ts'
import { expiryOf, nameOfCard } from '../subscription/portal-words.ts'
import { timeOf } from '../words.ts'
import { isUnread, mayDo, noticeIn, refusedForm } from './board-form.ts'
import { addCustomerForms, type ShownCustomer } from './customer-form.ts'
import { shownRow as invoiceRow } from './dashboard-invoices.ts'
import { type Fact, idIn, type Listed, queryOf, showUnread } from './dashboard-lists.ts'
import { addResourceFolder, type Shown } from './dashboard-resources.ts'
import { shownRow as subscriptionRow } from './dashboard-subscriptions.ts'
import { searchIn } from './list-filter.ts'
import { type ListedPayment, paymentRow } from './payment-words.ts'

type Listing = Static<typeof ListedCustomer>
/** What `GET /v1/customers/{id}/state` says beside the customer. */
type State = {
  subscriptions: Static<typeof Subscription>[]
  open_invoices: Static<typeof Invoice>[]
  payment_methods: Static<typeof SavedPaymentMethod>[]
}

export const customersLink = { path: '/customers', words: 'Customers' }

const paymentsShown = 10

/** `/dashboard/customers`: the customers with a search; each with what they have and a link into their portal. */
export function addCustomerPages(site: Site): void {
  const { home, sessions } = site
  const folder = `${home}${customersLink.path}`

  async function list(ctx: Context, { search = '' }: Record<string, string>): Promise<Answer<Listed<Listing>>> {
    if (!search.startsWith('cust_')) return sessions.call(ctx, 'GET', `/v1/customers?${queryOf(ctx, { search })}`)
    const answer = await sessions.call<Listing>(ctx, 'GET', `/v1/customers/${encodeURIComponent(search)}`)
    if (!answer.ok && ![400, 404, 422].includes(answer.refused.status)) return answer
    const pagination = { next_cursor: null, prev_cursor: null }
    return { ok: true, body: { items: answer.ok ? [answer.body] : [], pagination } }
  }

  /** What the page of a customer shows beside the facts: what the customer has, and the newest payments. */
  async function more(ctx: Context, { customer_id: id }: ShownCustomer, now: number): Promise<Answer<object>> {
    const newest = new URLSearchParams({ limit: String(paymentsShown), customer_id: id })
    const [state, payments] = await Promise.all([
      sessions.call<State>(ctx, 'GET', `/v1/customers/${id}/state`),
      sessions.call<Listed<ListedPayment>>(ctx, 'GET', `/v1/payments?${newest}`),
    ])
    if (!state.ok) return state
    if (!payments.ok) return payments
    const { subscriptions, open_invoices: invoices, payment_methods: cards } = state.body
    return {
      ok: true,
      body: {
        path: `${folder}/${id}`,
        subscriptions: subscriptions.map((row) => ({
          ...subscriptionRow(row),
          link: `${home}/subscriptions/${row.subscription_id}`,
        })),
        invoices: invoices.map((row) => ({ ...invoiceRow(row), link: `${home}/invoices/${row.invoice_id}` })),
        cards: cards.map((card) => ({
          name: nameOfCard(english, card),
          isLate: hasExpired(card.card.exp_year, card.card.exp_month, now),
          expiry: expiryOf(card),
          country: countryName(card.card.country),
          saved: timeOf(card.created_at),
        })),
        payments: payments.body.items.map((row) => paymentRow(row, `${home}/payments`)),
        allPayments: payments.body.pagination.next_cursor && `${home}/payments?${new URLSearchParams({ search: id })}`,
        mayChange: mayDo(site, ctx, 'customers:write'),
        mayOpenPortal: mayDo(site, ctx, 'customer_sessions:write'),
        returnUrl: '',
        notice: noticeIn(ctx, { created: 'The customer is created.', saved: 'Saved.' }),
      },
    }
  }

  addCustomerForms(site, folder)
  const showOne = addResourceFolder<ShownCustomer, Listing>(site, {
    link: customersLink,
    one: 'Customer',
    collection: '/v1/customers',
    templates: { list: 'dashboard/customers', one: 'dashboard/customer' },
    statuses: {},
    hasTimeline: false,
    filtersIn: (ctx) => ({ status: '', search: searchIn(ctx) }),
    list,
    idOf: (row) => row.customer_id,
    itemOf: (row) => ({ title: row.name ?? row.email, email: row.email, created: timeOf(row.created_at) }),
    factsOf: customerFacts,
    more: (ctx, row, _, now) => more(ctx, row, now),
  })
  addPortalLink(site, folder, showOne)
}

function customerFacts(row: ShownCustomer): Fact[] {
  const { billing_address: address } = row
  const { line1, line2, postal_code: code, city, state, country } = address ?? {}
  const parts = [line1, line2, [code, city].filter(Boolean).join(' '), state, country && countryName(country)]
  return [
    ['Id', row.customer_id],
    ['Email', row.email],
    ['Name', row.name],
    ['Phone number', row.phone_number],
    ['Address', parts.filter(Boolean).join(', ') || null],
    ['Created', timeOf(row.created_at)],
    ['Changed', row.updated_at === row.created_at ? null : timeOf(row.updated_at)],
    ...Object.entries(row.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}

/** The form that opens the portal for a customer. */
function addPortalLink(site: Site, folder: string, showOne: (ctx: Context, shown?: Shown) => Promise<void>): void {
  const { home, sessions, submit, show } = site

  // The page with the new link is the answer to the form, and is not stored: the link is shown once.
  submit(`${folder.slice(home.length)}/:id/portal`, async (ctx, form) => {
    const { id } = ctx['params'] as { id: string }
    const returnUrl = typedText(form, 'return_url')
    const body = { customer_id: id.trim(), return_url: returnUrl }
    const made = await sessions.call<Static<typeof CustomerSession>>(ctx, 'POST', '/v1/customer-sessions', body)
    if (made.ok) {
      const { url, expires_at: expires } = made.body
      const data = { isSignedIn: true, at: customersLink.path, url, expires: timeOf(expires) }
      const back = `${folder}/${idIn(ctx)}`
      return show(ctx, pageOf('dashboard/portal-link', 'A link into the portal', { ...data, back }, 201))
    }
    if (isUnread(made.refused)) return showUnread(site, ctx, made.refused)
    const address = 'Enter the full address of a page of yours, such as https://example.com/account.'
    await showOne(ctx, { ...refusedForm(made.refused, { return_url: address }), returnUrl })
  })
}
