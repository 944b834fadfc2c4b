import type { Currency } from '../currency.ts'
import { type Capability, capabilities } from './capability.ts'
import { type DocumentSlot, documentSlots, type RequirementCode } from './requirement-code.ts'

/** The countries that an account may be in, with the currency of its balance. */
export const accountCountries = { NG: 'NGN', GH: 'GHS', KE: 'KES', US: 'USD', GB: 'GBP' } as const satisfies Record<
  string,
  Currency
>
export type AccountCountry = keyof typeof accountCountries
export const accountCountryCodes = Object.keys(accountCountries) as AccountCountry[]

/** An individual is a sole proprietor, a company one with limited liability. */
export const businessTypes = ['individual', 'company', 'non_profit'] as const
export type BusinessType = (typeof businessTypes)[number]

/** `now` is due before the account is active; `later` is due 30 days after that (`dueAfterMs`). */
type Rule = { now: readonly RequirementCode[]; later: readonly RequirementCode[] }

/** What every account provides, whatever it is and wherever. */
export const everybody: readonly RequirementCode[] = [
  'email',
  'business_profile.name',
  'business_profile.product_category',
  'terms_acceptance',
  'representative.first_name',
  'representative.last_name',
  'representative.date_of_birth',
  'representative.phone_number',
  'representative.address.line1',
  'representative.address.city',
]
const organization: readonly RequirementCode[] = [
  ...everybody,
  'company.name',
  'company.registration_number',
  'company.address.line1',
  'company.address.city',
]
const company: readonly RequirementCode[] = [...organization, 'owners', 'company.certificate_of_incorporation']
const charity: readonly RequirementCode[] = [...organization, 'directors', 'company.registration_of_charity']

/** What each country asks of each type of business (docs/contract/platform.md, "Requirements"). */
const rules: Record<AccountCountry, Record<BusinessType, Rule>> = {
  NG: {
    individual: {
      now: [...everybody, 'representative.id_number'],
      later: ['representative.id_document', 'company.business_name_certificate'],
    },
    company: { now: [...company, 'representative.id_number'], later: ['company.tax_id', 'company.proof_of_address'] },
    non_profit: { now: [...charity, 'representative.id_number'], later: ['company.proof_of_address'] },
  },
  GH: {
    individual: { now: [...everybody, 'representative.id_number'], later: ['representative.id_document'] },
    company: { now: [...company, 'company.tax_id'], later: ['company.proof_of_address'] },
    non_profit: { now: charity, later: ['company.tax_id', 'company.proof_of_address'] },
  },
  KE: {
    individual: { now: [...everybody, 'representative.id_number'], later: ['representative.id_document'] },
    company: { now: [...company, 'company.tax_id', 'directors'], later: ['company.proof_of_address'] },
    non_profit: { now: charity, later: ['company.tax_id', 'company.proof_of_address'] },
  },
  US: {
    individual: { now: [...everybody, 'representative.id_number'], later: ['representative.id_document'] },
    company: {
      now: [...company, 'company.tax_id', 'company.address.postal_code', 'representative.id_number'],
      later: ['company.proof_of_address'],
    },
    non_profit: {
      now: [...charity, 'company.tax_id', 'company.address.postal_code'],
      later: ['company.proof_of_address'],
    },
  },
  GB: {
    individual: { now: everybody, later: ['representative.id_document'] },
    company: { now: [...company, 'company.address.postal_code', 'directors'], later: ['company.proof_of_address'] },
    non_profit: { now: [...charity, 'company.address.postal_code'], later: ['company.proof_of_address'] },
  },
}

const undescribed: Rule = { now: [...everybody], later: [] }

export type Structure = { country: AccountCountry | null; businessType: BusinessType | null }

/** What an account has to provide whatever it wants to do. Without a country or a type it is asked for these first. */
export function ruleOf({ country, businessType }: Structure): Rule {
  if (country !== null && businessType !== null) return rules[country][businessType]
  const missing: RequirementCode[] = [
    ...(country === null ? ['country' as const] : []),
    ...(businessType === null ? ['business_type' as const] : []),
  ]
  return { now: [...missing, ...undescribed.now], later: undescribed.later }
}

/** The capabilities that a country has, the first ones asked for where an account does not say which it wants. */
const offered: Record<AccountCountry, { usual: readonly Capability[]; more: readonly Capability[] }> = {
  NG: {
    usual: ['card_payments', 'bank_transfer_payments', 'payouts', 'transfers'],
    more: ['crypto_payments', 'virtual_accounts'],
  },
  GH: { usual: ['card_payments', 'mobile_money_payments', 'payouts', 'transfers'], more: ['crypto_payments'] },
  KE: { usual: ['card_payments', 'mobile_money_payments', 'payouts', 'transfers'], more: ['crypto_payments'] },
  US: { usual: ['card_payments', 'payouts', 'transfers'], more: ['crypto_payments'] },
  GB: { usual: ['card_payments', 'payouts', 'transfers'], more: ['crypto_payments'] },
}

export const usualCapabilities = (country: AccountCountry): readonly Capability[] => offered[country].usual

/** Whether an account of this country may ask for a capability. */
export const isOffered = (country: AccountCountry | null, capability: Capability): boolean =>
  country === null || [...offered[country].usual, ...offered[country].more].includes(capability)

/** What a capability asks for beside the rule of the account. */
export function extrasOf(capability: Capability, { businessType }: Structure): readonly RequirementCode[] {
  switch (capability) {
    case 'card_payments':
      return ['business_profile.product_description']
    case 'crypto_payments':
      return ['business_profile.product_description', 'representative.id_document']
    case 'payouts': // the representative is verified before money leaves
      return ['representative.id_number', 'representative.id_document']
    case 'virtual_accounts':
      return businessType === 'individual' ? ['company.business_name_certificate'] : ['company.memorandum']
    default:
      return []
  }
}

/** The slots that an account of this structure has: what is asked for, and what may be sent beside it. */
export function slotsOf(structure: Structure): DocumentSlot[] {
  const { now, later } = ruleOf(structure)
  const extras = capabilities
    .filter((capability) => isOffered(structure.country, capability))
    .flatMap((capability) => extrasOf(capability, structure))
  const asked: readonly string[] = [...now, ...later, ...extras, 'company.tax_certificate', 'company.bank_statement']
  return documentSlots.filter((slot) => asked.includes(slot))
}
