import type Router from '@koa/router'
import { processLists, processListUrl } from '../../domain/process-list.ts'
import { addAccountPage } from './account.ts'
import { addAuditPage } from './audit.ts'
import { addDestinationPage } from './destination.ts'
import { addDisputePage } from './dispute.ts'
import { addPayoutPage } from './payout.ts'
import { addQueuePages } from './queue.ts'
import { addResourcePages } from './resource.ts'
import { addStuckPage } from './stuck.ts'
import { createSite, type SiteMeans } from '../site.ts'
import { addSignInPages, signInLink } from '../sight/own-login.ts'
import { addLoginPages } from '../access/site-login.ts'

/** The Temporal UI, which has the engine's lists. The URL has no slash at its end. */
export type TemporalUi = { url: string; namespace: string }

/** The review desk of the platform's own staff: reviews to decide, what is overdue, any id, and the log. */
export function addOps(router: Router, means: SiteMeans & { temporalUi: TemporalUi | null }): void {
  const site = createSite(router, means, { home: '/ops', title: 'Review desk', start: '/queue', links, problems })
  addLoginPages(site)
  const lists = listsIn(means.temporalUi)
  addQueuePages(site, lists)
  addStuckPage(site, lists)
  addAccountPage(site)
  addDestinationPage(site)
  addPayoutPage(site)
  addDisputePage(site)
  addResourcePages(site)
  addAuditPage(site)
  addSignInPages(site)
  site.addMissing()
}

const links = [
  { path: '/queue', words: 'Reviews' },
  { path: '/stuck', words: 'Overdue' },
  { path: '/timelines', words: 'Find' },
  { path: '/audit', words: 'Audit log' },
  signInLink,
]

const listsIn = (ui: TemporalUi | null) =>
  ui ? processLists.map(({ name, query }) => ({ name, url: processListUrl(ui.url, ui.namespace, query) })) : []

const problems = {
  FORBIDDEN: 'The review desk is for reviewers of the platform. Sign out, then sign in as a reviewer.',
  NOT_FOUND: 'This doesn’t exist. Choose from the queue.',
  VALIDATION_ERROR: 'Check what you entered and try again.',
}
