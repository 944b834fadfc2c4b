import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { Role } from '../domain/access/role.ts'
import { type Api, type Refused, signedOut } from './api.ts'
import { errorCodes, Refusal } from '../domain/refusal.ts'
import type { SignedIn } from '../schemas/access/login.ts'
import { type FileForm, withFileForm } from './file-form.ts'
import { isOwnForm, readForm } from './form.ts'
import type { Page, Render } from './render.ts'
import { type AskedPages, createAskedPages, loginAddress } from './access/asked-page.ts'
import { createSessions, type Sessions } from './access/site-session.ts'
import { heldFormPage, markForms, markOf, type SentForm, takeForm } from './shown-form.ts'
import { noFormResult, type Problems, formResultOf } from './form-result.ts'

/** What the pages of one site use. Paths are relative to its address. */
export type Site = Address & {
  sessions: Sessions
  /** The clock, in ms since the epoch. */
  now: () => Promise<number> | number
  /** Handles a page. `isLanding: false`: it is a file, or a page of the login, to which a login does not lead. */
  read: (path: string, handle: (ctx: Context) => Promise<void> | void, rules?: { isLanding?: boolean }) => void
  /**
   * Handles a form. A form that another site has sent is refused first. One whose page was shown to somebody else, or
   * with other data, is given back. `isForAll`: it means the same for everybody.
   */
  submit: (
    path: string,
    handle: (ctx: Context, form: URLSearchParams) => Promise<void>,
    rules?: { isForAll?: boolean },
  ) => void
  /** The same for a form that may have a file of at most so many bytes. */
  submitFile: (path: string, fileBytesMax: number, handle: (ctx: Context, form: FileForm) => Promise<void>) => void
  show: (ctx: Context, page: Page) => void
  /**
   * Shows why a call was refused. Who is signed out is sent to the login, or gets back the form they have sent; so does
   * everybody where the call was refused for the moment.
   */
  showRefused: (ctx: Context, refused: Refused) => void
  /** Who is signed in; null where that is not known. */
  personOf: (ctx: Context) => SignedInPerson | null
  /** Why it is not known who is signed in: nobody is, or the API does not say. */
  whyUnknown: (ctx: Context) => Refused
  asked: AskedPages
  /** Sends whoever is not signed in to the login, which leads to the page that they asked for. */
  goToLogin: (ctx: Context) => void
  /** Answers every other address of the site with a 404 page. Called last. */
  addMissing: () => void
}

export type SignedInPerson = Static<typeof SignedIn>
/** A link of the menu, for everybody or for these roles only; `isForTests`: only where somebody sees test data. */
export type SiteLink = { path: string; words: string; roles?: readonly Role[]; isForTests?: boolean }

/** Whether the menu has this link for a person. */
export const isFor = ({ roles, isForTests }: SiteLink, person: SignedInPerson | null): boolean =>
  (!roles || (person !== null && roles.includes(person.role))) && !(isForTests && person?.environment === 'live')

/**
 * The path of a site, its title, its first page after the login, the links in its header or in the groups of its menu,
 * its error messages. A site with a menu has a frame that names the person's environment.
 */
type Address = {
  home: string
  title: string
  start: string
  links: SiteLink[]
  menu?: { words: string | null; links: SiteLink[] }[]
  problems: Problems
}

export type SiteMeans = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
  /** The clock, in ms since the epoch. */
  now: () => Promise<number> | number
  /** The public address of the service. */
  publicUrl: string
}

/**
 * A site for people who sign in, with its own sessions, forms that no other site can send, and a page for refusals. Its
 * pages call the API like any client, so every rule is in the API alone.
 */
export function createSite(
  router: Router,
  { api, render, callFor, now, publicUrl }: SiteMeans,
  address: Address,
): Site {
  const { home, start } = address
  const sessions = createSessions({ api, callFor, home, isSecure: publicUrl.startsWith('https:') })
  const asked = createAskedPages(home)

  const personOf = (ctx: Context): SignedInPerson | null => (ctx.state['person'] as SignedInPerson | undefined) ?? null

  /** To whom a page is shown; on a site with a menu also with which data. Null where that is not known. */
  function markFor(ctx: Context): string | null {
    const person = personOf(ctx)
    return person && markOf(person.user.id, address.menu ? person.environment : null)
  }

  /** Whether a form was shown to somebody else than the one who sends it, or while they saw other data. */
  const isOfAnother = (ctx: Context, { shownTo }: SentForm): boolean => shownTo !== null && shownTo !== markFor(ctx)

  function show(ctx: Context, page: Page): void {
    const person = personOf(ctx)
    const menu = address.menu?.map(({ words, links }) => ({
      words,
      links: links.filter((link) => isFor(link, person)),
    }))
    render(ctx, { ...page, data: { ...page.data, site: address, menu, person } })
    const mark = markFor(ctx)
    if (mark !== null) ctx.body = markForms(String(ctx.body), mark)
    ctx.set('Referrer-Policy', 'same-origin') // with `no-referrer` forms have no Origin, which shows that they are ours
  }

  /**
   * Reads who is signed in, for the frame and for the forms. An environment that they may no longer choose is left to
   * the API again.
   */
  async function meet(ctx: Context): Promise<void> {
    if (!sessions.isKept(ctx)) return
    const read = () => sessions.call<SignedInPerson>(ctx, 'GET', '/api/v1/auth/me')
    let answer = await read()
    if (!answer.ok && answer.refused.status === 403 && sessions.hasChosen(ctx)) {
      sessions.choose(ctx, null)
      answer = await read()
    }
    if (answer.ok) ctx.state['person'] = answer.body
    else ctx.state['unknownAs'] = answer.refused
  }

  /**
   * Whether a link of another site, such as that of a mail, was followed. It comes without our cookies, which are
   * strict: the page that opens itself again brings them.
   */
  const comesFromElsewhere = (ctx: Context): boolean =>
    !sessions.isKept(ctx) && ctx.get('sec-fetch-site') === 'cross-site'

  /**
   * Gives back the form that was sent. Where there is none to give, the person is sent to the login, which tells those
   * who were signed in that this is over. Whoever sends a form was, also if another tab has signed out since. While the
   * API does not say who is signed in, nobody is sent to the login.
   */
  function giveBack(ctx: Context): void {
    const why = site.whyUnknown(ctx)
    const held = heldFormPage(ctx, personOf(ctx), why)
    const wasSignedIn = sessions.isKept(ctx) || ctx.method === 'POST'
    if (held) show(ctx, held)
    else if (personOf(ctx) === null && why.status !== 401) show(ctx, refusalPage(why))
    else goToLogin(ctx, wasSignedIn ? { ended: '1' } : {})
  }

  function goToLogin(ctx: Context, query: Record<string, string> = {}): void {
    const isStart = [home, home + start].includes(ctx.url)
    goTo(ctx, loginAddress(`${home}/login`, isStart ? null : asked.pageAt(ctx.url), query))
  }

  /** The page that says why a call was refused. */
  const refusalPage = (refused: Refused): Page => {
    const problem = formResultOf(refused, address.problems).problem ?? unreadable
    return refusedPage(refused.status, problem, refused.status === 403)
  }

  const site: Site = {
    ...address,
    sessions,
    now,
    show,
    personOf,
    whyUnknown: (ctx) => (ctx.state['unknownAs'] as Refused | undefined) ?? signedOut,
    asked,
    goToLogin: (ctx) => goToLogin(ctx),
    read(path, handle, { isLanding = true } = {}) {
      if (isLanding) asked.add(path)
      router.get(home + path, async (ctx) => {
        if (comesFromElsewhere(ctx)) return show(ctx, pageOf('site/enter', 'One moment', { entersAt: ctx.url }))
        await meet(ctx)
        await handle(ctx)
      })
    },
    submit: (path, handle, { isForAll = false } = {}) =>
      void router.post(home + path, async (ctx) => {
        const form = await readForm(ctx)
        if (!isOwnForm(ctx, publicUrl)) return show(ctx, refusedPage(403, foreign))
        await meet(ctx)
        if (!form) return show(ctx, refusedPage(400, unreadable))
        if (!isForAll && isOfAnother(ctx, takeForm(ctx, form))) return giveBack(ctx)
        await handle(ctx, form)
      }),
    submitFile: (path, fileBytesMax, handle) =>
      void router.post(home + path, async (ctx) => {
        if (!isOwnForm(ctx, publicUrl)) return show(ctx, refusedPage(403, foreign))
        // Who has signed out meanwhile has typed much all the same: the form is read, to be given back.
        await meet(ctx)
        const owner = personOf(ctx)?.user.id ?? 'signed out'
        const work = async (form: FileForm | null): Promise<void> => {
          if (!form) return show(ctx, refusedPage(400, unreadable))
          const sent = takeForm(ctx, form.fields, { isMultipart: true, hadFile: form.file !== null })
          if (isOfAnother(ctx, sent)) return giveBack(ctx)
          await handle(ctx, form)
        }
        await withFileForm(ctx, { owner, fileBytesMax }, work).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          const { code, retryAfter: waitSeconds } = error
          site.showRefused(ctx, { status: errorCodes[code], code, errors: [], waitSeconds })
        })
      }),
    showRefused(ctx, refused) {
      // For the moment, as by a limit: what was typed is kept, to be sent again.
      const held = refused.status >= 429 ? heldFormPage(ctx, personOf(ctx), refused) : null
      if (refused.status !== 401) return show(ctx, held ?? refusalPage(refused))
      // The session has ended since the call began, such as while a file arrived.
      delete ctx.state['person']
      ctx.state['unknownAs'] = refused
      giveBack(ctx)
    },
    addMissing: () =>
      void router.register(`${home}/{*rest}`, ['GET', 'HEAD', 'POST'], async (ctx, next) => {
        if (!ctx.accepts('html')) return next()
        await meet(ctx)
        return show(ctx, pageOf('site/missing', 'This page does not exist', { isSignedIn: sessions.isKept(ctx) }, 404))
      }),
  }
  if (start !== '') site.read('', (ctx) => (sessions.isKept(ctx) ? goTo(ctx, home + start) : goToLogin(ctx)))
  return site
}

const foreign = 'This form was not sent from our own page, so nothing was done. Go to the start page and try again.'
const unreadable = 'This form could not be read, so nothing was done. Go to the start page and try again.'

const refusedPage = (status: number, problem: string, isSignedIn = false): Page =>
  pageOf('site/refused', 'That did not work', { problem, isSignedIn }, status)

/** A page of a site. Adds the values that every template reads. */
export const pageOf = (template: string, title: string, data: object, status = 200): Page => ({
  template,
  status,
  title,
  data: { ...noFormResult, notice: null, isSignedIn: false, ...data },
})

/** The same for a page in the steps of a form that asks whether it is meant: going back to it shows it again. */
export const stepOf = (...page: Parameters<typeof pageOf>): Page => ({ ...pageOf(...page), staysInHistory: true })

/** Redirects to the next page. After a form, so that a reload repeats nothing. */
export function goTo(ctx: Context, path: string): void {
  ctx.status = 303
  ctx.set({ Location: path, 'Cache-Control': 'no-store' })
}
