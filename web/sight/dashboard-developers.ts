import { isFor, pageOf, type SignedInPerson, type Site } from '../site.ts'
import { showUnread } from './dashboard-lists.ts'

export const developersLink = { path: '/developers', words: 'Developers' }

/** What each page of the menu's group is for, by its path. */
const purposes: Record<string, string> = {
  '/keys': 'Your server sends one with each call.',
  '/webhooks': 'Where events are sent to, how that goes, and sending again.',
  '/events': 'Everything that has happened, with its payload.',
  '/logs': 'Your calls of the last 7 days, by request id.',
  '/test-clocks': 'Let days and months pass in a moment, to test what happens then.',
  '/timelines': 'What has happened to anything, by its id.',
}

const documents = [
  { path: '/docs', words: 'Documentation', purpose: 'Guides with examples, from the first payment on.' },
  { path: '/reference', words: 'API reference', purpose: 'Every operation, with its fields and examples.' },
  { path: '/openapi.json', words: 'OpenAPI document', purpose: 'For generators of clients and other programs.' },
  { path: '/docs/errors', words: 'Error codes', purpose: 'What each means, and what to do next.' },
]

/** `/dashboard/developers`: where the API is, which version answers, and where everything for developers is. */
export function addDevelopersPage(site: Site, publicUrl: string): void {
  const { home, sessions, read, show, menu = [] } = site
  const links = menu.find((group) => group.links.includes(developersLink))?.links ?? []

  read(developersLink.path, async (ctx) => {
    const answer = await sessions.call<SignedInPerson>(ctx, 'GET', '/api/v1/auth/me')
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const data = {
      isSignedIn: true,
      at: developersLink.path,
      baseUrl: publicUrl || `${ctx.protocol}://${ctx.host}`,
      version: answer.version,
      environment: answer.body.environment,
      tools: links
        .filter((link) => link !== developersLink && isFor(link, answer.body))
        .map(({ path, words }) => ({ link: home + path, words, purpose: purposes[path] ?? null })),
      documents,
    }
    show(ctx, pageOf('dashboard/developers', developersLink.words, data))
  })
}
