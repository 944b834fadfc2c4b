import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js'
import { readPhone } from '../checkout/phone.ts'
import type { Field, Option } from './onboarding-field.ts'
import type { SellerAccount } from './onboarding-visit.ts'
import { countryName } from './requirement-words.ts'

// The inputs about persons, and those of addresses.

/** What most inputs have. */
export const text = { kind: 'text', maxlength: 255, autocomplete: 'off' } as const

export const numberWords = 'Enter the number as it is written on the document: letters, digits and dashes.'

const byName = (left: Option, right: Option) => left.name.localeCompare(right.name)

/** Countries by name, after a line for none. */
export const countriesOf = (codes: readonly string[]): Option[] => [
  { code: '', name: 'Choose one' },
  ...codes.map((code) => ({ code, name: countryName(code) })).toSorted(byName),
]
const allCountries = countriesOf(Object.keys(iso31661Alpha2ToAlpha3))

type Part = Pick<Field, 'name' | 'label' | 'path' | 'autocomplete'> & Partial<Field>

/** A part of an address; without more it is optional. */
const partOf = (part: Part): Field => ({
  ...text,
  code: null,
  missing: '',
  wrong: 'Enter at most 255 characters.',
  ...part,
})

/** The fields of a postal address. `prefix` is its place in the body, `codes` that of its requirements. */
export function addressFields(prefix: '' | 'company.', codes: 'company' | 'representative'): Field[] {
  const at = (part: string) => `${prefix}address.${part}`
  const isHome = codes === 'representative'
  const street = 'Enter the street and number.'
  const country = 'Choose the country of the address.'
  return [
    partOf({
      name: 'line1',
      label: isHome ? 'Home address' : 'Business address',
      path: at('line1'),
      autocomplete: 'address-line1',
      code: `${codes}.address.line1`,
      missing: street,
      wrong: street,
    }),
    partOf({ name: 'line2', label: 'Address, second line', path: at('line2'), autocomplete: 'address-line2' }),
    partOf({
      name: 'city',
      label: 'City',
      path: at('city'),
      autocomplete: 'address-level2',
      code: `${codes}.address.city`,
      missing: 'Enter the city.',
    }),
    partOf({ name: 'state', label: 'State or region', path: at('state'), autocomplete: 'address-level1' }),
    partOf({
      name: 'postal_code',
      label: 'Postal code',
      path: at('postal_code'),
      autocomplete: 'postal-code',
      code: isHome ? null : 'company.address.postal_code',
      missing: 'Enter the postal code.',
    }),
    partOf({
      name: 'address_country',
      label: 'Country of the address',
      path: at('country'),
      autocomplete: 'country',
      kind: 'select',
      code: `${codes}.address.city`,
      missing: country,
      wrong: country,
      options: allCountries,
    }),
  ]
}

const firstName: Field = {
  ...text,
  name: 'first_name',
  label: 'First name',
  path: 'first_name',
  code: 'representative.first_name',
  missing: 'Enter the first name.',
  wrong: 'Enter a name of at most 100 characters.',
  maxlength: 100,
}
const lastName: Field = {
  ...firstName,
  name: 'last_name',
  label: 'Last name',
  path: 'last_name',
  code: 'representative.last_name',
  missing: 'Enter the last name.',
}
const dateOfBirth: Field = {
  ...text,
  name: 'date_of_birth',
  label: 'Date of birth',
  kind: 'secret',
  path: 'date_of_birth',
  code: 'representative.date_of_birth',
  missing: 'Enter the date of birth.',
  wrong: 'Enter a date of birth in the past.',
  maxlength: 10,
  type: 'date',
}

/** The person who acts for the account. `country` is that of the business. */
export const representativeFields = ({ country: of }: SellerAccount): Field[] => [
  { ...firstName, label: 'Your first name', autocomplete: 'given-name', hint: 'As on your identity document.' },
  { ...lastName, label: 'Your last name', autocomplete: 'family-name' },
  { ...dateOfBirth, autocomplete: 'bday' },
  {
    ...text,
    name: 'phone_number',
    label: 'Phone number',
    path: 'phone_number',
    code: 'representative.phone_number',
    missing: 'Enter your phone number.',
    wrong: 'Enter the number with its country code, such as +234 802 345 6789.',
    maxlength: 30,
    autocomplete: 'tel',
    type: 'tel',
    read: (typed) => readPhone(typed, of ?? ''),
  },
  {
    ...text,
    name: 'id_number',
    label: 'Number of your identity document',
    kind: 'secret',
    path: 'id_number',
    code: 'representative.id_number',
    missing: 'Enter the number of your identity document.',
    wrong: numberWords,
    maxlength: 40,
    hint: 'Of your passport or national identity card, or your national number.',
  },
  ...addressFields('', 'representative'),
]

/** An owner or a director who is not the representative. */
export const personFields = (): Field[] => [firstName, lastName, dateOfBirth]

/** What an owner owns, in percent. */
export const shareField: Field = {
  ...text,
  name: 'percent_ownership',
  label: 'Share in percent',
  path: 'percent_ownership',
  code: null,
  missing: 'Enter the share in percent.',
  wrong: 'Only an owner has a share. It is from 0.01 to 100, and all owners together own 100 at most.',
  maxlength: 6,
  inputmode: 'decimal',
  hint: 'Only of an owner. Such as 40.',
  read: (typed) => (/^\d{1,3}([.,]\d{1,2})?%?$/.test(typed) ? Number(typed.replace(',', '.').replace('%', '')) : typed),
}
