import { Type } from 'typebox'

/** What is wrong with a text as a whole, in words that do not repeat it; null if nothing is. */
export type WhyWrong = (text: string) => string | null

/** Checks a text that must be empty or right as a whole, as its pattern alone cannot tell. */
export const refined = <T extends Type.TString>(type: T, whyWrong: WhyWrong) => {
  const why: WhyWrong = (text) => (text === '' ? null : whyWrong(text))
  return Type.Refine(
    type,
    (text) => why(String(text)) === null,
    (text) => why(String(text)) ?? '',
  )
}

/** Checks a text that must be empty or an address that can be read. */
export const readable = <T extends Type.TString>(type: T, whyWrong: WhyWrong = () => null) =>
  refined(type, (url) => unreadable(url) ?? whyWrong(url))

const unreadable: WhyWrong = (url) => {
  try {
    const { username, password, pathname } = new URL(url)
    decodeURIComponent(username + password + pathname)
    return null
  } catch {
    return 'it cannot be read; in a password / is %2F, ? is %3F, # is %23, @ is %40 and % is %25'
  }
}
