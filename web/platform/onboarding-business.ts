import { addFormStep, type FormStep, type RoleChoice } from './onboarding-form-page.ts'
import { businessFields, companyFields } from './onboarding-forms.ts'
import { representativeFields, shareField } from './onboarding-person-fields.ts'
import {
  type OnboardingSite,
  representativeOf,
  type Seller,
  type SellerPerson,
  type Visit,
} from './onboarding-visit.ts'

/** The path of the seller's account in the API. */
export const accountOf = ({ me }: Visit): string => `accounts/${me.account_id}`

const business: FormStep = {
  key: 'business',
  title: 'Your business',
  lead: 'Buyers and banks need to know who they pay.',
  fields: ({ account }) => businessFields(account),
  source: ({ account }) => account,
  provided: () => ({}),
  async save(visit, { account }, body) {
    const saved = await visit.call('PATCH', accountOf(visit), body)
    const isOfType = 'business_type' in body && body['business_type'] !== account.business_type
    if (saved.ok || saved.refused.code !== 'CONFLICT' || !isOfType || account.status === 'rejected') return saved
    // Nothing tells whether an account under review was active once. The type of one that was is refused alone.
    return { ok: false, refused: { ...saved.refused, errors: [keptType] } }
  },
}

const keptType = { field: 'business_type', message: 'cannot be changed', type: 'value_error' }

const company: FormStep = {
  key: 'company',
  title: 'Your organization',
  lead: 'We compare this with the public register.',
  fields: companyFields,
  // The address begins in the country of the business.
  source: ({ account }) => {
    const address = account.company.address ?? { country: account.country }
    return { ...account, company: { ...account.company, address } }
  },
  provided: ({ account }) => (account.company.tax_id_provided ? { tax_id: 'Provided.' } : {}),
  save: (visit, _seller, body) => visit.call('PATCH', accountOf(visit), body),
}

const person: FormStep = {
  key: 'person',
  title: 'About you',
  lead: 'The law asks us to know the person who acts for a business.',
  fields: (seller) => [...representativeFields(seller.account), ...(hasOwners(seller) ? [shareField] : [])],
  source: (seller) => representativeOf(seller) ?? { address: { country: seller.account.country } },
  provided: (seller) => secretsOf(representativeOf(seller)),
  roles: (seller) => (hasRoles(seller) ? rolesOf(seller) : []),
  async save(visit, seller, body, sent) {
    const known = representativeOf(seller)
    const chosen = ownRoles.filter(({ name }) => sent.form.has(name)).map(({ role }) => role)
    const kept = hasRoles(seller) ? chosen : (known?.roles.filter((role) => role !== 'representative') ?? [])
    const sending = { ...body, roles: ['representative', ...kept] }
    const path = `${accountOf(visit)}/persons`
    if (known) return visit.call('PATCH', `${path}/${known.person_id}`, sending)
    return visit.call('POST', path, sending, sent.keyOf(sending))
  },
}

/** Whether it matters what the representative owns or directs. */
const hasRoles = ({ account }: Seller): boolean =>
  account.business_type !== null && account.business_type !== 'individual'

/** What a person of an organization may be beside its representative. */
const ownRoles = [
  { name: 'is_owner', role: 'owner', label: 'I own a part of it', field: shareField.name },
  { name: 'is_director', role: 'director', label: 'I am a director' },
] as const

/** Only a company has owners. */
export const hasOwners = ({ account }: Seller): boolean => account.business_type === 'company'

function rolesOf(seller: Seller): RoleChoice[] {
  const known = representativeOf(seller)
  return ownRoles
    .filter(({ role }) => role === 'director' || hasOwners(seller))
    .map(({ role, ...choice }) => ({ ...choice, isChosen: known?.roles.includes(role) ?? false }))
}

/** What is said of the secret numbers of a person: that they are there, and the end of one. */
export const secretsOf = (known: SellerPerson | null): Record<string, string> => ({
  ...(known?.date_of_birth_provided && { date_of_birth: 'Provided.' }),
  ...(known?.id_number_provided && { id_number: `Provided, ends in ${known.id_number_last_four ?? ''}.` }),
})

export const formSteps: readonly FormStep[] = [business, company, person]

/** The steps that are one form each: the business, the company behind it, the person who acts for it. */
export function addFormSteps(site: OnboardingSite): void {
  for (const step of formSteps) addFormStep(site, step)
}
