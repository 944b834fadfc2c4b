import { goTo } from '../site.ts'
import { goDone, type Sent } from '../token-site.ts'
import { isUndecided, type Refused } from '../api.ts'
import type { InputErrors } from '../form-result.ts'
import { type Field, inOrder, readFields, shownFields } from './onboarding-field.ts'
import { accountOf, hasOwners, secretsOf } from './onboarding-business.ts'
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
import { isolated } from '../isolated.ts'
import { openedWith } from '../opened-form.ts'
import { boxTexts, editsIn, keepUnchangedBoxes } from './onboarding-edits.ts'

const title = 'Owners and directors'

/** `/onboarding/people`: who owns and directs the business, and a confirmation that nobody is missing. */
export function addPeoplePages(site: OnboardingSite): void {
  site.read('/people', async (visit) => {
    const seller = await readSeller(site, visit)
    if (seller) showPeople(site, visit, seller)
  })
  site.submit('/people', async (visit, sent) => {
    const before = await readSeller(site, visit)
    if (!before) return
    const { asked } = stepIn(before, 'people')
    keepUnchangedBoxes(sent, [confirmation(before)])
    const isComplete = sent.form.has('owners_provided')
    const body = { company: { owners_provided: isComplete } }
    const saved = asked.includes('owners') ? await visit.call('PATCH', accountOf(visit), body) : ({ ok: true } as const)
    const seller = await readSeller(site, visit)
    if (!seller) return
    if (!saved.ok) return showPeople(site, visit, seller, { refused: saved.refused, errors: {} })
    const { due, errors: asksAgain } = stepIn(seller, 'people')
    const reasonOf = (about: string) => asksAgain.find(({ code }) => code === about)?.reason
    const errors = {
      ...(due.includes('directors') && { add: reasonOf('directors') ?? noDirector }),
      ...(due.includes('owners') && {
        owners_provided: isComplete ? (reasonOf('owners') ?? unfinished) : unconfirmed,
      }),
    }
    if (Object.keys(errors).length > 0) return showPeople(site, visit, seller, { refused: null, errors })
    await goNext(site, visit, 'people')
  })
  addPersonPages(site)
  addRemoval(site)
}

/** The box that confirms that nobody is missing. */
const confirmation = ({ account }: Seller) => ({ name: 'owners_provided', isChosen: account.company.owners_provided })

const noDirector = 'Add at least one director, with name and date of birth.'
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
      opened: openedWith(boxTexts([confirmation(seller)])),
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

/** The fields of a person. Only of a company somebody may own a share. */
const fieldsOf = (seller: Seller): Field[] => [...personFields(), ...(hasOwners(seller) ? [shareField] : [])]
const choicesOf = (seller: Seller) => choices.filter(({ role }) => role === 'director' || hasOwners(seller))
const rolesOf = ({ seller, known }: Found): RoleChoice[] =>
  choicesOf(seller).map(({ role, ...choice }) => ({ ...choice, isChosen: known?.roles.includes(role) ?? false }))
const needed = ['representative.first_name', 'representative.last_name', 'representative.date_of_birth'] as const
const asked = { asked: [...needed], due: [...needed], later: [], errors: [] }

const choices = [
  { name: 'is_owner', role: 'owner', label: 'Owns a part of the business', field: shareField.name },
  { name: 'is_director', role: 'director', label: 'Is a director' },
] as const

function addPersonPages(site: OnboardingSite): void {
  site.read('/people/:id', async (visit, id) => {
    const found = await findPerson(site, visit, id)
    if (found) showPerson(site, visit, { ...found, id, tried: null })
  })
  site.submit('/people/:id', async (visit, sent, id) => {
    const found = await findPerson(site, visit, id)
    if (!found) return
    keepUnchangedBoxes(sent, rolesOf(found))
    const edits = editsIn(fieldsOf(found.seller), sent, valuesOf(fieldsOf(found.seller), found.known))
    const { errors, body } = readPerson(found, sent, edits.text)
    // A new person is stored once nothing is missing: a second try would make a second person.
    const isReady = found.known !== null || Object.keys(errors).length === 0
    const save = (fitting: object) => {
      const path = `${accountOf(visit)}/persons`
      if (found.known) return visit.call('PATCH', `${path}/${id}`, fitting)
      return visit.call('POST', path, fitting, sent.keyOf(fitting))
    }
    const fields = fieldsOf(found.seller)
    const { refused, wrong } = isReady
      ? await saveWhatFits(fields, body, save, { isWhole: found.known === null })
      : { refused: null, wrong: {} }
    const all = inOrder([...fields, { name: rolesInput }], { ...errors, ...wrong, ...edits.errors })
    if (refused === null && Object.keys(all).length === 0) return goDone(visit.ctx, `${home}/people`, 'saved')
    const now = await findPerson(site, visit, id) // what was right is saved by now
    if (now) showPerson(site, visit, { ...now, id, tried: { typed: edits.typed, errors: all, refused, sent } })
  })
}

/** The input to which an error about the roles leads. */
const rolesInput = 'is_director'

/** Reads the form of a person. An owner has a share, and everybody is something. */
function readPerson({ seller, known }: Found, { form }: Sent, text: Sent['text']) {
  const provided = secretsOf(known)
  const roles = choicesOf(seller)
    .filter(({ name }) => form.has(name))
    .map(({ role }) => role)
  // Without a role in the form the person keeps theirs, and so the share that belongs to it.
  const fields = roles.length > 0 ? fieldsOf(seller) : personFields()
  const read = readFields(fields, text, asked, ({ name }) => provided[name] !== undefined)
  const isShareMissing = roles.includes('owner') && read.typed[shareField.name] === ''
  const errors = {
    ...read.errors,
    ...(isShareMissing && { [shareField.name]: shareField.missing }),
    ...(roles.length === 0 && { [rolesInput]: 'Choose at least one.' }),
  }
  return { errors, body: { ...read.body, ...(roles.length > 0 && { roles }) } }
}

/** A person who is not the representative; null: a new one. */
type Found = { seller: Seller; known: SellerPerson | null }

/** Finds the person of a page. Of any other id the list is shown, and this is null. */
async function findPerson(site: OnboardingSite, visit: Visit, id: string): Promise<Found | null> {
  const seller = await readSeller(site, visit)
  if (!seller) return null
  if (id === 'new') return { seller, known: null }
  const known = seller.persons.find(({ person_id: each }) => each === id)
  if (known && !known.roles.includes('representative')) return { seller, known }
  goTo(visit.ctx, `${home}/${known ? 'person' : 'people'}`)
  return null
}

type PersonTried = { typed: Record<string, string>; errors: InputErrors; refused: Refused | null; sent: Sent }
type ShowingPerson = Found & { id: string; tried: PersonTried | null }

function showPerson(site: OnboardingSite, visit: Visit, { id, seller, known, tried }: ShowingPerson): void {
  const errors = tried?.errors ?? {}
  const fields = fieldsOf(seller)
  const stored = valuesOf(fields, known)
  const typed = tried?.typed ?? stored
  const storedRoles = rolesOf({ seller, known })
  const roles = tried ? storedRoles.map((role) => ({ ...role, isChosen: tried.sent.form.has(role.name) })) : storedRoles
  site.show(visit, {
    template: 'person',
    title: known ? nameOfPerson(known) : 'Add a person',
    at: 'people',
    status: tried ? (tried.refused?.status ?? 422) : 200,
    data: {
      id,
      roles,
      opened: openedWith({ ...stored, ...boxTexts(storedRoles) }),
      fields: shownFields(fields, { typed, provided: secretsOf(known), asked }),
      errors,
      problem: tried?.refused ? problemOf(tried.refused) : Object.keys(errors).length > 0 ? correct : null,
      // An earlier press of a new person's form may have added them. With the same key a further one adds nobody else.
      ...(tried && known === null && !isFinal(tried.refused) && { formKey: tried.sent.text('form_key') }),
    },
  })
}

/** Whether a refusal would come again with the same key, also once its reason is gone. Faults of input would not. */
const isFinal = (refused: Refused | null): boolean => refused !== null && !isUndecided(refused)

function addRemoval(site: OnboardingSite): void {
  site.read('/people/:id/remove', async (visit, id) => {
    const found = await findPerson(site, visit, id)
    if (!found) return
    if (!found.known) return goTo(visit.ctx, `${home}/people`)
    const name = nameOfPerson(found.known)
    site.show(visit, { template: 'remove', title: `Remove ${isolated(name)}?`, at: 'people', data: { name, id } })
  })
  site.submit('/people/:id/remove', async (visit, _sent, id) => {
    const removed = await visit.call('DELETE', `${accountOf(visit)}/persons/${id}`)
    // A person who is removed already is what was asked for.
    if (removed.ok || removed.refused.code === 'NOT_FOUND') return goDone(visit.ctx, `${home}/people`, 'removed')
    const seller = await readSeller(site, visit)
    if (seller) showPeople(site, visit, seller, { refused: removed.refused, errors: {} })
  })
}
