import { Type } from 'typebox'

/** What is wrong with an address as a whole; null if nothing is. */
export type WhyWrong = (url: string) => string | null

/** Checks a text that must be empty or an address that can be read, as its pattern alone cannot tell. */
export const readable = <T extends Type.TString>(type: T, whyWrong: WhyWrong = () => null) => {
  const why: WhyWrong = (url) => (url === '' ? null : (unreadable(url) ?? whyWrong(url)))
  return Type.Refine(
    type,
    (url) => why(String(url)) === null,
    (url) => why(String(url)) ?? '',
  )
}

const unreadable: WhyWrong = (url) => {
  try {
    const { username, password, pathname } = new URL(url)
    decodeURIComponent(username + password + pathname)
    return null
  } catch {
    return 'it cannot be read; in a password / is %2F, ? is %3F, # is %23, @ is %40 and % is %25'
  }
}
