/** The part of the interface's tables for disputes, subscriptions, invoices and the portal (decisions 4, 8 and 11). */

import type { EventType } from '../../domain/webhook/event.ts'
import { listOf, momentsOf, read, type Route, words, write } from './interface-form.ts'

const listedDispute = `dispute_id payment_id customer amount currency fee status reason network_reason_code
  evidence_due_at has_evidence past_due submission_count submitted_at resolution ${momentsOf} resolved_at`
const subscription = words(`subscription_id status customer line_items line_items.price_type amount currency recurring
  recurring.interval recurring.interval_count collection current_period_start current_period_end trial_start trial_end
  cancel_at_period_end pause_at_period_end resumes_at canceled_at ended_at cancellation cancellation.reason
  cancellation.comment cancellation.by past_due_at next_payment_attempt_at attempt_count payment_method pending_update
  latest_invoice_id checkout_id metadata ${momentsOf}`)
const portalInvoice = `invoice_id number status billing_reason customer subscription_id payment_id line_items subtotal
  total amount_paid amount_due currency period_start period_end due_at attempt_count next_payment_attempt_at
  hosted_invoice_url pdf_url billing_address finalized_at paid_at voided_at`

export const billingResources = {
  // A list leaves the evidence out: an addition, as it may be long.
  listedDispute: words(listedDispute),
  dispute: words(`${listedDispute} evidence evidence.access_activity_log evidence.cancellation_policy_attachment_id
    evidence.refund_policy_attachment_id evidence.cancellation_policy_disclosure evidence.refund_policy_disclosure
    evidence.customer_email_address evidence.customer_name evidence.billing_address`),
  disputeDocument: words('document_id'),
  subscription,
  // The metadata and the checkout are the merchant's, and not shown to the customer.
  portalSubscription: subscription.filter((field) => !['metadata', 'checkout_id'].includes(field)),
  invoice: words(`${portalInvoice} metadata`),
  portalInvoice: words(portalInvoice),
  customerSession: words('customer_session_id token url expires_at'),
}

const onDispute = ['dispute.created', 'dispute.updated', 'dispute.evidence_due_soon', 'dispute.won', 'dispute.lost']
const onSubscription = words('created updated renewed trial_will_end past_due paused resumed canceled')
const onInvoice = ['invoice.paid', 'invoice.payment_failed']

export const billingEventFields = Object.fromEntries([
  ...onDispute.map((type) => [type, billingResources.dispute]),
  ...onSubscription.map((name) => [`customer.subscription.${name}`, subscription]),
  ...onInvoice.map((type) => [type, billingResources.invoice]),
]) as Partial<Record<EventType, string[]>>

// `early_warning` and `prevented` are additions (decision 0043).
const disputeStatuses = words('early_warning needs_response under_review won lost prevented')
const resolutions = words('accepted evidence expired withdrawn')

export const billingValues = {
  'listedDispute.status': disputeStatuses,
  'listedDispute.resolution': resolutions,
  'dispute.status': disputeStatuses,
  'dispute.resolution': resolutions,
  'subscription.status': words('trialing active past_due paused canceled'),
  'subscription.collection': words('automatic invoice'),
  'invoice.status': words('draft open paid void uncollectible'),
}

const required = { required: true } as const
const change = (takes?: Route['takes']): Route => write(200, 'subscription', 'subscriptions:write', takes)
const proration = { proration: { oneOf: words('prorate next_period none') } }
const portal = (more: Omit<Route, 'status' | 'auth'>): Route => ({ status: 200, auth: 'customerToken', ...more })

export const billingRoutes: Record<string, Route> = {
  'get /v1/disputes': listOf('listedDispute', 'disputes:read'),
  'get /v1/disputes/{dispute_id}': read('dispute', 'disputes:read'),
  'patch /v1/disputes/{dispute_id}/evidence': write(200, 'dispute', 'disputes:write', { submit: {} }),
  'post /v1/disputes/{dispute_id}/documents': write(201, 'disputeDocument', 'disputes:write', {
    file: required,
    purpose: {},
  }),
  'post /v1/disputes/{dispute_id}/accept': write(200, 'dispute', 'disputes:write'),
  'get /v1/subscriptions': listOf('subscription', 'subscriptions:read'),
  'get /v1/subscriptions/{subscription_id}': read('subscription', 'subscriptions:read'),
  'patch /v1/subscriptions/{subscription_id}': change({ metadata: {} }),
  'post /v1/subscriptions/{subscription_id}/cancel': change({ at_period_end: {} }),
  'post /v1/subscriptions/{subscription_id}/uncancel': change(),
  'post /v1/subscriptions/{subscription_id}/pause': change(),
  'post /v1/subscriptions/{subscription_id}/resume': change(),
  'post /v1/subscriptions/{subscription_id}/change-plan': change(proration),
  'post /v1/subscriptions/{subscription_id}/preview-change': {
    status: 200,
    scope: 'subscriptions:write',
    takes: proration,
  },
  'post /v1/subscriptions/{subscription_id}/retry-payment': change(),
  'get /v1/invoices': listOf('invoice', 'invoices:read'),
  'get /v1/invoices/{invoice_id}': read('invoice', 'invoices:read'),
  'get /v1/invoices/{invoice_id}/pdf': { status: 200, scope: 'invoices:read' },
  'post /v1/invoices/{invoice_id}/void': write(200, 'invoice', 'invoices:write'),
  'post /v1/invoices/{invoice_id}/retry-payment': write(200, 'invoice', 'invoices:write'),
  'post /v1/customer-sessions': write(201, 'customerSession', 'customer_sessions:write', {
    customer_id: required,
    return_url: {},
    flow: {},
  }),
  'get /v1/customer-portal/me': portal({ fields: words('customer_id email name phone_number billing_address') }),
  'get /v1/customer-portal/subscriptions': portal({ page: 'portalSubscription' }),
  'get /v1/customer-portal/invoices': portal({ page: 'portalInvoice' }),
  'get /v1/customer-portal/payment-methods': portal({ fields: words('items pagination') }),
}
