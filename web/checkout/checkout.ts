import { createHash } from 'node:crypto'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Answer, Api, Refused } from '../api.ts'
import { type DecimalMark, decimalMarkOf } from './amount.ts'
import { validateFurther } from './check.ts'
import { amountField, choiceIn, codeIn, type PayBody, typedIn } from './form.ts'
import { aboutOf, checkoutPage, emptyFormState } from './view.ts'
import type { FormState } from './view.ts'
import { type Screen, screenOf, type Session } from './screen.ts'
import { readForm } from '../form.ts'
import type { Page, Render } from '../render.ts'
import { phoneCountriesOf } from './phone.ts'
import { amountWords, type InputErrors, type OwnFields, problem, wordErrors } from '../words.ts'

type Means = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
  /** The clock, in ms since the epoch. */
  now: () => Promise<number> | number
}

/** One visit: the session, its path, the time, the decimal mark, and how the API is called. */
type Visit = {
  path: string
  now: number
  mark: DecimalMark
  call: <T>(method: 'GET' | 'POST', action: string, body?: object, key?: string) => Promise<Answer<T>>
}

/**
 * The hosted checkout: `GET /checkout/{client secret}` shows the state of a session, and its forms post to the same
 * address. A successful form is answered with a redirect to that page, so a reload repeats nothing.
 */
export function addCheckoutPage(router: Router, { api, render, callFor, now }: Means): void {
  const visit = async (ctx: Context): Promise<Visit | null> => {
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
    const mark = decimalMarkOf(ctx.get('accept-language'))
    return { path: `/checkout/${secret}`, now: await now(), mark, call }
  }

  router.get('/checkout/:secret', async (ctx) => {
    const opened = await visit(ctx)
    render(ctx, opened ? await show(opened, ctx.query) : unavailable(404))
  })

  router.post('/checkout/:secret', async (ctx) => {
    const opened = await visit(ctx)
    const form = await readForm(ctx)
    if (!opened || !form) return render(ctx, unavailable(opened ? 400 : 404))
    const page = await submit(opened, form)
    if (page) return render(ctx, page)
    ctx.status = 303
    ctx.set({ Location: opened.path, 'Cache-Control': 'no-store' })
  })
}

const read = (visit: Visit) => visit.call<Session>('GET', 'public')

/**
 * `?other=1` chooses again, `?currency=NGN` shows the prices in that currency, `?receipt=1` keeps the receipt open.
 * `?customer_email=` and `?customer_name=` are invalid details of a payment link's address, for the buyer to correct.
 */
async function show(visit: Visit, query: Context['query']): Promise<Page> {
  const answer = await read(visit)
  if (!answer.ok) return unavailable(answer.refused.status, answer.refused)
  const screen = screenOf(answer.body, query['other'] === '1')
  const typed = Object.fromEntries(
    Object.entries(taken).flatMap(([name, field]) => (typeof query[name] === 'string' ? [[field, query[name]]] : [])),
  )
  const unfit = answer.body.asks_customer ? ['email', 'name'].filter((field) => typed[field]).slice(0, 1) : []
  const errors = wordErrors(unfit.map((field) => ({ field: `customer_details.${field}`, message: '', type: '' })))
  const result = unfit.length > 0 ? { errors, problem: problem('VALIDATION_ERROR', null) } : {}
  const request = { now: visit.now, stays: query['receipt'] === '1' }
  return checkoutPage(answer.body, screen, visit.path, { ...emptyFormState, ...result, typed }, request)
}

/** The query parameters that fill form fields, and these fields. */
const taken = { currency: 'currency', customer_email: 'email', customer_name: 'name' }

/** Carries out a form. Returns null on success, else the page with the errors. */
async function submit(visit: Visit, form: URLSearchParams): Promise<Page | null> {
  const step = form.get('step') ?? ''
  const formState = { ...emptyFormState, typed: typedIn(form) }
  if (step === 'again') {
    return showAgain(visit, 'choose', {
      formState: { ...formState, formKey: form.get('form_key') || null },
      status: 200,
    })
  }
  const isOther =
    step === 'pay' && form.has('shown') && form.has('currency') && form.get('currency') !== form.get('shown')
  if (step === 'currency' || isOther) {
    const shown = isOther ? { ...formState, problem: changedCurrency(form.get('currency') ?? '') } : formState
    return showAgain(visit, 'choose', { formState: shown, status: 200 })
  }
  if (step === 'pay') return pay(visit, form, formState)
  const before = await read(visit)
  if (!before.ok) return unavailable(before.refused.status, before.refused)
  // the session has changed: the page shows its current state
  if (aboutOf(before.body) !== form.get('about')) return null
  const answer = await act(visit, 'confirm', form, codeIn(form))
  if (answer.ok) return null
  const { refused } = answer
  const result = { ...afterRefusal(refused, form), errors: wordErrors(refused.errors) }
  const again = { formState: { ...formState, ...result }, status: refused.status, refused }
  return showAgain(visit, step === 'code' ? 'code' : 'confirm', again)
}

const changedCurrency = (currency: string): string => `You chose to pay in ${currency}. Check the price, then continue.`

/** If the outcome of a call is unknown, the form keeps its idempotency key, so that a retry continues that call. */
const afterRefusal = ({ status, code, waitSeconds }: Refused, form: URLSearchParams) => ({
  problem: problem(code, waitSeconds),
  formKey: status >= 500 ? form.get('form_key') : null,
})

async function pay(visit: Visit, form: URLSearchParams, formState: FormState): Promise<Page | null> {
  const body = choiceIn(form, visit.mark)
  const answer = await act(visit, 'pay', form, body)
  if (answer.ok) return null
  const { refused } = answer
  const { status, code, errors } = refused
  const validate = (session: Session) => {
    const further = code === 'VALIDATION_ERROR' ? validateFurther(body, session, visit.now) : []
    return wordErrors([...errors, ...further], ownFields(session, form, body))
  }
  const refusedState = { ...formState, ...afterRefusal(refused, form) }
  return showAgain(visit, 'choose', { formState: refusedState, validate, status, refused })
}

/** The messages that depend on the form: for the amount of the picked product and the number of the chosen country. */
function ownFields(session: Session, form: URLSearchParams, body: PayBody): OwnFields {
  const name = amountField(form)
  const picked = session.selection?.find(({ product_id }) => product_id === body.products?.[0]?.product_id)
  const offer = session.payment_methods.find(({ payment_method }) => payment_method === body.payment_method)
  const country = phoneCountriesOf(offer?.currency ?? '', form.get('country') ?? '').find(({ isChosen }) => isChosen)
  return {
    ...(picked && { 'products.0.amount': { name, words: amountWords(picked, form.get(name) ?? '') } }),
    ...(country && {
      phone_number: { name: 'phone', words: `Enter a mobile money number from ${country.name}.` },
    }),
  }
}

/** The idempotency key is made of the form and its values: an edited form is a new call, a repeated one is not. */
function act(visit: Visit, action: string, form: URLSearchParams, body: object): Promise<Answer<unknown>> {
  const key = createHash('sha256')
    .update(`${form.get('form_key')}\0${JSON.stringify(body)}`)
    .digest('base64url')
  return visit.call('POST', action, body, key)
}

type Again = {
  formState: FormState
  /** Finds the errors in the form, once the session is read. */
  validate?: (session: Session) => InputErrors
  status: number
  refused?: Refused
}

/** Shows the form again, with the typed values. Returns null if the session no longer shows this form. */
async function showAgain(visit: Visit, wanted: Screen, { formState, validate, status, refused }: Again) {
  const answer = await read(visit)
  if (!answer.ok)
    return unavailable(answer.refused.status, refused ?? answer.refused, { path: visit.path, ...formState })
  const screen = screenOf(answer.body, wanted === 'choose')
  if (screen !== wanted) return null
  const shown = validate ? { ...formState, errors: validate(answer.body) } : formState
  return checkoutPage(answer.body, screen, visit.path, shown, { now: visit.now, status })
}

type Kept = Pick<FormState, 'typed' | 'formKey'> & { path: string }

/** The page if there is no session, or it cannot be read now. `kept` is a form that can be sent again. */
function unavailable(status: number, refused?: Refused, kept?: Kept): Page {
  const isMissing = status === 401 || status === 403 || status === 404
  const seconds = Math.min(refused?.waitSeconds ?? 5, 60)
  return {
    template: isMissing ? 'missing' : 'unavailable',
    status: isMissing ? 404 : status,
    title: isMissing ? 'This page does not exist' : 'Please wait a moment',
    data: { session: null, words: problem(refused?.code ?? '', refused?.waitSeconds ?? null), kept: kept ?? null },
    // No reload while a form waits, as its values would be lost.
    pollSeconds: isMissing || kept || status === 400 ? null : seconds,
  }
}
