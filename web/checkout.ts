import { createHash } from 'node:crypto'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Answer, Api, Refused } from './api.ts'
import { amountField, choiceIn, codeIn, typedIn } from './checkout-form.ts'
import { aboutOf, checkoutPage, nothingRetold, screenOf } from './checkout-view.ts'
import type { Retold, Screen, Session } from './checkout-view.ts'
import { readForm } from './form.ts'
import type { Page, Render } from './render.ts'
import { problem, toFaults } from './words.ts'

type Means = { api: Api; render: Render; callFor: (ctx: Context) => Record<string, string> }

/** One visit: whose session, where it is, and how the API is called for this buyer. */
type Visit = {
  path: string
  call: <T>(method: 'GET' | 'POST', action: string, body?: object, key?: string) => Promise<Answer<T>>
}

/**
 * The hosted checkout: `GET /checkout/{client secret}` shows how a session stands, and its forms post to the same
 * address. A form that did something is answered with a redirect to that page, so a reload repeats nothing.
 */
export function addCheckoutPage(router: Router, { api, render, callFor }: Means): void {
  const visit = (ctx: Context): Visit | null => {
    const { secret } = ctx['params'] as { secret: string }
    const id = /^(chk_[0-9a-z]{34})_secret_[\w-]{20,100}$/.exec(secret)?.[1]
    if (!id) return null
    const headers = { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) }
    const call: Visit['call'] = (method, action, body, key) =>
      api.call(method, `/v1/checkout-sessions/${id}/${action}`, {
        secret,
        headers,
        ...(body && { body }),
        ...(key && { key }),
      })
    return { path: `/checkout/${secret}`, call }
  }

  router.get('/checkout/:secret', async (ctx) => {
    const opened = visit(ctx)
    render(ctx, opened ? await show(opened, ctx.query) : unavailable(404))
  })

  router.post('/checkout/:secret', async (ctx) => {
    const opened = visit(ctx)
    const form = await readForm(ctx)
    if (!opened || !form) return render(ctx, unavailable(opened ? 400 : 404))
    const page = await submit(opened, form)
    if (page) return render(ctx, page)
    ctx.status = 303
    ctx.set({ Location: opened.path, 'Cache-Control': 'no-store' })
  })
}

const read = (visit: Visit) => visit.call<Session>('GET', 'public')

/** `?other=1` chooses again, `?currency=NGN` shows what is paid in it, `?receipt=1` keeps the receipt open. */
async function show(visit: Visit, { other, currency, receipt }: Context['query']): Promise<Page> {
  const answer = await read(visit)
  if (!answer.ok) return unavailable(answer.refused.status, answer.refused)
  const screen = screenOf(answer.body, other === '1')
  const typed = typeof currency === 'string' ? { currency } : {}
  return checkoutPage(answer.body, screen, visit.path, { ...nothingRetold, typed }, { stays: receipt === '1' })
}

/** Does what a form asks; answers the page that says why not, or null when it is done. */
async function submit(visit: Visit, form: URLSearchParams): Promise<Page | null> {
  const step = form.get('step') ?? ''
  const retold = { ...nothingRetold, typed: typedIn(form) }
  const wanted: Screen = step === 'pay' || step === 'again' ? 'choose' : step === 'code' ? 'code' : 'confirm'
  if (step === 'again')
    return showAgain(visit, wanted, { retold: { ...retold, formKey: form.get('form_key') || null }, status: 200 })
  if (step !== 'pay') {
    const before = await read(visit)
    if (!before.ok) return unavailable(before.refused.status, before.refused)
    if (aboutOf(before.body) !== form.get('about')) return null // it has moved on: the page shows where to
  }
  const answer = await (step === 'pay'
    ? act(visit, 'pay', form, choiceIn(form))
    : act(visit, 'confirm', form, codeIn(form)))
  if (answer.ok) return null
  const { status, code, faults, waitSeconds } = answer.refused
  const told = { ...retold, faults: toFaults(faults, amountField(form)), problem: problem(code, waitSeconds) }
  // Where it is unknown what became of the call, the same key goes on with it instead of making another one.
  const formKey = status >= 500 ? form.get('form_key') : null
  return showAgain(visit, wanted, { retold: { ...told, formKey }, status, refused: answer.refused })
}

/** An edited form is another call, the same one sent twice is not: the key is of the form and of what is in it. */
function act(visit: Visit, action: string, form: URLSearchParams, body: object): Promise<Answer<unknown>> {
  const key = createHash('sha256')
    .update(`${form.get('form_key')}\0${JSON.stringify(body)}`)
    .digest('base64url')
  return visit.call('POST', action, body, key)
}

type Again = { retold: Retold; status: number; refused?: Refused }

/** The form once more, with what was typed; null where the session has left it behind. */
async function showAgain(visit: Visit, wanted: Screen, { retold, status, refused }: Again): Promise<Page | null> {
  const answer = await read(visit)
  if (!answer.ok) return unavailable(answer.refused.status, refused ?? answer.refused, { path: visit.path, ...retold })
  const screen = screenOf(answer.body, wanted === 'choose')
  return screen === wanted ? checkoutPage(answer.body, screen, visit.path, retold, { status }) : null
}

/** No session to show: there is none, or it cannot be read for the moment. `kept` is a form that waits to be sent. */
function unavailable(status: number, refused?: Refused, kept?: Retold & { path: string }): Page {
  const isMissing = status === 401 || status === 403 || status === 404
  const seconds = Math.min(refused?.waitSeconds ?? 5, 60)
  return {
    template: isMissing ? 'missing' : 'unavailable',
    status: isMissing ? 404 : status,
    title: isMissing ? 'This page does not exist' : 'Please wait a moment',
    data: { session: null, words: problem(refused?.code ?? '', refused?.waitSeconds ?? null), kept: kept ?? null },
    // A form that was not taken must not be lost to a reload.
    pollSeconds: isMissing || kept || status === 400 ? null : seconds,
  }
}
