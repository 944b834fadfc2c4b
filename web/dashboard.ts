import type Router from '@koa/router'
import { addEnvironmentPages } from './access/dashboard-environment.ts'
import { addSignInPages, signInLink } from './sight/own-login.ts'
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
import { addKeyPages, keysLink } from './sight/dashboard-keys.ts'
import { addCustomerPages, customersLink } from './sight/dashboard-customers.ts'
import { addInvoicePages, invoicesLink } from './sight/dashboard-invoices.ts'
import { addCheckoutSettings, checkoutLink } from './sight/dashboard-checkout.ts'
import { addSettingsPages, settingsLink } from './sight/dashboard-settings.ts'
import { addPaymentLinkPages, paymentLinksLink } from './sight/dashboard-payment-links.ts'
import { addSessionPages, sessionsLink } from './sight/dashboard-sessions.ts'
import { addTeamPages, teamLink } from './sight/dashboard-team.ts'
import { addPaymentPages, paymentsLink } from './sight/dashboard-payments.ts'
import { addPayoutPages, payoutsLink } from './sight/dashboard-payouts.ts'
import { addProductGroupPages, productGroupsLink } from './sight/dashboard-product-groups.ts'
import { addProductPages, productsLink } from './sight/dashboard-products.ts'
import { addSchedulePages, scheduleLink } from './sight/dashboard-schedule.ts'
import { addSubscriptionPages, subscriptionsLink } from './sight/dashboard-subscriptions.ts'
import { addClockPages, clocksLink } from './sandbox/dashboard-clocks.ts'
import { addDevelopersPage, developersLink } from './sight/dashboard-developers.ts'
import { addEventPages, eventsLink } from './sight/dashboard-events.ts'
import { addLogPages, logsLink } from './sight/dashboard-logs.ts'
import { addWebhookPages, webhooksLink } from './sight/dashboard-webhooks.ts'
import { createSite, type SiteMeans } from './site.ts'

/**
 * The pages for a merchant's users: login with both factors, then everything of their organization, as far as the API
 * shows it to their role.
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
      { words: 'Sell', links: [customersLink, productsLink, productGroupsLink, paymentLinksLink] },
      { words: 'Billing', links: [subscriptionsLink, invoicesLink] },
      { words: 'Money', links: [balancesLink, payoutsLink, destinationsLink, scheduleLink, conversionsLink] },
      { words: 'Platform', links: [accountsLink] },
      {
        words: 'Developers',
        links: [developersLink, keysLink, webhooksLink, eventsLink, logsLink, clocksLink, lookUpLink],
      },
      { words: 'Settings', links: [settingsLink, checkoutLink, teamLink, signInLink, sessionsLink] },
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
  addCustomerPages(site)
  addProductPages(site)
  addProductGroupPages(site)
  addPaymentLinkPages(site)
  addDestinationPages(site)
  addSchedulePages(site)
  addConversionPages(site)
  addSubscriptionPages(site)
  addInvoicePages(site)
  addDisputePages(site)
  addAccountPages(site)
  addClockPages(site)
  addSettingsPages(site)
  addCheckoutSettings(site)
  addDevelopersPage(site, means.publicUrl)
  addWebhookPages(site)
  addEventPages(site)
  addLogPages(site)
  addTeamPages(site)
  addSignInPages(site)
  addSessionPages(site)
  addDashboardTimelines(site)
  site.addMissing()
}

/** What a refusal means on any page. A page that knows better says it itself. */
const problems = {
  FORBIDDEN: 'Your role does not allow this. Ask an owner or an admin of your organization.',
  NOT_FOUND: 'This does not exist, or not any more.',
}
