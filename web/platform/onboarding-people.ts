import { goTo } from '../site.ts'
import { goDone, type Sent } from '../token-site.ts'
import type { Refused } from '../api.ts'
import type { InputErrors } from '../words.ts'
import { type Field, inOrder, readFields, shownFields } from './onboarding-field.ts'
import { secretsOf } from './onboarding-business.ts'
import { goNext, placeOf, type RoleChoice, saveWhatFits, stepIn, valuesOf } from './onboarding-form-page.ts'
import { personFields, shareField } from './onboarding-person-fields.ts'
import { stepsOf } from './onboarding-step.ts'
import {
  home,
  nameOfPerson,
  type OnboardingSite,
  problemOf,
  readSeller,
  type Seller,
  type SellerPerson,
  type Visit,
} from './onboarding-visit.ts'

const title = 'Owners and directors'
const accountOf = ({ me }: Visit): string => `accounts/${me.account_id}`

/** `/onboarding/people`: who owns and directs the business, and the word that nobody is missing. */
export function addPeoplePages(site: OnboardingSite): void {
  site.read('/people', async (visit) => {
    const seller = await readSeller(site, visit)
    if (seller) showPeople(site, visit, seller)
  })
  site.submit('/people', async (visit, sent) => {
    const before = await readSeller(site, visit)
    if (!before) return
    const { asked } = stepIn(before, 'people')
    const isComplete = sent.form.has('owners_provided')
    const body = { company: { owners_provided: isComplete } }
    const saved = asked.includes('owners')
      ? await visit.call('PATCH', accountOf(visit), body, sent.keyOf(body))
      : ({ ok: true } as const)
    const seller = await readSeller(site, visit)
    if (!seller) return
    if (!saved.ok) return showPeople(site, visit, seller, { refused: saved.refused, errors: {} })
    const { due } = stepIn(seller, 'people')
    const errors = {
      ...(due.includes('directors') && { add: 'Add at least one director, with name and date of birth.' }),
      ...(due.includes('owners') && { owners_provided: isComplete ? unfinished : unconfirmed }),
    }
    if (Object.keys(errors).length > 0) return showPeople(site, visit, seller, { refused: null, errors })
    await goNext(site, visit, 'people')
  })
  addPersonPages(site)
  addRemoval(site)
}

const unconfirmed = 'Confirm that everybody is listed. If nobody else owns so much, confirm that too.'
const unfinished = 'Complete every owner: name, date of birth and share.'

type Tried = { refused: Refused | null; errors: InputErrors }

function showPeople(site: OnboardingSite, visit: Visit, seller: Seller, tried: Tried | null = null): void {
  const { asked, errors: asksAgain } = stepIn(seller, 'people')
  const notes = asksAgain.map(({ code, reason }) => [code === 'owners' ? 'owners_provided' : 'add', reason])
  const errors = tried?.errors ?? Object.fromEntries(notes)
  const words = tried?.refused ? problemOf(tried.refused) : Object.keys(errors).length > 0 ? correct : null
  site.show(visit, {
    template: 'people',
    title,
    at: 'people',
    status: tried ? (tried.refused?.status ?? 422) : 200,
    data: {
      ...placeOf(stepsOf(seller.account), 'people'),
      people: seller.persons.map((person) => shownPerson(person)),
      asksOwners: asked.includes('owners'),
      asksDirectors: asked.includes('directors'),
      isComplete: seller.account.company.owners_provided,
      errors,
      problem: words,
    },
  })
}

const correct = 'Please correct the following.'

const roleNames = { representative: 'acts for the account', owner: 'owner', director: 'director' } as const

/** A person of the list: who they are, what is missing, and where they are changed. */
export function shownPerson(person: SellerPerson) {
  const { roles, percent_ownership: percent } = person
  const isOwner = roles.includes('owner')
  const missing = [
    ...(person.first_name && person.last_name ? [] : ['name']),
    ...(person.date_of_birth_provided ? [] : ['date of birth']),
    ...(isOwner && percent === null ? ['share'] : []),
  ]
  const isRepresentative = roles.includes('representative')
  const named = roles.map((role) => (role === 'owner' && percent !== null ? `owns ${percent} %` : roleNames[role]))
  return {
    id: person.person_id,
    name: nameOfPerson(person),
    roles: named.join(', '),
    missing: missing.join(', '),
    isRepresentative,
    link: isRepresentative ? `${home}/person` : `${home}/people/${person.person_id}`,
  }
}

const fields: readonly Field[] = [...personFields(), shareField]
const needed = ['representative.first_name', 'representative.last_name', 'representative.date_of_birth'] as const
const asked = { asked: [...needed], due: [...needed], later: [], errors: [] }

const choices = [
  { name: 'is_owner', role: 'owner', label: 'Owns a part of the business' },
  { name: 'is_director', role: 'director', label: 'Is a director' },
] as const

function addPersonPages(site: OnboardingSite): void {
  const pathOf = (visit: Visit, id: string) => `${accountOf(visit)}/persons${id === 'new' ? '' : `/${id}`}`

  site.read('/people/:id', async (visit, id) => {
    const known = await findPerson(site, visit, id)
    if (known !== undefined) showPerson(site, visit, { id, known, tried: null })
  })
  site.submit('/people/:id', async (visit, sent, id) => {
    const known = await findPerson(site, visit, id)
    if (known === undefined) return
    const provided = secretsOf(known)
    const { typed, body, errors } = readFields(fields, sent.text, asked, ({ name }) => provided[name] !== undefined)
    const roles = choices.filter(({ name }) => sent.form.has(name)).map(({ role }) => role)
    const wrongRoles = roles.length === 0 ? { is_owner: 'Choose at least one.' } : {}
    const isShareMissing = roles.includes('owner') && typed[shareField.name] === ''
    const found = { ...errors, ...(isShareMissing && { [shareField.name]: shareField.missing }), ...wrongRoles }
    const method = known ? 'PATCH' : 'POST'
    // A new person is stored once nothing is missing: a second try would make a second person.
    const isReady = known !== null || Object.keys(found).length === 0
    const save = (fitting: object) => {
      const sending = { ...fitting, ...(roles.length > 0 && { roles }) }
      return visit.call(method, pathOf(visit, id), sending, sent.keyOf(sending))
    }
    const { refused, wrong } = isReady ? await saveOne(known, body, save) : { refused: null, wrong: {} }
    const all = inOrder([...fields, { name: 'is_owner' }], { ...found, ...wrong })
    if (refused === null && Object.keys(all).length === 0) return goDone(visit.ctx, `${home}/people`, 'saved')
    const shown = known && (await findPerson(site, visit, id))
    if (shown === undefined) return
    showPerson(site, visit, { id, known: shown, tried: { typed, errors: all, refused, sent } })
  })
}

/** Saves what fits of a known person; a new one is saved as a whole or not at all. */
async function saveOne(
  known: SellerPerson | null,
  body: Record<string, unknown>,
  save: Parameters<typeof saveWhatFits>[2],
) {
  if (known) return saveWhatFits(fields, body, save)
  let isFirst = true
  return saveWhatFits(fields, body, (fitting) => {
    if (!isFirst) return Promise.resolve({ ok: true, body: null })
    isFirst = false
    return save(fitting)
  })
}

/** A person who is not the representative; null: a new one. Of any other id the list is shown, and this is undefined. */
async function findPerson(site: OnboardingSite, visit: Visit, id: string): Promise<SellerPerson | null | undefined> {
  const seller = await readSeller(site, visit)
  if (!seller) return undefined
  if (id === 'new') return null
  const known = seller.persons.find(({ person_id: each }) => each === id)
  if (known && !known.roles.includes('representative')) return known
  goTo(visit.ctx, `${home}/${known ? 'person' : 'people'}`)
  return undefined
}

type PersonTried = { typed: Record<string, string>; errors: InputErrors; refused: Refused | null; sent: Sent }
type ShowingPerson = { id: string; known: SellerPerson | null; tried: PersonTried | null }

function showPerson(site: OnboardingSite, visit: Visit, { id, known, tried }: ShowingPerson): void {
  const errors = tried?.errors ?? {}
  const typed = tried?.typed ?? valuesOf(fields, known)
  const provided = secretsOf(known)
  const roles: RoleChoice[] = choices.map(({ name, label, role }) => ({
    name,
    label,
    isChosen: tried ? tried.sent.form.has(name) : (known?.roles.includes(role) ?? false),
  }))
  site.show(visit, {
    template: 'person',
    title: known ? nameOfPerson(known) : 'Add a person',
    at: 'people',
    status: tried ? (tried.refused?.status ?? 422) : 200,
    data: {
      id,
      roles,
      fields: shownFields(fields, { typed, provided, asked }),
      errors,
      problem: tried?.refused ? problemOf(tried.refused) : Object.keys(errors).length > 0 ? correct : null,
      isKnown: known !== null,
    },
  })
}

function addRemoval(site: OnboardingSite): void {
  site.read('/people/:id/remove', async (visit, id) => {
    const person = await findPerson(site, visit, id)
    if (!person) return person === null ? goTo(visit.ctx, `${home}/people`) : undefined
    const name = nameOfPerson(person)
    site.show(visit, { template: 'remove', title: `Remove ${name}?`, at: 'people', data: { name, id } })
  })
  site.submit('/people/:id/remove', async (visit, _sent, id) => {
    const removed = await visit.call('DELETE', `${accountOf(visit)}/persons/${id}`)
    // A person who is removed already is what was asked for.
    if (removed.ok || removed.refused.code === 'NOT_FOUND') return goDone(visit.ctx, `${home}/people`, 'removed')
    const seller = await readSeller(site, visit)
    if (seller) showPeople(site, visit, seller, { refused: removed.refused, errors: {} })
  })
}
