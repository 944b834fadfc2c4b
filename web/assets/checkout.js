// Everything works without this file. With it, a waiting page changes without a reload, times are the buyer's own and
// count down, account numbers can be copied, cards are grouped as they are printed, and a form that was sent shows it.
const { pollSeconds, goesTo, goesAfter } = document.body.dataset
const every = Number(pollSeconds)
const all = (selector) => document.querySelectorAll(selector)

function localize() {
  const style = { dateStyle: 'medium', timeStyle: 'short' }
  for (const time of all('time')) time.textContent = new Date(time.dateTime).toLocaleString([], style)
}

function offerCopies() {
  if (!navigator.clipboard) return
  for (const place of all('.copied:not(:has(.copy))')) {
    const text = place.dataset.copy ?? place.textContent.trim()
    const what = place.previousElementSibling.textContent
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
    button.setAttribute('aria-label', `Copy ${what.toLowerCase()}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
      say(`${what} copied`)
      setTimeout(() => (button.textContent = 'Copy'), 4_000)
    })
    place.append(' ', button)
  }
}

// One quiet place from which readers of the screen hear what happens to those who see it.
const voice = document.createElement('p')
voice.className = 'unseen'
voice.setAttribute('aria-live', 'polite')
document.querySelector('main').append(voice)
function say(words) {
  voice.textContent = words
}

const count = (number, unit) => `${number} ${unit}${number === 1 ? '' : 's'}`
const pad = (number) => String(number).padStart(2, '0')
const spoken = [600, 300, 120, 60, 30] // seconds left at which a reader of the screen is told
let before = Infinity

/** Shows how long each deadline is away: hours, then minutes and seconds. */
function countDown() {
  for (const place of all('.left')) {
    const seconds = Math.max(0, Math.round((new Date(place.dataset.until) - Date.now()) / 1_000))
    const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
    const clock = `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`
    place.textContent = seconds === 0 ? 'The time is up' : `${clock} left`
    place.classList.toggle('soon', seconds < 60)
    const due = spoken.find((moment) => seconds <= moment && before > moment)
    if (due && before !== Infinity) say(due < 60 ? `${count(due, 'second')} left` : `${count(due / 60, 'minute')} left`)
    before = seconds
  }
}

// Only what has changed is replaced, so that readers of the screen hear the news and nothing else.
async function look() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return setTimeout(look, Math.max(every, 15) * 1000)
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (fresh.body.dataset.screen !== document.body.dataset.screen) return location.replace(location.href)
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
    localize()
    offerCopies()
    countDown()
  }
  setTimeout(look, every * 1000)
}

const shown = new Map(['news', 'facts'].map((id) => [id, document.getElementById(id)?.outerHTML]))
localize()
offerCopies()
countDown()
setInterval(countDown, 1000)
if (every) setTimeout(look, every * 1000)

// A receipt that is opened again, or come back to, stays; one that has just been written goes on in a while.
const [{ type } = {}] = performance.getEntriesByType('navigation')
const paidAt = document.querySelector('.receipt time')?.dateTime
const isFresh = type === 'navigate' && Math.abs(Date.now() - new Date(paidAt)) < 120_000
if (goesTo && isFresh) setTimeout(() => location.assign(goesTo), Number(goesAfter) * 1000)
else document.getElementById('going')?.remove()

for (const button of all('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

// What the chosen way asks for is needed, what the others ask for is not.
function need() {
  for (const input of all('[data-needed]')) {
    const radio = input.closest('.method')?.querySelector('input[type=radio]')
    input.required = (radio?.checked ?? true) && input.checkVisibility()
  }
}
need()
document.addEventListener('change', need)

// Digits are grouped as on a card, but never under a caret that is in the middle of them.
function groupAs(id, write) {
  const input = document.getElementById(id)
  input?.addEventListener('input', (event) => {
    if (input.selectionStart !== input.value.length || event.inputType?.startsWith('delete')) return
    input.value = write(input.value)
  })
}
groupAs('number', (text) => text.replace(/\D/g, '').slice(0, 19).replace(/(.{4})(?=.)/g, '$1 '))
groupAs('expiry', (text) => text.replace(/^([2-9])$/, '0$1').replace(/^(0[1-9]|1[0-2])\/?(?=\d|$)/, '$1/'))

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    event.submitter?.setAttribute('aria-busy', 'true')
  })
}
// A page that comes back from the browser's cache may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
  for (const button of all('[aria-busy]')) button.removeAttribute('aria-busy')
})
