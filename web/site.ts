import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Api, Refused } from './api.ts'
import { readForm } from './form.ts'
import type { Page, Render } from './render.ts'
import { createSessions, isOwnForm, type Sessions } from './access/site-session.ts'
import { noFormResult, type Problems, formResultOf } from './form-result.ts'

/** What the pages of one site are made with; paths are under its address. */
export type Site = Address & {
  sessions: Sessions
  read: (path: string, handle: (ctx: Context) => Promise<void> | void) => void
  /** A form of ours; what another site has sent never gets to `handle`. */
  submit: (path: string, handle: (ctx: Context, form: URLSearchParams) => Promise<void>) => void
  show: (ctx: Context, page: Page) => void
  /** Nothing to show but why: signed out leads to the login, the rest is said. */
  showRefused: (ctx: Context, refused: Refused) => void
  /** Has every other address of the site say that there is no such page; added last. */
  addMissing: () => void
}

/** Where a site is, what it is called, where a person who has signed in begins, and what leads on from there. */
type Address = {
  home: string
  title: string
  start: string
  links: { path: string; words: string }[]
  problems: Problems
}

export type SiteMeans = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
  /** The address that browsers know us by. */
  publicUrl: string
}

/**
 * A site for people who sign in: sessions of its own, forms that no other site can send, and a page that says why
 * something did not work. Its pages call the API like anyone else, so that every rule stands there alone.
 */
export function createSite(router: Router, { api, render, callFor, publicUrl }: SiteMeans, address: Address): Site {
  const { home, start } = address
  const sessions = createSessions({ api, callFor, home, isSecure: publicUrl.startsWith('https:') })

  function show(ctx: Context, page: Page): void {
    render(ctx, { ...page, data: { ...page.data, site: address } })
    ctx.set('Referrer-Policy', 'same-origin') // `no-referrer` would take the Origin away that shows whose form it is
  }

  const site: Site = {
    ...address,
    sessions,
    show,
    read: (path, handle) => void router.get(home + path, handle),
    submit: (path, handle) =>
      void router.post(home + path, async (ctx) => {
        const form = await readForm(ctx)
        if (!isOwnForm(ctx, publicUrl)) return show(ctx, refusedPage(403, foreign))
        if (!form) return show(ctx, refusedPage(400, unreadable))
        await handle(ctx, form)
      }),
    showRefused(ctx, refused) {
      if (refused.status === 401) return goTo(ctx, `${home}/login?ended=1`)
      show(
        ctx,
        refusedPage(
          refused.status,
          formResultOf(refused, address.problems).problem ?? unreadable,
          refused.status === 403,
        ),
      )
    },
    addMissing: () =>
      void router.register(`${home}/{*rest}`, ['GET', 'HEAD', 'POST'], (ctx, next) => {
        if (!ctx.accepts('html')) return next()
        return show(ctx, pageOf('site/missing', 'This page does not exist', { isSignedIn: sessions.isKept(ctx) }, 404))
      }),
  }
  site.read('', (ctx) => goTo(ctx, sessions.isKept(ctx) ? home + start : `${home}/login`))
  return site
}

const foreign = 'This form was not sent from our own page, so nothing was done. Go to the start page and try again.'
const unreadable = 'This form could not be read, so nothing was done. Go to the start page and try again.'

const refusedPage = (status: number, problem: string, isSignedIn = false): Page =>
  pageOf('site/refused', 'That did not work', { problem, isSignedIn }, status)

/** A page of a site with what its template reads. */
export const pageOf = (template: string, title: string, data: object, status = 200): Page => ({
  template,
  status,
  title,
  data: { ...noFormResult, notice: null, isSignedIn: false, ...data },
})

/** Answers a form that is done with the page that comes next, so that a reload repeats nothing. */
export function goTo(ctx: Context, path: string): void {
  ctx.status = 303
  ctx.set({ Location: path, 'Cache-Control': 'no-store' })
}
