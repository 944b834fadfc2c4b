import type { PostalAddress } from '../../domain/postal-address.ts'
import { type AccountStatus, askedCodes } from '../../domain/platform/requirement.ts'
import { isOneOf } from '../../domain/narrow.ts'
import { type Capability, capabilities, type CapabilityStatus } from '../../domain/platform/capability.ts'
import { type DocumentSlot, type RequirementCode, requirementCodes } from '../../domain/platform/requirement-code.ts'
import type { AccountCountry, BusinessType } from '../../domain/platform/requirement-rule.ts'

// The names of requirements, document slots and capabilities, on every page.

export const slotNames: Record<DocumentSlot, string> = {
  'company.certificate_of_incorporation': 'Certificate of incorporation',
  'company.business_name_certificate': 'Certificate of the business name',
  'company.registration_of_charity': 'Registration as a charity',
  'company.memorandum': 'Memorandum and articles of association',
  'company.proof_of_address': 'Proof of the business address',
  'company.tax_certificate': 'Tax certificate',
  'company.bank_statement': 'Bank statement',
}

const codeNames: Record<RequirementCode, string> = {
  ...slotNames,
  country: 'Country',
  business_type: 'Type of business',
  email: 'Email',
  'business_profile.name': 'Name that buyers see',
  'business_profile.product_category': 'What is sold',
  'business_profile.product_description': 'Description of the products',
  'company.name': 'Registered name',
  'company.registration_number': 'Registration number',
  'company.tax_id': 'Tax number',
  'company.address.line1': 'Business address: street',
  'company.address.city': 'Business address: city, state and country',
  'company.address.postal_code': 'Business address: postal code',
  'representative.first_name': 'Representative: first name',
  'representative.last_name': 'Representative: last name',
  'representative.date_of_birth': 'Representative: date of birth',
  'representative.phone_number': 'Representative: phone number',
  'representative.address.line1': 'Representative: street',
  'representative.address.city': 'Representative: city, state and country',
  'representative.id_number': 'Representative: ID number',
  'representative.id_document': 'Representative: ID document',
  owners: 'Owners',
  directors: 'Directors',
  terms_acceptance: 'Acceptance of the terms',
}

/** A requirement in words. A code that has none here is shown as it is. */
export const requirementName = (code: string): string => (isOneOf(requirementCodes, code) ? codeNames[code] : code)

/** The names of requirements in one line; null where there are none. */
export const requirementNames = (codes: readonly string[]): string | null =>
  codes.map(requirementName).join(', ') || null

const sellerNames: Record<string, string> = {
  owners: 'Everybody who owns 25 % or more',
  directors: 'At least one director',
  'representative.id_document': 'Your identity document',
}

/** A requirement as the page names it to the person who acts for the account. */
export const sellerName = (code: string): string => sellerNames[code] ?? requirementName(code)

export const businessTypeNames: Record<BusinessType, string> = {
  individual: 'Sole proprietor',
  company: 'Company',
  non_profit: 'Non-profit',
}

const inEnglish = new Intl.DisplayNames('en', { type: 'region' })
export const countryName = (code: string): string => inEnglish.of(code) ?? code

export const capabilityNames: Record<Capability, string> = {
  card_payments: 'Card payments',
  bank_transfer_payments: 'Bank transfers',
  mobile_money_payments: 'Mobile money',
  crypto_payments: 'Crypto payments',
  payouts: 'Payouts',
  virtual_accounts: 'Virtual accounts',
  transfers: 'Transfers from the platform',
}

export const capabilityStatusNames: Record<CapabilityStatus, string> = {
  inactive: 'Not requested',
  pending: 'Pending',
  active: 'Active',
  restricted: 'Restricted',
}

export const accountStatusNames: Record<AccountStatus, string> = {
  onboarding: 'Onboarding',
  under_review: 'Under review',
  active: 'Active',
  restricted: 'Restricted',
  rejected: 'Rejected',
}

/** An address in one line; null where there is none. */
export const addressLine = (address: PostalAddress | null): string | null =>
  address &&
  [address.line1, address.line2, address.postal_code, address.city, address.state, address.country]
    .filter(Boolean)
    .join(', ')

/** What a requirement is called where documents of persons are named too, such as `person.id_document`. */
export const documentName = (type: string): string =>
  type === 'person.id_document' ? 'ID document' : requirementName(type)

/** An account, as far as it tells what it is asked for. */
type Asked = {
  country: AccountCountry | null
  business_type: BusinessType | null
  capabilities: Record<Capability, CapabilityStatus>
  requirements: Record<'currently_due' | 'eventually_due' | 'pending_verification', string[]> & {
    errors: { code: string }[]
  }
}

/**
 * Everything that an account has to provide, now or later, for itself and for the capabilities that it asks for. One
 * that operators have made inactive may be among these, so what is listed is asked for in any case.
 */
export function codesAskedOf({ country, business_type: businessType, capabilities: statuses, requirements }: Asked) {
  const requested = capabilities.filter((capability) => statuses[capability] !== 'inactive')
  const asked = askedCodes({ country, businessType, requested, isExempt: false })
  const { currently_due: now, eventually_due: later, pending_verification: checked, errors } = requirements
  const listed = [...now, ...later, ...checked, ...errors.map(({ code }) => code)]
  return [...new Set([...asked, ...listed.filter((code) => isOneOf(requirementCodes, code))])]
}
