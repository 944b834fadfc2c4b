import type { Context } from 'koa'
import type { Refused } from './api.ts'
import type { Sessions } from './dashboard-session.ts'
import { nothingTold } from './dashboard-words.ts'
import type { Page } from './render.ts'

/** What the pages of the dashboard are made with. Paths are under `/dashboard`. */
export type Dashboard = {
  sessions: Sessions
  read: (path: string, handle: (ctx: Context) => Promise<void> | void) => void
  /** A form of ours; what another site has sent never gets to `handle`. */
  submit: (path: string, handle: (ctx: Context, form: URLSearchParams) => Promise<void>) => void
  show: (ctx: Context, page: Page) => void
  /** Nothing to show but why: signed out leads to the login, the rest is said. */
  showRefused: (ctx: Context, refused: Refused) => void
}

/** A page of the dashboard with what its template reads. */
export const pageOf = (template: string, title: string, data: object, status = 200): Page => ({
  template: `dashboard/${template}`,
  status,
  title,
  data: { ...nothingTold, notice: null, isSignedIn: false, ...data },
})

/** Answers a form that is done with the page that comes next, so that a reload repeats nothing. */
export function goTo(ctx: Context, path: string): void {
  ctx.status = 303
  ctx.set({ Location: path, 'Cache-Control': 'no-store' })
}
