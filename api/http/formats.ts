import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** An officially assigned ISO 3166-1 alpha-2 code, in capitals as the standard writes it. */
export const isCountryCode = (text: string): boolean => Object.hasOwn(iso31661Alpha2ToAlpha3, text)

/**
 * An E.164 number: a country code that exists, and after it as many digits as are in use there. Whether they belong to
 * a range in use is not asked: ranges are opened faster than any library is brought up to date.
 */
export function isPhoneNumber(text: string): boolean {
  if (!/^\+[1-9]\d{6,14}$/.test(text)) return false
  const number = parsePhoneNumberFromString(text)
  return number?.number === text && number.isPossible() // another text comes back where a trunk prefix was left in
}
