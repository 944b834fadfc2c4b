// Runs in a frame of the checkout page: mounts the provider's field (Stripe Elements), and makes a token of what is
// typed there. The address of this document has no secret, as the provider's script reads it.
const { kind, locale, script: source, words: texts } = document.body.dataset
const words = JSON.parse(texts)
/** Where the frame stands in the page around it; null if it was opened by itself, where it does nothing. */
const place = () => window.frameElement?.closest('[data-frame]') ?? null
const at = (id) => document.getElementById(id)
const types = kind === 'card' ? { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' } : { cvc: 'cardCvc' }
const ids = Object.keys(types)

/** What the provider said last of each of its inputs: whether it is complete, and the code of its error. */
const known = Object.fromEntries(ids.map((id) => [id, { isComplete: false, code: '' }]))
const inputs = {}
let stripe = null

/** The page's own colours and type, as the inputs are in documents that its styles do not reach. */
function look() {
  const { fontFamily } = getComputedStyle(document.body)
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const base = { color: colour('--ink'), fontFamily, fontSize: '16px', '::placeholder': { color: colour('--soft') } }
  return { base, invalid: { color: colour('--wrong'), iconColor: colour('--wrong') } }
}

/** The frame has the ground of the form behind it: a transparent one would be white where the browser is dark. */
function ground() {
  let behind = place()
  const isClear = () => /^(transparent|rgba\(.*, 0\))$/.test(getComputedStyle(behind).backgroundColor)
  while (isClear() && behind.parentElement) behind = behind.parentElement
  document.body.style.backgroundColor = getComputedStyle(behind).backgroundColor
}

const errorOf = (id, code) => (id === 'expiry' && /past/.test(code) ? words.past : words[id])

/** Says what is wrong with an input, or nothing. Screen readers announce a new text. */
function tell(id, text) {
  at(id).classList.toggle('wrong', text !== '')
  if (at(`${id}-error`).textContent !== text) at(`${id}-error`).textContent = text
}

function hear(id, { complete, error }) {
  known[id] = { isComplete: complete, code: error?.code ?? '' }
  tell(id, error ? errorOf(id, error.code) : '')
  at('failed').textContent = ''
  place().querySelector('input').value = '' // the token was of another card
}

function mount() {
  const provider = window.Stripe(place().dataset.key)
  const elements = provider.elements({ locale })
  for (const [id, type] of Object.entries(types)) {
    // Link, Stripe's own wallet, would need other origins.
    const input = elements.create(type, { style: look(), ...(type === 'cardNumber' && { disableLink: true }) })
    input.on('change', (event) => hear(id, event))
    input.mount(`#${id}`)
    inputs[id] = input
  }
  stripe = provider
}

const waitMs = 15_000
let loading = null

/** Loads the provider's script. Resolves to false if it does not come: the page then says so, and it can be tried again. */
function load() {
  at('lost').hidden = true
  at('fields').hidden = false
  loading = new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = source
    script.onload = () => resolve(Boolean(window.Stripe))
    script.onerror = () => resolve(false)
    document.head.append(script)
    setTimeout(() => resolve(false), waitMs)
  })
    .then((isLoaded) => {
      if (isLoaded && !stripe) mount()
      return isLoaded
    })
    .catch(() => false)
    .then((isMounted) => {
      at('fields').hidden = !isMounted
      at('lost').hidden = isMounted
      return isMounted
    })
}

/** Which input an error of the provider is about; null where it is about none of them. */
function inputOf({ code = '' }) {
  if (/number/.test(code)) return 'number'
  if (/expir/.test(code)) return 'expiry'
  return /cvc/.test(code) ? 'cvc' : null
}

/** The token of what is typed; null if there is none, after the frame has said why. */
async function make(name) {
  if (!(await loading)) {
    at('again').focus()
    return null
  }
  const wrong = ids.filter((id) => !known[id].isComplete)
  for (const id of ids) tell(id, wrong.includes(id) ? errorOf(id, known[id].code) : '')
  if (wrong.length > 0) {
    inputs[wrong[0]].focus()
    return null
  }
  const owner = name ? { billing_details: { name } } : {}
  const request =
    kind === 'card'
      ? stripe.createPaymentMethod({ type: 'card', card: inputs.number, ...owner })
      : stripe.createToken('cvc_update', inputs.cvc)
  const { paymentMethod, token, error } = await request.catch(() => ({ error: {} }))
  if (!error) return (paymentMethod ?? token).id
  const id = inputOf(error)
  if (id in inputs) {
    tell(id, errorOf(id, error.code))
    inputs[id].focus()
  } else at('failed').textContent = words.failed
  return null
}

/** The frame is as high as what it shows. */
function fit() {
  window.frameElement.style.height = `${Math.ceil(document.body.scrollHeight)}px`
}

if (place()) {
  window.cardField = { make }
  new ResizeObserver(fit).observe(document.body)
  at('again').addEventListener('click', load)
  // Enter in one of the inputs sends the form of the page.
  at('fields').addEventListener('submit', (event) => {
    event.preventDefault()
    const form = place().closest('form')
    form.requestSubmit(form.querySelector('button[value=pay]:not(.unseen)'))
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    ground()
    for (const input of Object.values(inputs)) input.update({ style: look() })
  })
  ground()
  load()
}
