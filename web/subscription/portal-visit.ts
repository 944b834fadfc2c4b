import { createHash, randomBytes } from 'node:crypto'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { Portal } from '../../schemas/subscription/portal.ts'
import type { Answer, Api, Refused } from '../api.ts'
import { isOwnForm, readForm } from '../form.ts'
import type { Page, Render } from '../render.ts'
import { goTo } from '../site.ts'
import { problem } from '../words.ts'

export type Me = Static<typeof Portal>

export type PortalMeans = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
  /** The public address of the service. If it is https, the cookie is sent over https only. */
  publicUrl: string
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One call of a customer to a page: who they are, and how the API is called with their token. */
export type Visit = {
  ctx: Context
  me: Me
  /** The session of the token, without its secret: forms name it. */
  session: string
  /** Calls the API; paths are relative to the portal's. */
  call: <T>(method: Method, path: string, body?: object, key?: string) => Promise<Answer<T>>
}

/** A page of the portal: its template and title, the link of the menu that it belongs to, and its data. */
export type PortalPage = { template: string; title: string; at: string; data: object; status?: number }

/** A form that was sent. */
export type Sent = {
  form: URLSearchParams
  text: (name: string) => string
  /** An idempotency key of the form and what it says: a form that is sent twice is one call. */
  keyOf: (body: object) => string
}

export type PortalSite = ReturnType<typeof createPortal>

export const home = '/portal'
const cookie = 'portal_token'
const hourMs = 3_600_000

/** The pages of the portal: reading them, sending their forms, and what is shown where the API refuses. */
export function createPortal(router: Router, { api, render, callFor, publicUrl }: PortalMeans) {
  function keep(ctx: Context, token: string | null): void {
    const isSecure = publicUrl.startsWith('https:')
    ctx.cookies.secure = isSecure // decided by the public address: a proxy's connection to us is not encrypted
    const rules = { httpOnly: true, sameSite: 'strict', path: home, secure: isSecure, overwrite: true } as const
    ctx.cookies.set(cookie, token, { ...rules, ...(token !== null && { maxAge: hourMs }) })
  }

  /** The customer whose token this browser has. If the API refuses it, the page says so, and this is null. */
  async function visit(ctx: Context, token = ctx.cookies.get(cookie)): Promise<Visit | null> {
    const session = /^(cs_[0-9a-z]{34})_secret_[\w-]{20,100}$/.exec(token ?? '')?.[1]
    if (!token || !session) return showRefused(ctx, signedOut)
    const headers = { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) }
    const call: Visit['call'] = (method, path, body, key) =>
      api.call(method, `/v1/customer-portal/${path}`, {
        secret: token,
        headers,
        ...(body && { body }),
        ...(key && { key }),
      })
    const me = await call<Me>('GET', 'me')
    if (!me.ok) return showRefused(ctx, me.refused)
    return { ctx, me: me.body, session, call }
  }

  function send(ctx: Context, page: Page): void {
    render(ctx, page)
    ctx.set('Referrer-Policy', 'same-origin') // with `no-referrer` forms have no Origin, which shows that they are ours
  }

  function showRefused(ctx: Context, refused: Refused): null {
    const isOver = refused.status === 401
    if (isOver) keep(ctx, null)
    const words = isOver ? null : problem(refused.code, refused.waitSeconds)
    const title = isOver ? 'This page has expired' : 'Please wait a moment'
    send(ctx, { template: 'portal/refused', status: isOver ? 410 : refused.status, title, data: { me: null, words } })
    return null
  }

  function show({ ctx, me, session }: Visit, { template, title, at, data, status = 200 }: PortalPage): void {
    const around = { me, at, about: session, menu: menuOf(me), goesBackTo: webAddress(me.return_url) }
    const logo = me.merchant.logo_url && new URL(me.merchant.logo_url, 'http://localhost').pathname
    const form = { formKey: randomBytes(18).toString('base64url'), errors: {}, problem: null, notice: noticeOf(ctx) }
    const marked = status < 400 ? title : `Error: ${title}`
    send(ctx, { template: `portal/${template}`, status, title: marked, data: { ...around, logo, ...form, ...data } })
  }

  function read(path: string, handle: (visit: Visit, id: string) => Promise<void>): void {
    router.get(home + path, async (ctx) => {
      const opened = await visit(ctx)
      if (opened) await handle(opened, idIn(ctx))
    })
  }

  function submit(path: string, handle: (visit: Visit, sent: Sent, id: string) => Promise<void>): void {
    router.post(home + path, async (ctx) => {
      const form = await readForm(ctx)
      const opened = await visit(ctx)
      if (!opened) return
      // Of two portals in one browser the newer one has the cookie: a form of the older one must not change it.
      const isOwn = isOwnForm(ctx, publicUrl) && form?.get('about') === opened.session
      if (!form || !isOwn) return show(opened, foreign)
      const text = (name: string) => form.get(name)?.trim() ?? ''
      const keyOf = (body: object) =>
        createHash('sha256')
          .update(`${text('form_key')}\0${JSON.stringify(body)}`)
          .digest('base64url')
      await handle(opened, { form, text, keyOf }, idIn(ctx))
    })
  }

  return {
    read,
    submit,
    show,
    showRefused,
    /** Stores the token of an address in the cookie, and goes on to the portal, whose address has no token. */
    async enter(ctx: Context, token: string): Promise<void> {
      if (!(await visit(ctx, token))) return
      keep(ctx, token)
      // Not a redirect: after a link from another site it would come without the strict cookie.
      send(ctx, {
        template: 'portal/enter',
        status: 200,
        title: 'One moment',
        data: { me: null, words: null, to: home },
      })
      ctx.set('Referrer-Policy', 'no-referrer')
    },
  }
}

const signedOut: Refused = { status: 401, code: 'UNAUTHORIZED', errors: [], waitSeconds: null }

const foreign: PortalPage = {
  template: 'stopped',
  title: 'Nothing was changed',
  at: '',
  status: 403,
  data: { words: 'This form is not from this page, or you have opened another page since. Please start again.' },
}

/** The id in a page's address, encoded for the address of a call. */
const idIn = (ctx: Context): string => encodeURIComponent((ctx['params'] as { id?: string }).id ?? '')

/** The links of the menu: what the session does not allow is left out. */
function menuOf({ flow }: Me): { path: string; words: string }[] {
  const links = [
    { path: '', words: 'Subscriptions', isShown: true },
    { path: '/invoices', words: 'Invoices', isShown: true },
    { path: '/cards', words: 'Cards', isShown: flow === null || flow.type === 'payment_method_update' },
    { path: '/details', words: 'Your details', isShown: flow === null },
  ]
  return links.filter(({ isShown }) => isShown)
}

/** A merchant's address, encoded for links; null if it is no http(s) address. */
function webAddress(address: string): string | null {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

const notices: Record<string, string> = {
  canceled: 'Your subscription is canceled. You can use it until its end.',
  kept: 'Your subscription goes on.',
  plan: 'Your plan is changed.',
  card: 'Your card is changed.',
  retried: 'Your card is being charged now. This may take a moment.',
  removed: 'The card is removed.',
  details: 'Your details are saved.',
}

const noticeOf = ({ query }: Context): string | null => notices[String(query['done'])] ?? null

/** Goes to a page of the portal after a form, with a notice of what was done. */
export const done = ({ ctx }: Visit, path: string, what: string): void => goTo(ctx, `${home}${path}?done=${what}`)

/** The message above a form that was refused; `conflict` where the state does not allow it any more. */
export const problemOf = ({ code, waitSeconds }: Refused, conflict: string): string =>
  code === 'CONFLICT' || code === 'NOT_FOUND' || code === 'FORBIDDEN' ? conflict : problem(code, waitSeconds)
