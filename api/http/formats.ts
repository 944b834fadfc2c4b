import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** An officially assigned ISO 3166-1 alpha-2 code, in capitals as the standard writes it. */
export const isCountryCode = (text: string): boolean => Object.hasOwn(iso31661Alpha2ToAlpha3, text)

/**
 * An E.164 number: an existing country code and a number of digits that is in use there. Number ranges are not checked,
 * as countries open new ranges faster than libraries are updated.
 */
export function isPhoneNumber(text: string): boolean {
  if (!/^\+[1-9]\d{6,14}$/.test(text)) return false
  const number = parsePhoneNumberFromString(text)
  return number?.number === text && number.isPossible() // the parser removes a trunk prefix, so the text differs then
}
