import type Router from '@koa/router'
import { addEnvironmentPages } from './access/dashboard-environment.ts'
import { addKeyPages, keysLink } from './access/dashboard-keys.ts'
import { addLoginPages } from './access/site-login.ts'
import { addBalancePages, balancesLink } from './sight/dashboard-balances.ts'
import { addConversionPages, conversionsLink } from './sight/dashboard-conversions.ts'
import { addDashboardTimelines } from './sight/dashboard-timelines.ts'
import { lookUpLink } from './sight/timeline-pages.ts'
import { addHomePage, homeLink } from './sight/dashboard-home.ts'
import { addDestinationPages, destinationsLink } from './sight/dashboard-destinations.ts'
import { addDisputePages, disputesLink } from './sight/dashboard-disputes.ts'
import { addAccountPages } from './sight/dashboard-accounts.ts'
import { accountsLink } from './sight/dashboard-account.ts'
import { addInvoicePages, invoicesLink } from './sight/dashboard-invoices.ts'
import { addPaymentPages, paymentsLink } from './sight/dashboard-payments.ts'
import { addPayoutPages, payoutsLink } from './sight/dashboard-payouts.ts'
import { addSchedulePages, scheduleLink } from './sight/dashboard-schedule.ts'
import { addSubscriptionPages, subscriptionsLink } from './sight/dashboard-subscriptions.ts'
import { createSite, type SiteMeans } from './site.ts'

/**
 * The pages for a merchant's users: login with both factors, API keys, payments, balances, payouts, conversions,
 * subscriptions, invoices, disputes, connected accounts, and timelines.
 */
export function addDashboard(router: Router, means: SiteMeans): void {
  const site = createSite(router, means, {
    home: '/dashboard',
    title: 'steadypay',
    start: homeLink.path,
    links: [],
    menu: [
      { words: null, links: [homeLink] },
      { words: 'Payments', links: [paymentsLink, disputesLink] },
      { words: 'Money', links: [balancesLink, payoutsLink, destinationsLink, scheduleLink, conversionsLink] },
      { words: 'Billing', links: [subscriptionsLink, invoicesLink] },
      { words: 'Platform', links: [accountsLink] },
      { words: 'Developers', links: [keysLink, lookUpLink] },
    ],
    problems,
  })
  addLoginPages(site)
  addHomePage(site)
  addEnvironmentPages(site)
  addKeyPages(site)
  addPaymentPages(site)
  addBalancePages(site)
  addPayoutPages(site)
  addDestinationPages(site)
  addSchedulePages(site)
  addConversionPages(site)
  addSubscriptionPages(site)
  addInvoicePages(site)
  addDisputePages(site)
  addAccountPages(site)
  addDashboardTimelines(site)
  site.addMissing()
}

const problems = {
  ACTIVE_KEY_EXISTS: 'You already have an active key of this kind. Revoke it first, then create a new one.',
  FORBIDDEN: 'Only owners and admins can manage API keys. Ask one of them.',
  NOT_FOUND: 'This key does not exist.',
}
