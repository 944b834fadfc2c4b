import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Api } from './api.ts'
import { addKeyPages } from './dashboard-keys.ts'
import { addLoginPages } from './dashboard-login.ts'
import { type Dashboard, goTo, pageOf } from './dashboard-page.ts'
import { createSessions, isOwnForm } from './dashboard-session.ts'
import { told } from './dashboard-words.ts'
import { readForm } from './form.ts'
import type { Page, Render } from './render.ts'

type Means = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
  /** The address that browsers know us by. */
  publicUrl: string
}

/**
 * The pages of a merchant's own people: login with both factors, and API keys. They call the API like anyone else, so
 * that every rule stands there alone.
 */
export function addDashboard(router: Router, { api, render, callFor, publicUrl }: Means): void {
  const sessions = createSessions({ api, callFor, isSecure: publicUrl.startsWith('https:') })

  function show(ctx: Context, page: Page): void {
    render(ctx, page)
    ctx.set('Referrer-Policy', 'same-origin') // `no-referrer` would take the Origin away that shows whose form it is
  }

  const dashboard: Dashboard = {
    sessions,
    show,
    read: (path, handle) => void router.get(`/dashboard${path}`, handle),
    submit: (path, handle) =>
      void router.post(`/dashboard${path}`, async (ctx) => {
        const form = await readForm(ctx.req)
        if (!isOwnForm(ctx, publicUrl)) return show(ctx, refusedPage(403, foreign))
        if (!form) return show(ctx, refusedPage(400, unreadable))
        await handle(ctx, form)
      }),
    showRefused(ctx, refused) {
      if (refused.status === 401) return goTo(ctx, '/dashboard/login?ended=1')
      show(ctx, refusedPage(refused.status, told(refused).problem ?? unreadable, refused.status === 403))
    },
  }

  dashboard.read('', (ctx) => goTo(ctx, sessions.isKept(ctx) ? '/dashboard/keys' : '/dashboard/login'))
  addLoginPages(dashboard)
  addKeyPages(dashboard)
}

const foreign = 'This form was not sent from our own page, so nothing was done. Open the dashboard and try again.'
const unreadable = 'This form could not be read, so nothing was done. Open the dashboard and try again.'

const refusedPage = (status: number, problem: string, isSignedIn = false): Page =>
  pageOf('refused', 'That did not work', { problem, isSignedIn }, status)
