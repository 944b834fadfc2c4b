// Everything works without this file. With it, waiting pages update without a reload, times are local and count down,
// account numbers can be copied, and card digits are grouped. A form keeps its typed values after an error or a change
// of the currency: the server never sends a card back.
const { pollSeconds, expiresIn, goesTo, goesAfter } = document.body.dataset
const every = Number(pollSeconds ?? 0)
/** The script's texts, in the language of the page. */
const words = JSON.parse(document.body.dataset.words)
const { lang } = document.documentElement
/** The conventions for dates: the browser's own, if it speaks the language of the page. */
const locale = navigator.language.split('-')[0] === lang ? [] : lang
const all = (selector) => document.querySelectorAll(selector)

function localize() {
  const style = { dateStyle: 'medium', timeStyle: 'short' }
  for (const time of all('time')) time.textContent = new Date(time.dateTime).toLocaleString(locale, style)
}

function offerCopies() {
  if (!navigator.clipboard) return
  for (const place of all('.copied')) {
    if (place.querySelector('.copy')) continue
    const text = place.dataset.copy ?? place.textContent.trim()
    const what = place.previousElementSibling.textContent
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: words.copy })
    button.setAttribute('aria-label', words.copyWhat.replace('{what}', () => what.toLocaleLowerCase(lang)))
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false)
      // The browser does not let the page copy: the text is selected, for the buyer to do it.
      if (!isCopied) return getSelection().setBaseAndExtent(place, 0, button, 0)
      button.textContent = words.copied
      say(words.copiedWhat.replace('{what}', () => what))
      setTimeout(() => (button.textContent = words.copy), 4_000)
    })
    place.append(' ', button)
  }
}

// A live region, through which screen readers announce changes of the page.
const voice = document.createElement('p')
voice.className = 'unseen'
voice.setAttribute('aria-live', 'polite')
document.body.append(voice)
function say(text) {
  voice.textContent = text
}

// The server's clock counts, because that of the buyer's device may be wrong.
const aheadOf = ({ body }) => (body.dataset.now ? new Date(body.dataset.now) - Date.now() : 0)
let aheadMs = aheadOf(document)
const now = () => Date.now() + aheadMs

const pad = (number) => String(number).padStart(2, '0')
const spoken = [30, 60, 120, 300, 600] // seconds left at which screen readers announce the time
let before = Infinity

/** Shows the time left until each deadline: hours, then minutes and seconds. */
function countDown() {
  for (const place of all('.left')) {
    const seconds = Math.max(0, Math.round((new Date(place.dataset.until) - now()) / 1_000))
    const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
    const clock = `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`
    place.textContent = seconds === 0 ? words.up : words.left.replace('{clock}', clock)
    place.classList.toggle('soon', seconds < 60)
    // Of several, which a device has slept through, the last one. When the time is up, none is left to announce.
    const due = spoken.find((moment) => seconds <= moment && before > moment)
    if (due && seconds > 0 && before !== Infinity) say(words.announced[due])
    before = seconds
  }
}

// The buyer's details from a link's address are in the form now, so they are removed from the address; so is the sign
// that the button has just been pressed, so that who comes back is not sent away again.
const here = new URL(location.href)
for (const name of ['customer_email', 'customer_name', 'go']) here.searchParams.delete(name)
if (here.href !== location.href) history.replaceState(null, '', here)

const screenOf = ({ body }) => body.dataset.screen
const aboutOf = (page) => page.querySelector('[name=about]')?.value
const parse = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html')

/** The page at an address; null if it does not arrive, or not whole. */
async function readPage(address) {
  try {
    const answer = await fetch(address, { headers: { accept: 'text/html' }, cache: 'no-store' })
    return answer.ok ? await parse(answer) : null
  } catch {
    return null
  }
}

/** Whether the page that was unavailable is there again. Asking opens no session of a payment link, as reading it would. */
async function isBack(address) {
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' })
    return status !== 429 && status < 500
  } catch {
    return false
  }
}

// Without the fragment: with it the browser would only scroll, not reload.
const reload = () => location.replace(location.pathname + location.search)

let timer
let lookedAt = Date.now()
let looks = 0
const lookIn = (seconds) => {
  clearTimeout(timer)
  timer = setTimeout(look, seconds * 1000)
}

// Only changed parts are replaced, so that screen readers announce nothing else.
async function look() {
  lookedAt = Date.now()
  const address = location.pathname + location.search
  if (screenOf(document) === 'unavailable') return (await isBack(address)) ? reload() : lookIn(Math.max(every, 15))
  const fresh = await readPage(address)
  if (!fresh) return lookIn(Math.max(every, 15))
  aheadMs = aheadOf(fresh)
  if (screenOf(fresh) !== screenOf(document)) return reload()
  // The payment to be confirmed has changed, in another tab or by the merchant.
  if (screenOf(fresh) !== 'choose' && aboutOf(fresh) !== aboutOf(document)) return reload()
  let hasChanged = false
  for (const id of ['news', 'facts']) {
    const [here, there] = [document.getElementById(id), fresh.getElementById(id)]
    if (!here || !there || there.outerHTML === shown.get(id)) continue
    shown.set(id, there.outerHTML)
    here.className = there.className
    here.replaceChildren(...there.childNodes)
    hasChanged = true
  }
  if (hasChanged) {
    document.querySelector('h1').textContent = fresh.querySelector('h1').textContent
    document.title = fresh.title
    dress()
  }
  if (every) lookIn(every)
  else lookIn(Math.max(Number(fresh.body.dataset.expiresIn), Math.min(5 * 2 ** looks++, 60)))
}

function dress() {
  localize()
  offerCopies()
  countDown()
  need()
}

const shown = new Map(['news', 'facts'].map((id) => [id, document.getElementById(id)?.outerHTML]))
dress()
setInterval(countDown, 1000)
// A form is not reloaded before its session has expired; then the page says so.
// A page that is unavailable is loaded whole each time, so it waits longer.
const first = every || Number(expiresIn)
if (first) lookIn(screenOf(document) === 'unavailable' ? Math.max(first, 10) : first)
// Timers do not run while a computer sleeps.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && (every || expiresIn) && Date.now() - lookedAt > 3_000) look()
})

// A new receipt redirects after a while. One that is opened again stays.
const [{ type } = {}] = performance.getEntriesByType('navigation')
const paidAt = document.querySelector('.receipt time')?.dateTime
const isFresh = type === 'navigate' && Math.abs(now() - new Date(paidAt)) < 120_000
if (goesTo && 'goesAtOnce' in document.body.dataset) location.replace(goesTo)
else if (goesTo && isFresh) setTimeout(() => location.assign(goesTo), Number(goesAfter) * 1000)
else document.getElementById('going')?.remove()

for (const button of all('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

// Only the fields of the chosen method are required.
function need() {
  for (const input of all('[data-needed]')) {
    const radio = input.closest('.method')?.querySelector('input[type=radio]')
    input.required = (radio?.checked ?? true) && input.offsetParent !== null
  }
  for (const list of all('[data-marks]')) showMark(list)
  window.cardFrame?.open()
  // The button says what the chosen method costs.
  const { button } = document.querySelector('.methods > .method > input:checked')?.dataset ?? {}
  const place = document.querySelector('main form > button[value=pay]')
  if (button && place) place.textContent = button
}

/** Of a list of marks, shows only that of what is typed or chosen, and all of them if there is none for it. */
function showMark(list) {
  const value = document.getElementById(list.dataset.marks)?.value ?? ''
  const digits = value.replace(/\D/g, '')
  const isIt = ({ dataset: { code, begins } }) =>
    begins ? new RegExp(begins).test(digits) : code === value || value.startsWith(`${code}_`)
  const marks = [...list.children]
  const found = marks.find(isIt)
  for (const mark of marks) mark.hidden = found !== undefined && mark !== found
  return found?.querySelector('[aria-label]')?.getAttribute('aria-label') ?? ''
}

/** The values of the form, by the names of the fields. */
function typedHere() {
  const fields = [...all('main form input:not([type=hidden]), main form select')]
  return new Map(fields.flatMap((field) => (field.type === 'radio' && !field.checked ? [] : [[field.name, field.value]])))
}

/** Copies the typed values into a new form of the server, which never has the card. */
function carryOver(typed, fresh) {
  for (const field of fresh.querySelectorAll('main form input:not([type=hidden]), main form select')) {
    const before = typed.get(field.name)
    if (before === undefined || field.name === 'currency') continue
    if (field.type === 'radio') {
      const kind = before.replace(/:[^:]*$/, '')
      // In another currency the same method stays chosen.
      field.checked ||= field.value === before || (field.name === 'method' && field.value.startsWith(`${kind}:`))
    } else if (field.tagName !== 'SELECT' || [...field.options].some(({ value }) => value === before)) {
      field.value = before
    }
  }
  const number = fresh.getElementById('number')
  if (number?.value) fresh.getElementById('emptied')?.remove()
}

/** Replaces this page by a new one of the server, and keeps the typed values. */
function replace(fresh) {
  const typed = typedHere()
  for (const left of fresh.querySelectorAll('noscript')) left.remove()
  for (const field of fresh.querySelectorAll('[autofocus]')) field.removeAttribute('autofocus')
  carryOver(typed, fresh)
  const scroll = scrollY
  for (const place of ['.summary', 'main']) {
    const [old, made] = [document.querySelector(place), fresh.querySelector(place)]
    if (!old || !made) continue
    old.after(made)
    window.cardFrame?.keep(old, made)
    old.remove()
  }
  document.title = fresh.title
  scrollTo(0, scroll)
  dress()
}

/** Shows an error that belongs to no field above the form. */
function complain(problem) {
  const notice = document.querySelector('main .notice') ?? document.createElement('div')
  const text = document.createElement('p')
  text.textContent = problem
  notice.className = 'notice'
  notice.setAttribute('role', 'alert')
  notice.replaceChildren(text)
  document.querySelector('main form').before(notice)
  notice.scrollIntoView({ block: 'nearest' })
}

async function send(form, button) {
  const isCard = button?.value === 'pay' && window.cardFrame
  if (isCard && !(await window.cardFrame.fill(form, complain))) return done()
  const body = new URLSearchParams(new FormData(form))
  if (button?.name) body.set(button.name, button.value) // FormData knows buttons only in browsers since 2023
  const address = form.getAttribute('action') // `form.action` would be a field of that name, as `form.method` is here
  const answer = await fetch(address, { method: 'post', body, headers: { accept: 'application/json, text/html' } })
  if (answer.redirected) return location.assign(answer.url) // by a server of the release before
  // The next page shows the result of the form.
  if (answer.headers.get('content-type')?.startsWith('application/json')) {
    return location.assign((await answer.json()).goes_to)
  }
  const fresh = await parse(answer)
  if (screenOf(fresh) !== screenOf(document)) {
    complain(fresh.querySelector('main [role=status]')?.textContent ?? words.unreachable)
    return done()
  }
  replace(fresh)
  done()
  const first = document.querySelector('main [aria-invalid]')
  if (first) first.focus()
  else document.querySelector('main .notice')?.scrollIntoView({ block: 'nearest' })
}

// A native form leads to another page. Where that never comes, as somebody has stopped it, the next press counts again.
const patienceMs = 20_000
let isSending = false
let patience
function done() {
  isSending = false
  clearTimeout(patience)
  for (const button of all('[aria-busy]')) button.removeAttribute('aria-busy')
}

/** Says at once that a file is too long: the server could say so only once it has arrived. */
function isTooLong(form) {
  const input = form.querySelector('input[type=file][data-bytes-max]')
  const isLong = (input?.files[0]?.size ?? 0) > Number(input?.dataset.bytesMax)
  if (!isLong) return false
  const place = document.getElementById(`${input.id}-error`)
  place.hidden = false
  place.textContent = words.file
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', `${input.id}-error ${input.id}-hint`)
  input.focus()
  say(place.textContent)
  return true
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (isTooLong(form)) return event.preventDefault()
  if (isSending) return event.preventDefault()
  if (form.target === '_blank') return // this page stays, and its other forms can still be sent
  isSending = true
  const button = event.submitter ?? form.querySelector('button') // browsers before 2022 do not say which
  button?.setAttribute('aria-busy', 'true')
  // The pages of the other sites redirect to other addresses.
  const isOurs = form.getAttribute('method') === 'post' && 'keepsTyped' in document.body.dataset
  if (!isOurs || screenOf(document) === 'unavailable') {
    patience = setTimeout(done, patienceMs)
    return
  }
  event.preventDefault()
  send(form, button).catch(() => {
    complain(words.unreachable)
    done()
  })
})
// A page restored from the browser's cache can be submitted again, and so can one whose next page was stopped.
addEventListener('pageshow', done)
window.navigation?.addEventListener('navigateerror', done)

let brand = ''
function tellBrand(name) {
  if (name !== '' && name !== brand) say(name)
  brand = name
}

let changes = 0

/** Shows the prices and methods of another currency, and keeps the typed values. */
async function payIn(list) {
  // The form that is under way says in which currency it pays.
  if (isSending) return (list.value = document.querySelector('[name=shown]').value)
  const change = ++changes
  const address = new URL(location.href)
  address.searchParams.set('currency', list.value)
  const fresh = await readPage(address)
  // Another currency has been chosen since, or the form is under way: it is sent with the fields that it had.
  if (change !== changes || isSending) return
  if (!fresh || screenOf(fresh) !== screenOf(document)) {
    list.value = document.querySelector('[name=shown]').value
    return complain(words.unreachable)
  }
  history.replaceState(null, '', address)
  replace(fresh)
  document.getElementById('paid-in')?.focus()
  say(words.prices.replace('{currency}', list.value))
}

document.addEventListener('change', ({ target }) => {
  need()
  if (target.id === 'paid-in') return payIn(target)
  const { hint } = target.selectedOptions?.[0]?.dataset ?? {}
  const place = document.getElementById('phone-hint')
  if (hint && place) place.textContent = hint
})
// A browser that goes back to a page may restore another choice than the one that the page shows.
const list = document.getElementById('paid-in')
if (list && list.value !== document.querySelector('[name=shown]').value) payIn(list)

const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code))

/** The text with the digits of all scripts as 0 to 9: some keyboards write Arabic ones. Unicode has ten in a row. */
const inLatin = (text) =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)
    let value = 0
    while (value < 9 && isDigit(code - value - 1)) value++
    return value
  })

// Digits are grouped as on a card, but not while the caret is in the middle of them.
const groupings = {
  number: (text) =>
    inLatin(text)
      .replace(/\D/g, '')
      .slice(0, 19)
      .replace(/(.{4})(?=.)/g, '$1 '),
  // As it is printed, whether the slash is typed, filled in or left out: a keypad of digits has none.
  expiry: (text) =>
    inLatin(text)
      .replace(/[\s/.\-\u2013]+/g, '/')
      .replace(/^\//, '')
      .replace(/^(\d\d\/\d\d(\d\d)?)\/$/, '$1')
      .replace(/^([2-9])$/, '0$1')
      .replace(/^([1-9])\//, '0$1/')
      .replace(/^(0[1-9]|1[0-2])\/?(?=\d|$)/, '$1/'),
}
document.addEventListener('input', ({ target, inputType, isComposing }) => {
  // Screen readers announce the brand of a card once its first digits are typed.
  const list = document.querySelector(`[data-marks='${target.id}']`)
  if (list) tellBrand(showMark(list))
  const write = groupings[target.id]
  if (!write || isComposing || inputType?.startsWith('delete')) return
  if (target.selectionStart === target.value.length) target.value = write(target.value)
})
