import Type, { type Static } from 'typebox'
import { capabilities, capabilityStatuses } from '../../domain/platform/capability.ts'
import { newId } from '../../domain/id.ts'
import { CurrencyCode, id, Metadata, nullable, Timestamp } from '../common.ts'
import { sampleMoment } from '../sample.ts'
import { recordOf } from '../../domain/narrow.ts'

const text = nullable(Type.String())
const codes = Type.Array(Type.String())

const CapabilityStatus = Type.Enum([...capabilityStatuses])

/** The information that an account still has to provide. The codes are also the names of document slots. */
const Requirements = Type.Object(
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
    status: Type.Enum(['onboarding', 'under_review', 'active', 'restricted', 'rejected']),
    country: Type.String({ pattern: '^[A-Z]{2}$' }),
    business_type: text,
    email: text,
    business_profile: Type.Object({ product_category: text }),
    company: nullable(Type.Object({})),
    persons: Type.Array(Type.Object({ person_id: id('psn') })),
    capabilities: Type.Object(recordOf(capabilities, () => CapabilityStatus)),
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
    status: CapabilityStatus,
    requirements: Requirements,
    updated_at: Timestamp,
  },
  { $id: 'Capability' },
)

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
  country: 'NG',
  business_type: 'company',
  email: 'books@example.com',
  business_profile: { product_category: 'books' },
  company: { name: 'Example Books Ltd' },
  persons: [{ person_id: newId('psn', at) }],
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
  status: 'active',
  requirements: nothingDue,
  updated_at: sampleMoment(at),
})
