import Type, { type Static } from 'typebox'
import type { AccountFile } from '../../db/platform/account-file.ts'
import { productCategoryValues } from '../../domain/catalogue/product-category.ts'
import { newId } from '../../domain/id.ts'
import { recordOf } from '../../domain/narrow.ts'
import {
  capabilities,
  type Capability as CapabilityName,
  type CapabilityStatus,
  capabilityStatuses,
} from '../../domain/platform/capability.ts'
import { accountStatuses, type Requirements as RequirementsNow } from '../../domain/platform/requirement.ts'
import { accountCountries, accountCountryCodes, businessTypes } from '../../domain/platform/requirement-rule.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, nullable, Timestamp } from '../common.ts'
import { sampleAddress, sampleMoment } from '../sample.ts'
import { presentRoles, Roles } from './person.ts'
import { BillingAddress } from '../customer.ts'

const text = nullable(Type.String())
const codes = Type.Array(Type.String())

const CapabilityStatusName = Type.Enum([...capabilityStatuses])

/** The information that an account still has to provide. The codes are also the names of document slots. */
export const Requirements = Type.Object(
  {
    currently_due: codes,
    eventually_due: codes,
    past_due: codes,
    pending_verification: codes,
    errors: Type.Array(Type.Object({ code: Type.String(), reason: Type.String() })),
    current_deadline: nullable(Timestamp),
    disabled_reason: text,
  },
  { $id: 'Requirements' },
)

/** A platform, or one of its connected accounts (docs/contract/platform.md, "Connected accounts"). */
export const Account = Type.Object(
  {
    account_id: id('acct'),
    type: Type.Enum(['platform', 'connected']),
    status: Type.Enum([...accountStatuses]),
    status_reason: text,
    country: nullable(Type.Enum([...accountCountryCodes])),
    business_type: nullable(Type.Enum([...businessTypes])),
    email: text,
    business_profile: Type.Object({
      name: text,
      product_category: nullable(Type.Enum([...productCategoryValues])),
      product_description: text,
      website: text,
    }),
    company: Type.Object({
      name: text,
      registration_number: text,
      tax_id_provided: Type.Boolean(),
      phone_number: text,
      address: BillingAddress,
      owners_provided: Type.Boolean(),
    }),
    persons: Type.Array(Type.Object({ person_id: id('psn'), roles: Roles })),
    terms_accepted_at: nullable(Timestamp),
    capabilities: Type.Object(recordOf(capabilities, () => CapabilityStatusName)),
    requirements: Requirements,
    charges_enabled: Type.Boolean(),
    payouts_enabled: Type.Boolean(),
    default_currency: CurrencyCode,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Account' },
)

/** A capability of an account, with the information that is still missing for it. */
export const Capability = Type.Object(
  {
    account_id: id('acct'),
    capability: Type.Enum([...capabilities]),
    requested: Type.Boolean(),
    status: CapabilityStatusName,
    requirements: Requirements,
    updated_at: Timestamp,
  },
  { $id: 'Capability' },
)

export const presentRequirements = (now: RequirementsNow): Static<typeof Requirements> => ({
  currently_due: now.currentlyDue,
  eventually_due: now.eventuallyDue,
  past_due: now.pastDue,
  pending_verification: now.pendingVerification,
  errors: now.errors.map(({ code, reason }) => ({ code, reason })),
  current_deadline: isoOrNull(now.currentDeadline === null ? null : new Date(now.currentDeadline)),
  disabled_reason: now.disabledReason,
})

type Decided = Record<CapabilityName, CapabilityStatus>

/** An account with what it has to provide now, and the capabilities that were decided. No secret number is in it. */
export function presentAccount(
  { account, profile, persons }: AccountFile,
  { requirements, decided }: { requirements: RequirementsNow; decided: Decided },
): Static<typeof Account> {
  const { name, registration_number, phone_number, address, owners_provided } = profile.company
  const isOpen = profile.status === 'active'
  const charges = capabilities.filter((capability) => capability.endsWith('_payments'))
  return {
    account_id: account.id,
    type: account.ownerId ? 'connected' : 'platform',
    status: profile.status,
    status_reason: profile.statusReason,
    country: profile.country,
    business_type: profile.businessType,
    email: profile.email,
    business_profile: { ...profile.businessProfile },
    company: {
      name,
      registration_number,
      tax_id_provided: profile.encryptedTaxId !== null,
      phone_number,
      address,
      owners_provided,
    },
    persons: persons.map((person) => ({ person_id: person.id, roles: presentRoles(person) })),
    terms_accepted_at: isoOrNull(profile.termsAcceptedAt),
    capabilities: recordOf(capabilities, (capability) => decided[capability]),
    requirements: presentRequirements(requirements),
    charges_enabled: isOpen && charges.some((capability) => decided[capability] === 'active'),
    payouts_enabled: isOpen && decided.payouts === 'active',
    default_currency: profile.country ? accountCountries[profile.country] : 'USD',
    metadata: profile.metadata,
    created_at: iso(account.createdAt),
    updated_at: iso(profile.updatedAt),
  }
}

export function presentCapability(
  { account, profile, capabilities: rows }: AccountFile,
  capability: CapabilityName,
  { requirements, decided }: { requirements: RequirementsNow; decided: Decided },
): Static<typeof Capability> {
  const row = rows.find((one) => one.capability === capability)
  return {
    account_id: account.id,
    capability,
    requested: profile.requested.includes(capability),
    status: decided[capability],
    requirements: presentRequirements(requirements),
    updated_at: iso(row?.updatedAt ?? profile.updatedAt),
  }
}

const nothingDue: Static<typeof Requirements> = {
  currently_due: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
  errors: [],
  current_deadline: null,
  disabled_reason: null,
}

export const sampleAccount = (accountId: string, at: number): Static<typeof Account> => ({
  account_id: accountId,
  type: 'connected',
  status: 'active',
  status_reason: null,
  country: 'NG',
  business_type: 'company',
  email: 'books@example.com',
  business_profile: {
    name: 'Example Books',
    product_category: 'ebooks',
    product_description: 'School books in print and for reading on a phone',
    website: 'https://books.example.com',
  },
  company: {
    name: 'Example Books Ltd',
    registration_number: 'RC123456',
    tax_id_provided: true,
    phone_number: '+2348012345678',
    address: sampleAddress,
    owners_provided: true,
  },
  persons: [{ person_id: newId('psn', at), roles: ['representative', 'owner'] }],
  terms_accepted_at: sampleMoment(at, -7),
  capabilities: {
    card_payments: 'active',
    bank_transfer_payments: 'active',
    mobile_money_payments: 'inactive',
    crypto_payments: 'inactive',
    payouts: 'active',
    virtual_accounts: 'pending',
    transfers: 'active',
  },
  requirements: { ...nothingDue, pending_verification: ['company.memorandum'] },
  charges_enabled: true,
  payouts_enabled: true,
  default_currency: 'NGN',
  metadata: {},
  created_at: sampleMoment(at, -7),
  updated_at: sampleMoment(at),
})

export const sampleCapability = (accountId: string, at: number): Static<typeof Capability> => ({
  account_id: accountId,
  capability: 'virtual_accounts',
  requested: true,
  status: 'active',
  requirements: nothingDue,
  updated_at: sampleMoment(at),
})
