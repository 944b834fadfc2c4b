import type Router from '@koa/router'
import type { Context } from 'koa'
import { type Answer, type Api, isUndecided, type Refused } from '../api.ts'
import { cardFrameId } from './card-frame.ts'
import { validateFurther } from './check.ts'
import { amountField, choiceIn, codeIn, type PayBody, savedCodeField, typedIn } from './form.ts'
import { aboutOf, checkoutPage, emptyFormState } from './view.ts'
import type { FormState } from './view.ts'
import { type Language, type Reader, readerOf } from '../language.ts'
import { allAtOnce } from './offer.ts'
import { type OwnFields, refusalWords, wordErrors } from './problems.ts'
import { type Screen, screenOf, type Session } from './screen.ts'
import { withoutLinkEnd } from '../link-end.ts'
import { readForm } from '../form.ts'
import { keyOfForm } from '../form-key.ts'
import { amountWords, problem } from '../problems.ts'
import type { Page, Render } from '../render.ts'
import { phoneCountriesOf } from './phone.ts'
import { type Kept, missingPage, unreadPage } from '../unread-page.ts'

type Means = {
  api: Api
  render: Render
  callFor: (ctx: Context) => Record<string, string>
}

/** One visit: the session, its path, who reads, and how the API is called. */
type Visit = {
  path: string
  /** The reader of a session's page; of a page without a session, null. */
  reader: (session: Session | null) => Reader
  call: <T>(method: 'GET' | 'POST', action: string, body?: object, key?: string) => Promise<Answer<T>>
}

/**
 * The hosted checkout: `GET /checkout/{client secret}` shows the state of a session, and its forms post to the same
 * address. A successful form is answered with a redirect to that page, so a reload repeats nothing. A script that asks
 * for JSON gets the address in place of the redirect.
 */
export function addCheckoutPage(router: Router, { api, render, callFor }: Means): void {
  const visit = async (ctx: Context): Promise<Visit | null> => {
    const secret = withoutLinkEnd((ctx['params'] as { secret: string }).secret)
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
    const reader: Visit['reader'] = (session) => readerOf(ctx, session?.locale ?? null)
    return { path: `/checkout/${secret}`, reader, call }
  }

  router.get('/checkout/:secret', async (ctx) => {
    const opened = await visit(ctx)
    render(ctx, opened ? await show(opened, ctx.query) : missingPage(readerOf(ctx, null).language))
  })

  router.post('/checkout/:secret', async (ctx) => {
    const opened = await visit(ctx)
    const form = await readForm(ctx)
    const { language } = readerOf(ctx, null)
    if (!opened) return render(ctx, missingPage(language))
    if (!form) return render(ctx, unavailable(noForm, language))
    const page = await submit(opened, form)
    if (page && page !== 'elsewhere') return render(ctx, page)
    const next = page ? `${opened.path}?go=1` : opened.path
    ctx.set('Cache-Control', 'no-store')
    // A script cannot see where a redirect leads, so ours asks for the address.
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = { goes_to: next }
      return
    }
    ctx.status = 303
    ctx.set('Location', next)
  })
}

const read = (visit: Visit) => visit.call<Session>('GET', 'public')

/**
 * `?other=1` chooses again, `?currency=NGN` shows the prices in that currency, `?receipt=1` keeps the receipt open,
 * `?go=1` goes on to a next step that is on another page, as the buyer has just pressed the button.
 * `?customer_email=` and `?customer_name=` are invalid details of a payment link's address, for the buyer to correct.
 */
async function show(visit: Visit, query: Context['query']): Promise<Page> {
  const answer = await read(visit)
  const { language, mark } = visit.reader(answer.ok ? answer.body : null)
  if (!answer.ok) return unavailable(answer.refused, language)
  const screen = screenOf(answer.body, query['other'] === '1')
  const typed = Object.fromEntries(
    Object.entries(taken).flatMap(([name, field]) => (typeof query[name] === 'string' ? [[field, query[name]]] : [])),
  )
  const unfit = answer.body.asks_customer ? ['email', 'name'].filter((field) => typed[field]).slice(0, 1) : []
  const errors = wordErrors(
    language,
    unfit.map((field) => ({ field: `customer_details.${field}`, message: '', type: '' })),
  )
  const result = unfit.length > 0 ? { errors, problem: problem(language, 'VALIDATION_ERROR', null) } : {}
  const [stays, goesOn] = [query['receipt'] === '1', query['go'] === '1']
  const request = { reader: { language, mark }, stays, goesOn }
  return checkoutPage(answer.body, screen, visit.path, { ...emptyFormState, ...result, typed }, request)
}

/** The query parameters that fill form fields, and these fields. */
const taken = { currency: 'currency', customer_email: 'email', customer_name: 'name' }

/** What a form leads to: a page with errors, the page of the session (null), or the next step, which is elsewhere. */
type Outcome = Page | 'elsewhere' | null
/** What the page reads of the answer to a form. */
type Attempt = Pick<Session, 'next_action'>
const outcomeOf = ({ next_action: action }: Attempt): Outcome => (action?.type === 'redirect' ? 'elsewhere' : null)

/** Carries out a form. */
async function submit(visit: Visit, form: URLSearchParams): Promise<Outcome> {
  const step = form.get('step') ?? ''
  const formState = { ...emptyFormState, typed: typedIn(form) }
  if (step === 'again') {
    return showAgain(visit, 'choose', {
      formState: { ...formState, formKey: form.get('form_key') || null },
      status: 200,
    })
  }
  const currency = form.get('currency')
  const isOther = step === 'pay' && form.has('shown') && currency !== null && currency !== form.get('shown')
  if (step === 'currency' || isOther) {
    const tell: Again['tell'] = ({ say }) => (isOther ? { problem: say('currency.changed', { currency }) } : {})
    return showAgain(visit, 'choose', { formState, tell, status: 200 })
  }
  if (step === 'pay') return pay(visit, form, formState)
  // Nothing is confirmed unless the form says so: an old browser may leave out which button was pressed.
  if (step !== 'confirm' && step !== 'code') return null
  const before = await read(visit)
  if (!before.ok) return unavailable(before.refused, visit.reader(null).language)
  // the session has changed: the page shows its current state
  if (aboutOf(before.body) !== form.get('about')) return null
  const answer = await act(visit, 'confirm', form, codeIn(form))
  if (answer.ok) return outcomeOf(answer.body)
  const { refused } = answer
  const tell: Again['tell'] = (language) => ({
    problem: refusalWords(language, refused),
    errors: wordErrors(language, refused.errors),
  })
  const again = { formState: { ...formState, formKey: keyAfter(refused, form) }, tell, status: refused.status, refused }
  return showAgain(visit, step === 'code' ? 'code' : 'confirm', again)
}

/** If the outcome of a call is unknown, the form keeps its idempotency key, so that a retry continues that call. */
const keyAfter = (refused: Refused, form: URLSearchParams) => (isUndecided(refused) ? form.get('form_key') : null)

async function pay(visit: Visit, form: URLSearchParams, formState: FormState): Promise<Outcome> {
  const body = await choiceOf(visit, form)
  const answer = await act(visit, 'pay', form, body)
  if (answer.ok) return outcomeOf(answer.body)
  const { refused } = answer
  const { status, code, errors } = refused
  const tell: Again['tell'] = (language, session) => {
    const further = code === 'VALIDATION_ERROR' ? validateFurther(body, session) : []
    const all = [...errors, ...further]
    return {
      problem: refusalWords(language, refused),
      errors: wordErrors(language, all, ownFields(language, { session, form, body })),
    }
  }
  return showAgain(visit, 'choose', {
    formState: { ...formState, formKey: keyAfter(refused, form) },
    tell,
    status,
    refused,
  })
}

/**
 * What the form chooses. A card whose price the button has shown is charged at once, unless its price is another one
 * now: then the buyer sees that one before they confirm it.
 */
async function choiceOf(visit: Visit, form: URLSearchParams): Promise<PayBody> {
  const mark = form.get('mark') ?? visit.reader(null).mark
  const body = choiceIn(form, mark === ',' ? mark : '.')
  const shown = form.getAll('at_once').find((value) => value.startsWith(`${form.get('method')} `))
  if (shown === undefined) return body
  const answer = await read(visit)
  const isSame = answer.ok && allAtOnce(answer.body).includes(shown)
  return isSame ? { ...body, confirm: true } : body
}

type Typed = { session: Session; form: URLSearchParams; body: PayBody }

/** The messages that depend on the form: for the amount of the picked product and the number of the chosen country. */
function ownFields(language: Language, { session, form, body }: Typed): OwnFields {
  const name = amountField(form)
  const [wanted] = body.products ?? []
  const picked = session.selection?.find(({ product_id }) => product_id === wanted?.product_id)
  const offer = session.payment_methods.find(({ payment_method }) => payment_method === body.payment_method)
  const countries = phoneCountriesOf(offer?.calling_codes ?? [], form.get('country') ?? '', language)
  const country = countries.find(({ isChosen }) => isChosen)
  const code = savedCodeField(form)
  const wrongPhone = country && language.say('wrong.phone.country', { country: country.name })
  return {
    ...(picked && { 'products.0.amount': { name, words: amountWords(language, picked, wanted?.amount) } }),
    ...(offer?.card_field && {
      card: { name: cardFrameId, words: language.say('wrong.card') },
      'card.token': { name: cardFrameId, words: language.say('wrong.card') },
    }),
    ...(code !== null && {
      'card.cvc': { name: code, words: language.say('wrong.cvc') },
      'card.cvc_token': { name: code, words: language.say('wrong.cvc') },
    }),
    ...(wrongPhone && { phone_number: { name: 'phone', words: wrongPhone } }),
  }
}

const act = (visit: Visit, action: string, form: URLSearchParams, body: object): Promise<Answer<Attempt>> =>
  visit.call('POST', action, body, keyOfForm(form.get('form_key'), body))

type Again = {
  formState: FormState
  /** What is wrong, in the language of the session, once that is read. */
  tell?: (language: Language, session: Session) => Partial<Pick<FormState, 'problem' | 'errors'>>
  status: number
  refused?: Refused
}

/** Shows the form again, with the typed values. Returns null if the session no longer shows this form. */
async function showAgain(visit: Visit, wanted: Screen, { formState, tell, status, refused }: Again) {
  const answer = await read(visit)
  const reader = visit.reader(answer.ok ? answer.body : null)
  if (!answer.ok) {
    // Only what was chosen can be sent again; any other page shows, once it can be read, what has become of its form.
    const kept = wanted === 'choose' ? { path: visit.path, ...formState } : null
    return unavailable({ ...answer.refused, ...refused, status: answer.refused.status }, reader.language, kept)
  }
  const screen = screenOf(answer.body, wanted === 'choose')
  if (screen !== wanted) return null
  const shown = { ...formState, ...tell?.(reader.language, answer.body) }
  return checkoutPage(answer.body, screen, visit.path, shown, { reader, status })
}

/** Of what is no form: its sender can do nothing about it. */
const noForm: Refused = { status: 400, code: '', errors: [], waitSeconds: null }

/**
 * The page if there is no session, or it cannot be read now. The secret in the address is the credential: where it is
 * refused, no such page exists.
 */
const unavailable = (refused: Refused, language: Language, kept: Kept | null = null): Page =>
  refused.status === 401 || refused.status === 403 ? missingPage(language) : unreadPage(refused, language, kept)
