import type { Context } from 'koa'
import { environments } from '../../domain/access/scope.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { goTo, pageOf, type Site } from '../site.ts'

/**
 * `/dashboard/environment`: chooses between test data and live data. The API says which of them a person may see; to
 * somebody whose organization has not been activated the page says so.
 */
export function addEnvironmentPages(site: Site): void {
  const { home, sessions, read, submit, show, showRefused, personOf, whyUnknown } = site

  function showPage(ctx: Context, status = 200): void {
    if (!personOf(ctx)) return showRefused(ctx, whyUnknown(ctx))
    const data = { isSignedIn: true, at: '/environment' }
    show(ctx, pageOf('dashboard/environment', 'Test mode and live', data, status))
  }

  read('/environment', (ctx) => showPage(ctx))

  async function change(ctx: Context, form: URLSearchParams): Promise<void> {
    const environment = form.get('environment')
    const allowed = personOf(ctx)?.environments ?? []
    if (!isOneOf(environments, environment) || !allowed.includes(environment)) return showPage(ctx, 403)
    sessions.choose(ctx, environment)
    goTo(ctx, home) // what was open belongs to the other environment
  }

  // Whatever was seen when the form was opened: it says itself what to see from now on.
  submit('/environment', change, { isForAll: true })
}
