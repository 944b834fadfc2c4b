// Everything works without this file. With it, a waiting page changes without a reload, times are the buyer's own,
// account numbers can be copied, and a form that was sent shows it.
const pollSeconds = Number(document.body.dataset.pollSeconds)

function localize() {
  const style = { dateStyle: 'medium', timeStyle: 'short' }
  for (const time of document.querySelectorAll('time')) {
    time.textContent = new Date(time.dateTime).toLocaleString([], style)
  }
}

function offerCopies() {
  if (!navigator.clipboard) return
  for (const place of document.querySelectorAll('.copied:not(:has(.copy))')) {
    const text = place.dataset.copy ?? place.textContent.trim()
    const what = place.previousElementSibling.textContent
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
    button.setAttribute('aria-label', `Copy ${what.toLowerCase()}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    })
    place.append(' ', button)
  }
}

// Only what has changed is replaced, so that readers of the screen hear the news and nothing else.
async function look() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return setTimeout(look, Math.max(pollSeconds, 15) * 1000)
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
  }
  setTimeout(look, pollSeconds * 1000)
}

const shown = new Map(['news', 'facts'].map((id) => [id, document.getElementById(id)?.outerHTML]))
localize()
offerCopies()
if (pollSeconds) setTimeout(look, pollSeconds * 1000)

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
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
})
