import type { Operation } from '../http/operation.ts'
import * as session from './customer-session.ts'
import * as invoice from './invoice.ts'
import * as page from './invoice-page.ts'
import * as plan from './plan.ts'
import * as card from './portal-card.ts'
import * as portalInvoice from './portal-invoice.ts'
import * as me from './portal-me.ts'
import * as portalPlan from './portal-plan.ts'
import * as own from './portal-subscription.ts'
import * as state from './customer-state.ts'
import * as subscription from './subscription.ts'

/** The operations of the area: subscriptions, their invoices, and the portal of customers. */
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
  session.createCustomerSession,
  me.getPortal,
  me.changePortalCustomer,
  own.listPortalSubscriptions,
  own.getPortalSubscription,
  own.cancelPortalSubscription,
  own.uncancelPortalSubscription,
  own.retryPortalSubscription,
  own.changePortalCard,
  portalPlan.listPortalPlans,
  portalPlan.previewPortalPlan,
  portalPlan.changePortalPlan,
  portalInvoice.listPortalInvoices,
  portalInvoice.getPortalInvoice,
  card.listPortalCards,
  card.addPortalCard,
  card.removePortalCard,
]
