import { isDay } from '../duration.ts'

/** What a person is for an account. */
export const personRoles = ['representative', 'owner', 'director'] as const

/** The most persons that an account may list. */
export const personsMax = 30

/** The whole of a company, in hundredths of a percent. */
export const wholeBasisPoints = 10_000

/** Whether a text is a possible day of birth, as `YYYY-MM-DD`; `at` is in milliseconds since the epoch. */
export const isBirthday = (text: string, at: number): boolean => isDay(text) && text >= '1900' && Date.parse(text) <= at
