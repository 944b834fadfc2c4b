import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import type { Language } from '../language.ts'

/** A country whose wallets can pay. `hint` is an example of its phone numbers. */
export type PhoneCountry = { code: string; name: string; hint: string; isChosen: boolean }

type Code = ReturnType<typeof getCountries>[number]

/** The countries with these calling codes, such as `+225`, by name. Chosen is the one chosen before, else the first. */
export function phoneCountriesOf(
  callingCodes: readonly string[],
  chosen: string | undefined,
  language: Language,
): PhoneCountry[] {
  const codes = countriesOf(callingCodes)
    .map((code) => ({ code, name: language.countryName(code) }))
    .toSorted((left, right) => left.name.localeCompare(right.name, language.code))
  const isKnown = codes.some(({ code }) => code === chosen)
  return codes.map(({ code, name }, index) => ({
    code,
    name,
    hint: hintOf(code, language),
    isChosen: isKnown ? code === chosen : index === 0,
  }))
}

const countriesOf = (callingCodes: readonly string[]): Code[] =>
  callingCodes.flatMap((calling) => getCountries().filter((code) => `+${getCountryCallingCode(code)}` === calling))

/** `Such as 023 123 4567 or +233 23 123 4567.` */
function hintOf(code: Code, { say }: Language): string {
  const example = getExampleNumber(code, examples)
  if (!example) return ''
  return say('phone.example', { national: example.formatNational(), international: example.formatInternational() })
}

/**
 * Turns a phone number in national or international form into E.164. A text that is no number is returned without its
 * spaces, and the API refuses it.
 */
export function readPhone(typed: string, country: string): string {
  const known = getCountries().find((code) => code === country)
  const number = parsePhoneNumberFromString(typed, known)
  return number?.isPossible() ? number.number : withoutPhoneMarks(typed)
}

/** A phone number as people write it, without its spaces, brackets, points and dashes. */
export const withoutPhoneMarks = (typed: string): string => typed.replaceAll(/[\s().-]/g, '')
