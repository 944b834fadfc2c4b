import type { ProductCategory } from '../catalogue/product-category.ts'
import type { PostalAddress } from '../postal-address.ts'
import type { DocumentSlot, RequirementCode } from './requirement-code.ts'
import type { Structure } from './requirement-rule.ts'

/** What is sold, under which name, and where. */
export type BusinessProfile = {
  /** The name that buyers see. */
  name: string | null
  product_category: ProductCategory | null
  product_description: string | null
  website: string | null
}

/** What an account says about its company. Its tax number is stored apart, encrypted. */
export type Company = {
  name: string | null
  registration_number: string | null
  phone_number: string | null
  address: PostalAddress | null
  /** Whether everybody who owns 25 % or more is listed among the persons. */
  owners_provided: boolean
}

export const noProfile: BusinessProfile = {
  name: null,
  product_category: null,
  product_description: null,
  website: null,
}
export const noCompany: Company = {
  name: null,
  registration_number: null,
  phone_number: null,
  address: null,
  owners_provided: false,
}

/** A person, as far as requirements ask for it. The secret numbers are encrypted; only whether they change matters. */
export type StatedPerson = {
  id: string
  isRepresentative: boolean
  isOwner: boolean
  isDirector: boolean
  ownedBasisPoints: number | null
  firstName: string | null
  lastName: string | null
  phoneNumber: string | null
  address: PostalAddress | null
  encryptedDateOfBirth: string | null
  encryptedIdNumber: string | null
  /** The id of the newest document of the person; null without one. */
  idDocument: string | null
}

/** What an account has stated about itself. */
export type StatedAccount = Structure & {
  email: string | null
  businessProfile: BusinessProfile
  company: Company
  encryptedTaxId: string | null
  termsAcceptedAt: Date | null
  persons: readonly StatedPerson[]
  /** The id of the newest document of each slot. */
  documents: Partial<Record<DocumentSlot, string>>
}

type Values = Partial<Record<RequirementCode, string | null>>

/** What has been provided, by its code, as a text that changes whenever it does. What is missing is left out. */
export function statedValues(account: StatedAccount): Map<RequirementCode, string> {
  const { businessProfile: profile, company, persons } = account
  const values: Values = {
    country: account.country,
    business_type: account.businessType,
    email: account.email,
    'business_profile.name': profile.name,
    'business_profile.product_category': profile.product_category,
    'business_profile.product_description': joined(profile.product_description, profile.website),
    'company.name': company.name,
    'company.registration_number': company.registration_number,
    'company.tax_id': account.encryptedTaxId,
    'company.address.line1': streetOf(company.address),
    'company.address.city': placeOf(company.address),
    'company.address.postal_code': company.address?.postal_code ?? null,
    ...representativeValues(persons.find(({ isRepresentative }) => isRepresentative)),
    owners: company.owners_provided ? listOf(persons.filter(({ isOwner }) => isOwner)) : null,
    directors: listOf(persons.filter(({ isDirector }) => isDirector)) || null,
    terms_acceptance: account.termsAcceptedAt?.toISOString() ?? null,
    ...account.documents,
  }
  const given = Object.entries(values).filter((entry): entry is [RequirementCode, string] => entry[1] !== null)
  return new Map(given)
}

const representativeValues = (person: StatedPerson | undefined): Values =>
  person === undefined
    ? {}
    : {
        'representative.first_name': person.firstName,
        'representative.last_name': person.lastName,
        'representative.date_of_birth': person.encryptedDateOfBirth,
        'representative.phone_number': person.phoneNumber,
        'representative.address.line1': streetOf(person.address),
        'representative.address.city': placeOf(person.address),
        'representative.id_number': person.encryptedIdNumber,
        'representative.id_document': person.idDocument,
      }

// The parts of an address that have no code of their own belong to its street or to its city.
const streetOf = (address: PostalAddress | null): string | null =>
  address && address.line1 !== null ? [address.line1, address.line2].join('\n') : null
const placeOf = (address: PostalAddress | null): string | null =>
  address && address.city !== null
    ? [address.city, address.state, address.postal_code, address.country].join('\n')
    : null

/** The persons of a list as a text; null where one of them lacks a name, a date of birth or, of an owner, the share. */
function listOf(persons: readonly StatedPerson[]): string | null {
  const lines = persons.map(
    ({ id, firstName, lastName, encryptedDateOfBirth: born, isOwner, ownedBasisPoints: share }) =>
      firstName && lastName && born && (!isOwner || share) ? [id, firstName, lastName, born, share].join(' ') : null,
  )
  return lines.includes(null) ? null : lines.toSorted().join('\n')
}

const joined = (...texts: (string | null)[]): string | null => texts.filter((text) => text !== null).join('\n') || null

/** The codes whose values differ between two statements. */
export function changedCodes(
  before: ReadonlyMap<RequirementCode, string>,
  after: ReadonlyMap<RequirementCode, string>,
): RequirementCode[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((code) => before.get(code) !== after.get(code))
}
