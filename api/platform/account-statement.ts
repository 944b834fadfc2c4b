import type { Static } from 'typebox'
import type { AccountFile } from '../../db/platform/account-file.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import { mergeMetadata, validateMetadata } from '../../domain/metadata.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { type BusinessProfile, type Company, noCompany, noProfile } from '../../domain/platform/account-data.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import { isOffered, usualCapabilities } from '../../domain/platform/requirement-rule.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import type { ChangeAccount } from '../../schemas/platform/account-input.ts'
import { toAddress } from '../../schemas/customer.ts'
import type { Caller, ValidationContext } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { assertValid } from '../http/validate.ts'

type Body = Static<typeof ChangeAccount>
type Circumstances = { caller: Pick<Caller, 'address'>; services: Pick<Services, 'encrypter'>; now: number }

/** The fields of the platform in a change that its seller sends from the hosted page. */
export function validateSeller(body: Record<string, unknown>, { caller }: ValidationContext): FieldError[] {
  const ofPlatform = {
    metadata: body['metadata'],
    capabilities: body['capabilities'],
    // A platform tells from where its seller has accepted the terms; a seller who does so here is seen.
    'terms_acceptance.ip': fieldsOf(body['terms_acceptance'])['ip'],
  }
  const sent = Object.entries(ofPlatform).filter(([, value]) => value !== undefined && value !== null)
  if (sent.length === 0 || caller.onboardingSessionId === null) return []
  return sent.map(([field]) => ({ field, message: 'belongs to the platform', type: 'value_error' }))
}

/** Applies what a caller states about an account to its profile. A field that is left out keeps its value. */
export function applyStatement(file: AccountFile, body: Body, { caller, services, now }: Circumstances): void {
  const { profile, account } = file
  applyStructure(file, body)
  const metadata = mergeMetadata(profile.metadata, body.metadata)
  assertValid(validateMetadata(metadata))
  profile.metadata = metadata
  if (body.email !== undefined) profile.email = body.email?.toLowerCase() ?? null
  if (body.business_profile !== undefined) {
    profile.businessProfile = mergedProfile(profile.businessProfile, body.business_profile)
  }
  if (body.company !== undefined) applyCompany(file, body.company, services.encrypter)
  if (body.terms_acceptance === null) Object.assign(profile, { termsAcceptedAt: null, termsAddress: null })
  if (body.terms_acceptance) acceptTerms(file, body.terms_acceptance.ip ?? caller.address, now)
  applyRequests(file, body.capabilities)
  // An account that was made through the API has no other name than the one that it states.
  if (account.environment) account.name = profile.businessProfile.name ?? profile.company.name ?? account.id
}

/**
 * The country stays as it is; the type of business does so once the account was active. Without a country an account
 * may ask for every capability. Once it has one, it no longer asks for those that the country lacks.
 */
function applyStructure({ profile }: AccountFile, { country, business_type: businessType }: Body): void {
  if (country !== undefined && profile.country !== null && country !== profile.country) {
    throw new Refusal('CONFLICT', 'the country of an account cannot be changed')
  }
  if (country !== undefined && profile.country === null) {
    profile.country = country
    const offered = profile.requested.filter((capability) => isOffered(country, capability))
    profile.requested = offered.length > 0 ? offered : [...usualCapabilities(country)]
  }
  if (businessType === undefined || businessType === profile.businessType) return
  if (profile.activatedAt !== null) {
    throw new Refusal('CONFLICT', 'the business type of an account cannot be changed once it was active')
  }
  profile.businessType = businessType
}

/** The first acceptance counts, unless staff have asked for another one. */
function acceptTerms({ profile }: AccountFile, address: string, now: number): void {
  const others = profile.errors.filter(({ code }) => code !== 'terms_acceptance')
  if (profile.termsAcceptedAt !== null && others.length === profile.errors.length) return
  Object.assign(profile, { termsAcceptedAt: new Date(now), termsAddress: address })
  profile.errors = others // also where the time of a test clock has stood still
}

const mergedProfile = (known: BusinessProfile, sent: Body['business_profile']): BusinessProfile =>
  sent ? { ...known, ...sent } : noProfile

function applyCompany({ profile }: AccountFile, sent: Body['company'], encrypter: Encrypter): void {
  if (!sent) return void Object.assign(profile, { company: noCompany, encryptedTaxId: null })
  const { tax_id: taxId, address, ...plain } = sent
  const company: Company = { ...profile.company, ...plain }
  if (address !== undefined) company.address = address && toAddress(address)
  profile.company = company
  if (taxId !== undefined) profile.encryptedTaxId = encryptedAnew(profile.encryptedTaxId, taxId, encrypter)
}

/** A secret, encrypted. One that has not changed keeps its bytes, so that it does not look changed. */
export function encryptedAnew(known: string | null, sent: string | null, encrypter: Encrypter): string | null {
  if (sent === null) return null
  return known !== null && encrypter.decrypt(known) === sent ? known : encrypter.encrypt(sent)
}

/** Asks for capabilities, or no longer; those that are left out stay as they are. */
export function applyRequests({ profile }: AccountFile, sent: Body['capabilities']): void {
  const wanted = capabilities.filter((capability) => {
    const { requested = profile.requested.includes(capability) } = fieldsOf(sent?.[capability])
    return requested
  })
  const refused = wanted.filter((capability) => !isOffered(profile.country, capability))
  assertValid(refused.map((capability) => notOffered(`capabilities.${capability}`)))
  profile.requested = wanted
}

const notOffered = (field: string): FieldError => ({
  field,
  message: 'does not exist in the country of the account',
  type: 'value_error',
})
