import type { Operation } from '../http/operation.ts'
import * as invoice from './invoice.ts'
import * as page from './invoice-page.ts'
import * as plan from './plan.ts'
import * as state from './customer-state.ts'
import * as subscription from './subscription.ts'

/** The operations of the area: subscriptions and their invoices. */
export const subscriptionOperations: readonly Operation[] = [
  subscription.listSubscriptions,
  subscription.getSubscription,
  subscription.editSubscription,
  subscription.cancelSubscription,
  subscription.uncancelSubscription,
  subscription.pauseSubscription,
  subscription.resumeSubscription,
  plan.changeSubscriptionPlan,
  plan.previewSubscriptionChange,
  subscription.retrySubscription,
  invoice.listInvoices,
  invoice.getInvoice,
  invoice.getInvoicePdf,
  page.getPublicInvoice,
  page.getPublicInvoicePdf,
  page.payPublicInvoice,
  invoice.voidInvoice,
  invoice.retryInvoice,
  state.getCustomerState,
]
