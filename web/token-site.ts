import { randomBytes } from 'node:crypto'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { type Answer, type Api, type Refused, signedOut } from './api.ts'
import { isOwnForm, readForm, typedText } from './form.ts'
import { keyOfForm } from './form-key.ts'
import { type PostedFile, withArrivingFile } from './arriving-file.ts'
import type { Page, Render } from './render.ts'
import { problem, problemWithoutCharge } from './problems.ts'
import { english, type Language } from './language.ts'
import { withoutLinkEnd } from './link-end.ts'
import { hasSecret } from './shown-form.ts'
import { goTo } from './site.ts'

export type TokenSiteMeans = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
  /** The public address of the service. If it is https, the cookie is sent over https only. */
  publicUrl: string
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What tells such a site from the others. `Me` is what the API answers about the token. */
export type TokenKind<Me> = {
  home: string
  cookie: string
  /** The form of a token. The first group is the session, without its secret. */
  token: RegExp
  /** The folder of the templates. It has `enter`, `refused` and `stopped`, and those of the pages. */
  templates: string
  /** The path of the API below which the pages call it, and where below it the token is read. */
  calls: string
  reads: string
  /** How long the browser keeps the token, in milliseconds. */
  keptMs: number
  /** The notice of what was done, by its name in an address; null for a name that is none. */
  noticeOf: (what: string, language: Language) => string | null
  /**
   * The language for somebody, or before we know who it is; left out where the pages are in English only. On those
   * nobody pays.
   */
  languageFor?: (ctx: Context, me: Me | null) => Language
  /** The data that the layout needs beside that of a page. */
  around: (me: Me, language: Language) => object
  /** Answers where a token no longer works. False: the page says so itself. */
  end?: (ctx: Context, token: string) => Promise<boolean>
}

/** One call of a token's holder to a page: who they are, and how the API is called with their token. */
export type TokenVisit<Me> = {
  ctx: Context
  me: Me
  language: Language
  /** The session of the token, without its secret: forms name it. */
  session: string
  /** Calls the API; paths are relative to the site's. */
  call: <T>(method: Method, path: string, body?: object, key?: string) => Promise<Answer<T>>
  /** Sends a file as an upload, at this path of the API. */
  upload: <T>(path: string, file: PostedFile) => Promise<Answer<T>>
}

/** A page: its template and title, the link of the menu that it belongs to, and its data. */
export type TokenPage = Pick<Page, 'template' | 'title' | 'data'> &
  Partial<Pick<Page, 'status' | 'pollSeconds'>> & { at: string }

/** A form that was sent. */
export type Sent = {
  form: URLSearchParams
  text: (name: string) => string
  /** An idempotency key of the form and what it says: a form that is sent twice is one call. */
  keyOf: (body: object) => string
}

/** A form that was sent with a file; null: none was chosen. */
export type SentFileForm = Sent & { file: PostedFile | null }

export type TokenSite<Me> = {
  read: (path: string, handle: (visit: TokenVisit<Me>, id: string) => Promise<void>) => void
  /**
   * Takes a form. `repeat` answers one that comes again after it has used the token up, as its sender may have lost the
   * answer. It returns null, or why it has answered nothing.
   */
  submit: (
    path: string,
    handle: (visit: TokenVisit<Me>, sent: Sent, id: string) => Promise<void>,
    repeat?: (visit: TokenVisit<null>, sent: Sent) => Promise<Refused | null>,
  ) => void
  /** As `submit`, of a form with a file: `handle` sends it on while it is still arriving. */
  submitFile: (path: string, handle: (visit: TokenVisit<Me>, sent: SentFileForm, id: string) => Promise<void>) => void
  show: (visit: TokenVisit<Me>, page: TokenPage) => void
  showRefused: (ctx: Context, refused: Refused) => null
  /** Stores the token of an address in the cookie, and goes on to the site, whose address has no token. */
  enter: (ctx: Context, token: string) => Promise<void>
  /** Takes the token out of the browser, which no longer opens anything. */
  leave: (visit: TokenVisit<Me | null>, page: TokenPage) => void
}

/**
 * A site that works by a token in a link, without a login: the portal of customers, the onboarding of sellers. It reads
 * pages, takes their forms, and says where the API refuses. Every rule is in the API alone.
 */
export function createTokenSite<Me>(
  router: Router,
  { api, render, callFor, publicUrl }: TokenSiteMeans,
  kind: TokenKind<Me>,
): TokenSite<Me> {
  const { home, templates } = kind

  function keep(ctx: Context, token: string | null): void {
    const isSecure = publicUrl.startsWith('https:')
    ctx.cookies.secure = isSecure // decided by the public address: a proxy's connection to us is not encrypted
    const rules = { httpOnly: true, sameSite: 'strict', path: home, secure: isSecure, overwrite: true } as const
    ctx.cookies.set(kind.cookie, token, { ...rules, ...(token !== null && { maxAge: kind.keptMs }) })
  }

  /**
   * Who has the token that this browser holds. If the API refuses it, the page says so, and this is null; but `repeat`
   * may answer before a token that no longer works is refused.
   */
  async function visit(
    ctx: Context,
    token = ctx.cookies.get(kind.cookie),
    repeat?: (visit: TokenVisit<null>) => Promise<Refused | null>,
  ): Promise<TokenVisit<Me> | null> {
    const session = kind.token.exec(token ?? '')?.[1]
    if (!token || !session) return refuse(ctx, signedOut, token)
    const headers = { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) }
    const call: TokenVisit<Me>['call'] = (method, path, body, key) =>
      api.call(method, `${kind.calls}/${path}`, { secret: token, headers, ...(body && { body }), ...(key && { key }) })
    const upload: TokenVisit<Me>['upload'] = (path, file) => api.upload(path, { secret: token, headers, file })
    const me = await call<Me>('GET', kind.reads)
    if (me.ok) return { ctx, me: me.body, language: languageFor(ctx, me.body), session, call, upload }
    if (me.refused.status !== 401) return refuse(ctx, me.refused, token)
    if (repeat) {
      const refused = await repeat({ ctx, me: null, language: languageFor(ctx, null), session, call, upload })
      return refused && refuse(ctx, refused.status >= 429 ? refused : me.refused, token)
    }
    return (await kind.end?.(ctx, token)) ? null : refuse(ctx, me.refused, token)
  }

  /** The language of the pages, also of those that only say why there is none. */
  function languageFor(ctx: Context, me: Me | null): Language {
    const known = ctx.state['language'] as Language | undefined
    return (ctx.state['language'] = me || !known ? (kind.languageFor?.(ctx, me) ?? english) : known)
  }

  function send(ctx: Context, page: Page): void {
    render(ctx, { ...page, ...(kind.languageFor && { language: languageFor(ctx, null) }) })
    ctx.set('Referrer-Policy', 'same-origin') // with `no-referrer` forms have no Origin, which shows that they are ours
  }

  const showRefused = (ctx: Context, refused: Refused): null => refuse(ctx, refused, ctx.cookies.get(kind.cookie))

  function refuse(ctx: Context, refused: Refused, token: string | undefined): null {
    const isOver = refused.status === 401
    // A call from another site comes without the strict cookie, and must not end the visit. Nor must another link.
    if (isOver && token && token === ctx.cookies.get(kind.cookie)) keep(ctx, null)
    const language = languageFor(ctx, null)
    const wordsOf = kind.languageFor ? problem : problemWithoutCharge
    const words = isOver ? null : wordsOf(language, refused.code, refused.waitSeconds)
    const title = language.say(isOver ? 'ended.expired' : 'wait.title')
    const status = isOver ? 410 : refused.status
    // Without a token the browser may have taken no cookie: then the next link would lead here again.
    const kept = refused.status >= 429 ? keptIn(ctx) : null
    const data = { me: null, words, refreshUrl: null, hasNoCookie: isOver && token === undefined, kept }
    send(ctx, { template: `${templates}/refused`, status, title, data })
    return null
  }

  /** The form of our own page that was sent, to be sent again; null where there is none, or it has a secret. */
  function keptIn(ctx: Context): { path: string; fields: [string, string][] } | null {
    const form = ctx.state['sentForm'] as URLSearchParams | undefined
    if (!form || hasSecret(form) || !isOwnForm(ctx, publicUrl)) return null
    return { path: ctx.path, fields: [...form] }
  }

  function show({ ctx, me, session, language }: TokenVisit<Me | null>, page: TokenPage): void {
    const { template, title, at, data, status = 200, pollSeconds = null } = page
    const around = { me, at, about: session, ...(me !== null && kind.around(me, language)) }
    const notice = kind.noticeOf(String(ctx.query['done']), language)
    const form = { formKey: randomBytes(18).toString('base64url'), errors: {}, problem: null, notice }
    const marked = status < 400 ? title : language.say('title.error', { title })
    const whole = { ...around, ...form, ...data }
    send(ctx, { template: `${templates}/${template}`, status, title: marked, pollSeconds, data: whole })
  }

  function read(path: string, handle: (visit: TokenVisit<Me>, id: string) => Promise<void>): void {
    router.get(home + path, async (ctx) => {
      const opened = await visit(ctx)
      if (opened) await handle(opened, idIn(ctx))
    })
  }

  // Of two tokens in one browser the newer one has the cookie: a form of the older one must not change it.
  const isOwn = ({ ctx, session }: TokenVisit<Me | null>, form: URLSearchParams | null): form is URLSearchParams =>
    isOwnForm(ctx, publicUrl) && form?.get('about') === session

  const submit: TokenSite<Me>['submit'] = (path, handle, repeat) => {
    router.post(home + path, async (ctx) => {
      const form = await readForm(ctx)
      if (form) ctx.state['sentForm'] = form
      const again =
        repeat && (async (used: TokenVisit<null>) => (isOwn(used, form) ? repeat(used, sentIn(form)) : signedOut))
      const opened = await visit(ctx, undefined, again)
      if (!opened) return
      if (!isOwn(opened, form)) return show(opened, foreignPage(opened.language))
      await handle(opened, sentIn(form), idIn(ctx))
    })
  }

  function submitFile(
    path: string,
    handle: (visit: TokenVisit<Me>, sent: SentFileForm, id: string) => Promise<void>,
  ): void {
    router.post(home + path, (ctx) =>
      withArrivingFile(ctx, async (form, file) => {
        const opened = await visit(ctx)
        if (!opened) return
        if (!isOwn(opened, form)) return show(opened, foreignPage(opened.language))
        await handle(opened, { ...sentIn(form), file }, idIn(ctx))
      }),
    )
  }

  async function enter(ctx: Context, opened: string): Promise<void> {
    const token = withoutLinkEnd(opened)
    if (!(await visit(ctx, token))) return
    keep(ctx, token)
    // Not a redirect: after a link from another site it would come without the strict cookie.
    const title = languageFor(ctx, null).say('page.enter')
    send(ctx, { template: `${templates}/enter`, status: 200, title, data: { me: null, words: null, to: home } })
    ctx.set('Referrer-Policy', 'no-referrer')
  }

  function leave(opened: TokenVisit<Me | null>, page: TokenPage): void {
    keep(opened.ctx, null)
    show(opened, page)
  }

  return { read, submit, submitFile, show, showRefused, enter, leave }
}

function sentIn(form: URLSearchParams): Sent {
  const text = (name: string) => typedText(form, name)
  return { form, text, keyOf: (body) => keyOfForm(text('form_key'), body) }
}

const foreignPage = ({ say }: Language): TokenPage => ({
  template: 'stopped',
  title: say('page.unchanged'),
  at: '',
  status: 403,
  data: { words: say('page.foreign') },
})

/** The id in a page's address, encoded for the address of a call. */
const idIn = (ctx: Context): string => encodeURIComponent((ctx['params'] as { id?: string }).id ?? '')

/** Goes to a page of the site after a form, with a notice of what was done. */
export const goDone = (ctx: Context, path: string, what: string): void => goTo(ctx, `${path}?done=${what}`)
