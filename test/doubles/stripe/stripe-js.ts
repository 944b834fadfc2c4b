import type { Page, Route } from 'playwright-core'
import type { startStripeDouble } from './double.ts'

type Double = Awaited<ReturnType<typeof startStripeDouble>>

/** The origins of Stripe from which a page with its field loads something. */
export const stripeOrigins = ['https://js.stripe.com', 'https://api.stripe.com', 'https://hooks.stripe.com']

/** Cards that do something, by their numbers as in Stripe's own test mode. All others pay. */
const behaviours: Record<string, Parameters<Double['addCard']>[0]> = {
  '4000000000000002': { declines: 'generic_decline' },
  '4000003800000446': { asks: true },
}

/** What reached Stripe from the browser: the address that its script saw, the headers, and the numbers. */
export type Seen = { scripts: number; addresses: string[]; referrers: string[]; numbers: string[]; names: string[] }

/**
 * Answers for Stripe in a browser: its script, which opens each input in a frame of its own origin, its API for tokens,
 * and the page of the buyer's bank (docs.stripe.com/js: Elements, createPaymentMethod, createToken). As Stripe's does,
 * the script sends the address of the document in which it runs. Unlike Stripe's it gives its frames no style, as if
 * the policy of the page refused that. With `isBlocked` the script does not come.
 */
export async function serveStripeJs(
  page: Page,
  double: Double,
  { isBlocked = (): boolean => false } = {},
): Promise<Seen> {
  const seen: Seen = { scripts: 0, addresses: [], referrers: [], numbers: [], names: [] }
  const answerJson = (route: Route, body: unknown) =>
    route.fulfill({ json: body, headers: { 'access-control-allow-origin': '*' } })

  await page.route('https://js.stripe.com/v3/', async (route) => {
    seen.scripts += 1
    seen.referrers.push(route.request().headers()['referer'] ?? '')
    if (isBlocked()) return route.abort()
    return route.fulfill({ contentType: 'text/javascript', body: script })
  })
  await page.route('https://js.stripe.com/v3/element.html*', async (route) => {
    seen.referrers.push(route.request().headers()['referer'] ?? '')
    return route.fulfill({ contentType: 'text/html', body: element })
  })
  await page.route('https://js.stripe.com/v3/controller.html', async (route) => {
    seen.referrers.push(route.request().headers()['referer'] ?? '')
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Controller</title>' })
  })
  await page.route('https://api.stripe.com/v1/**', async (route) => {
    const params = new URLSearchParams(route.request().postData() ?? '')
    seen.addresses.push(params.get('referrer') ?? '')
    seen.names.push(params.get('billing_details[name]') ?? '')
    if (params.get('cvc_update[cvc]') !== null) return answerJson(route, { id: double.saved.addSecurityCode() })
    const number = params.get('card[number]') ?? ''
    seen.numbers.push(number)
    if (number === '4000000000000069')
      return answerJson(route, { error: { type: 'card_error', code: 'incorrect_number', message: 'Stripe’s words' } })
    return answerJson(route, { id: double.addCard(behaviours[number]), object: 'payment_method', type: 'card' })
  })
  await page.route('https://hooks.stripe.com/3d_secure_2/**', async (route) => {
    const [, id = '', decision] = /3d_secure_2\/(\w+)(?:\/(\w+))?$/.exec(route.request().url()) ?? []
    seen.referrers.push(route.request().headers()['referer'] ?? '')
    const { next_action: action } = double.books.get('payment_intent', id) as {
      next_action?: { redirect_to_url: { return_url: string } }
    }
    const back = action?.redirect_to_url.return_url ?? ''
    if (decision !== undefined) double.payments.finishAtBank(id, decision === 'approve')
    const body =
      decision === undefined
        ? `<title>Bank</title><h1>Your bank</h1><a href="/3d_secure_2/${id}/approve">Approve</a>
           <a href="/3d_secure_2/${id}/refuse">Refuse</a>`
        : `<title>Bank</title><h1>Thank you</h1><a href="${back}">Return</a>`
    return route.fulfill({ contentType: 'text/html', body })
  })
  return seen
}

const script = `
window.Stripe = (key) => {
  const controller = document.createElement('iframe')
  controller.src = 'https://js.stripe.com/v3/controller.html'
  controller.title = 'Stripe'
  controller.ariaHidden = 'true'
  document.body.append(controller)
  if (!/^pk_(live|test)_/.test(key)) throw new Error('no publishable key')
  const waiting = new Map()
  let count = 0
  addEventListener('message', ({ origin, data }) => {
    if (origin === 'https://js.stripe.com') waiting.get(data.id)?.(data)
  })
  function create(type, { style } = {}) {
    const id = type + ++count
    const handlers = {}
    let frame
    let box
    const post = (message) => frame.contentWindow.postMessage(message, 'https://js.stripe.com')
    const element = {
      ask: (message) => new Promise((resolve) => {
        waiting.set(message.id, resolve)
        post(message)
      }),
      on: (name, handle) => (handlers[name] = handle),
      focus: () => post({ do: 'focus' }),
      update: (options) => post({ do: 'style', style: options.style }),
      mount(where) {
        box = document.querySelector(where)
        box.classList.add('StripeElement')
        frame = document.createElement('iframe')
        frame.title = 'Secure ' + type + ' input frame'
        const given = encodeURIComponent(JSON.stringify({ id, type, style, key }))
        frame.src = 'https://js.stripe.com/v3/element.html#' + given
        const around = document.createElement('div')
        around.append(frame)
        box.append(around)
        document.querySelector('label[for="' + box.id + '"]')?.addEventListener('click', element.focus)
        waiting.set(id, ({ event, ...data }) => {
          if (event === 'focus' || event === 'blur') box.classList.toggle('StripeElement--focus', event === 'focus')
          if (event === 'enter') box.closest('form')?.requestSubmit()
          handlers[event]?.(data)
        })
      },
    }
    return element
  }
  async function tokenize(element, details) {
    const message = { do: 'tokenize', id: 'answer' + ++count, details: { ...details, referrer: location.href } }
    return (await element.ask(message)).answer
  }
  return {
    elements: () => ({ create }),
    async createPaymentMethod({ card, billing_details }) {
      const name = billing_details?.name
      const answer = await tokenize(card, name === undefined ? {} : { 'billing_details[name]': name })
      return answer.error ? answer : { paymentMethod: answer }
    },
    async createToken(type, element) {
      const answer = await tokenize(element, { type })
      return answer.error ? answer : { token: answer }
    },
  }
}`

/** One input of Elements, in its own origin. What is typed stays in these frames until a token is made of it. */
const element = `<!doctype html><html lang="en"><title>Input</title><style>
  html, body { margin: 0; color-scheme: light dark; background: transparent; }
  input { width: 100%; padding: 0; border: 0; outline: 0; background: transparent; line-height: 1.2em; }
</style><input autocomplete="off"><script>
  const { id, type, style } = JSON.parse(decodeURIComponent(location.hash.slice(1)))
  const input = document.querySelector('input')
  const names = { card: 'Card', cardNumber: 'Card number', cardExpiry: 'Expiration date', cardCvc: 'CVC' }
  const lengths = { card: 23, cardNumber: 16, cardExpiry: 4, cardCvc: 3 }
  const codes = { card: 'number', cardNumber: 'number', cardExpiry: 'expiry', cardCvc: 'cvc' }
  input.setAttribute('aria-label', names[type])
  input.placeholder = { cardNumber: '1234 1234 1234 1234', cardExpiry: 'MM / YY', cardCvc: 'CVC' }[type]
  const dress = ({ base: { color, fontFamily, fontSize } }) =>
    Object.assign(input.style, { color, fontFamily, fontSize })
  if (style) dress(style)
  window.digits = () => input.value.replace(/\\D/g, '')
  window.type = type
  const say = (message) => parent.postMessage({ id, ...message }, '*')
  const isPast = () => type === 'cardExpiry' && digits().length === 4 && Number(digits().slice(2)) < 26
  const change = (isLeft) => {
    const complete = digits().length >= lengths[type] && !isPast()
    const code = isPast() ? 'invalid_expiry_year_past' : 'incomplete_' + codes[type]
    const isWrong = isPast() || (isLeft && digits() !== '' && !complete)
    const error = isWrong ? { type: 'validation_error', code, message: 'Stripe’s words' } : undefined
    say({ event: 'change', complete, empty: input.value === '', error })
  }
  input.addEventListener('input', () => change(false))
  input.addEventListener('blur', () => { change(true); say({ event: 'blur' }) })
  input.addEventListener('focus', () => say({ event: 'focus' }))
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && say({ event: 'enter' }))
  addEventListener('message', async ({ data }) => {
    if (data.do === 'focus') return input.focus()
    if (data.do === 'style') return dress(data.style)
    if (data.do !== 'tokenize') return
    const typed = {}
    for (let index = 0; index < parent.frames.length; index++) {
      try { typed[parent.frames[index].type] = parent.frames[index].digits() } catch {}
    }
    if (typed.card) {
      const [, cardNumber, cardExpiry, cardCvc] = /^(.{16})(.{4})(.{3})$/.exec(typed.card)
      Object.assign(typed, { cardNumber, cardExpiry, cardCvc })
    }
    const fields = type === 'cardCvc'
      ? { 'cvc_update[cvc]': typed.cardCvc }
      : { 'card[number]': typed.cardNumber, 'card[exp]': typed.cardExpiry, 'card[cvc]': typed.cardCvc }
    const path = type === 'cardCvc' ? 'tokens' : 'payment_methods'
    const body = new URLSearchParams({ ...fields, ...data.details })
    const answer = await fetch('https://api.stripe.com/v1/' + path, { method: 'post', body })
      .then((reply) => reply.json())
      .catch(() => ({ error: { type: 'api_connection_error' } }))
    parent.postMessage({ id: data.id, answer }, '*')
  })
</script>`
