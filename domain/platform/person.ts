/** What a person is for an account. */
export const personRoles = ['representative', 'owner', 'director'] as const

/** The most persons that an account may list. */
export const personsMax = 30

/** The whole of a company, in hundredths of a percent. */
export const wholeBasisPoints = 10_000

/** The days of a month of a year; the month counts from 1. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Whether a text is a possible day of birth, as `YYYY-MM-DD`; `at` is in milliseconds since the epoch. */
export function isBirthday(text: string, at: number): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  if (year < 1900 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false
  return Date.UTC(year, month - 1, day) <= at
}
