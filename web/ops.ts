import type Router from '@koa/router'
import { addDestinationPage } from './ops-destination.ts'
import { addPayoutPage } from './ops-payout.ts'
import { addQueuePages } from './ops-queue.ts'
import { createSite, type SiteMeans } from './site.ts'
import { addLoginPages } from './site-login.ts'

/** The review desk of the platform's own staff: what they have to decide, and payouts that are stuck. */
export function addOps(router: Router, means: SiteMeans): void {
  const links = [
    { path: '/queue', words: 'Queue' },
    { path: '/stuck', words: 'Stuck payouts' },
  ]
  const site = createSite(router, means, { home: '/ops', title: 'Review desk', start: '/queue', links, problems })
  addLoginPages(site)
  addQueuePages(site)
  addDestinationPage(site)
  addPayoutPage(site)
}

const problems = {
  FORBIDDEN: 'The review desk is for reviewers of the platform. Sign out, and in again as one of them.',
  NOT_FOUND: 'There is no such thing to look at. Open the queue and choose from there.',
  VALIDATION_ERROR: 'Please say why: what you do here is kept with your name and your reason.',
}
