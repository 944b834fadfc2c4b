// Everything works without this file. With it, the moments that a page and its timeline await count down. The server's clock counts,
// because that of the reader's computer may be wrong.
const aheadMs = new Date(document.querySelector('[data-now]').dataset.now) - Date.now()
const graceMs = 60_000 // what happens at a moment takes a moment itself
const [minute, hour, day] = [60, 3_600, 86_400]

const count = (number, unit) => `${number} ${unit}${number === 1 ? '' : 's'}`
const both = (seconds, large, largeUnit, small, smallUnit) => {
  const rest = Math.floor((seconds % large) / small)
  return count(Math.floor(seconds / large), largeUnit) + (rest > 0 ? ` ${count(rest, smallUnit)}` : '')
}

function leftWords(seconds) {
  if (seconds <= 0) return 'now'
  if (seconds < 2 * minute) return `in ${count(seconds, 'second')}`
  if (seconds < hour) return `in ${count(Math.floor(seconds / minute), 'minute')}`
  return `in ${seconds < day ? both(seconds, hour, 'hour', minute, 'minute') : both(seconds, day, 'day', hour, 'hour')}`
}

function countDown() {
  for (const place of document.querySelectorAll('[data-moment]')) {
    const leftMs = new Date(place.dataset.moment) - Date.now() - aheadMs
    const isOverdue = leftMs < -graceMs
    place.querySelector('.overdue').hidden = !isOverdue
    place.querySelector('.countdown').textContent = isOverdue ? '' : `(${leftWords(Math.ceil(leftMs / 1_000))})`
  }
}

countDown()
setInterval(countDown, 1_000)
