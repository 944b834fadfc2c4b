// Opens the frame with the provider's field for a card, and asks it for a token before the form is sent. The number is
// typed into the provider's own document: neither this page nor its server ever has it.
window.cardFrame = {
  /** Opens the frame of the chosen method, once. */
  open() {
    for (const place of document.querySelectorAll('[data-frame]')) {
      if (place.querySelector('iframe') || !window.cardFrame.isChosen(place)) continue
      const frame = document.createElement('iframe')
      frame.title = place.dataset.title
      frame.src = place.dataset.frame
      place.append(frame)
    }
  },

  isChosen(place) {
    const radio = place.closest('.method')?.querySelector('input[type=radio]')
    return (radio?.checked ?? true) && place.offsetParent !== null
  },

  /** Puts the token of the chosen card into the form. Returns false if there is none: then the frame says why. */
  async fill(form, complain) {
    const place = [...form.querySelectorAll('[data-frame]')].find(window.cardFrame.isChosen)
    const token = place?.querySelector('input')
    // After an answer that never came, the same card is the same call again.
    if (!token || token.value !== '') return true
    const field = place.querySelector('iframe')?.contentWindow?.cardField
    if (!field) {
      complain(place.dataset.lost)
      return false
    }
    token.value = (await field.make(form.elements.name?.value ?? place.dataset.owner)) ?? ''
    return token.value !== ''
  },

  /** Moves the frames into a new form, with what was typed. A browser that cannot do so opens them anew. */
  keep(here, there) {
    for (const frame of here.querySelectorAll('[data-frame] iframe')) {
      const { name } = frame.closest('[data-frame]').querySelector('input')
      const place = [...there.querySelectorAll('[data-frame]')].find((each) => each.querySelector('input').name === name)
      if (!place?.moveBefore) continue
      place.moveBefore(frame, null)
      place.querySelector('#emptied')?.remove()
    }
  },
}
