import { moment } from '../words.ts'

/** A time, with its text for browsers without scripts, which cannot show local time. Null if there is none. */
export const timeOf = (at: string | null): { at: string; words: string } | null =>
  at ? { at, words: moment(at) } : null

/** The end of an account number, phone number or wallet address, as staff see it. */
export const endingIn = (lastFour: string | null): string | null => (lastFour ? `•••• ${lastFour}` : null)
