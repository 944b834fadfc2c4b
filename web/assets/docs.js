// Everything works without this file. With it, code can be copied, and all tabs follow the language that was chosen.
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
  const say = (words) => {
    button.textContent = words
    setTimeout(() => (button.textContent = 'Copy'), 2_000)
  }
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      say('Copied')
    } catch {
      say('Select and copy it')
    }
  })
  button.setAttribute('aria-live', 'polite')
  block.querySelector('p').append(button)
}

const nameOf = (input) => input.labels[0].textContent
const choices = [...document.querySelectorAll('.tabs > input')]
for (const input of choices) {
  input.addEventListener('change', () => {
    for (const other of choices) if (nameOf(other) === nameOf(input)) other.checked = true
  })
}
