import type Router from '@koa/router'
import { addKeyPages } from './dashboard-keys.ts'
import { createSite, type SiteMeans } from '../site.ts'
import { addLoginPages } from './site-login.ts'

/** The pages for a merchant's users: login with both factors, and API keys. */
export function addDashboard(router: Router, means: SiteMeans): void {
  const site = createSite(router, means, {
    home: '/dashboard',
    title: 'steadypay',
    start: '/keys',
    links: [],
    problems,
  })
  addLoginPages(site)
  addKeyPages(site)
  site.addMissing()
}

const problems = {
  ACTIVE_KEY_EXISTS: 'You already have an active key of this kind. Revoke it first, then create a new one.',
  FORBIDDEN: 'Only owners and admins can manage API keys. Ask one of them.',
  NOT_FOUND: 'This key does not exist.',
}
