// Texts of strangers on the dashboard, such as what a webhook receiver answers. Templates escape them.

const shownMax = 20_000

/** What a reader would not see, or what would show a text in another order: controls and marks of direction. */
const unseen = /[^\P{Cc}\n\t]|[\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu

/** A text as it is shown, with its invisible characters marked. It is cut if it is very long. */
export function shownText(text: string) {
  const isCut = text.length > shownMax
  return { text: text.replaceAll('\r\n', '\n').slice(0, shownMax).replaceAll(unseen, '\uFFFD'), isCut }
}

/** JSON with indentation; any other text as it is. */
export function shownJson(text: string) {
  try {
    return shownText(JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    return shownText(text)
  }
}
