import Type, { type Static } from 'typebox'
import { changeAccount } from '../../commands/platform/change-account.ts'
import { removeDocument } from '../../db/catalogue/document.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { AccountPerson } from '../../db/platform/account-person.ts'
import { type AccountFile, newestOf } from '../../db/platform/account-file.ts'
import { newId } from '../../domain/id.ts'
import { isBirthday, personsMax, wholeBasisPoints } from '../../domain/platform/person.ts'
import { type FieldError, invalid, Refusal } from '../../domain/refusal.ts'
import { ChangePerson, CreatePerson } from '../../schemas/platform/account-input.ts'
import { Person, presentPerson } from '../../schemas/platform/person.ts'
import { id, idParameter, page, pageQuery } from '../../schemas/common.ts'
import { toAddress } from '../../schemas/customer.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { type Call, operation, type ValidationContext } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { encryptedAnew } from './account-statement.ts'
import { attachDocument } from './attach-document.ts'
import { AccountId, findFile, lockReachable, onOneAccount, readsAccounts, writesAccounts } from './reach.ts'

type Body = Static<typeof ChangePerson>
type Making = Pick<Call<undefined, undefined, typeof ChangePerson>, 'body' | 'caller' | 'em' | 'now' | 'services'>

const view = ({ documents }: AccountFile, person: AccountPerson) =>
  presentPerson(person, newestOf(documents, person.id))

function validatePerson(body: Record<string, unknown>, { now }: ValidationContext): FieldError[] {
  const born = body['date_of_birth']
  return typeof born !== 'string' || isBirthday(born, now)
    ? []
    : [{ field: 'date_of_birth', message: 'must be a day in the past, as YYYY-MM-DD', type: 'value_error.format' }]
}

export const createPerson = operation({
  ...onOneAccount,
  ...writesAccounts,
  method: 'post',
  path: '/v1/accounts/{account_id}/persons',
  summary: 'Add a person to an account: its representative, an owner or a director',
  params: AccountId,
  body: CreatePerson,
  validate: validatePerson,
  returns: [201, Person],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle(call) {
    const { params, caller, em, now } = call
    const file = await lockReachable(em, caller, params.account_id)
    if (file.persons.length >= personsMax) throw new Refusal('CONFLICT', `an account has at most ${personsMax} persons`)
    const person = newPerson(em, file, now)
    await changeAccount(
      em,
      file,
      async () => {
        file.persons.push(person)
        await applyPerson(file, person, call)
      },
      now,
    )
    auditCaller(em, caller, { action: 'account.person_added', target: person.id }, now)
    return view(file, person)
  },
})

/** A person without anything; the roles are set before it is stored. */
const newPerson = (em: EntityManager, { profile }: AccountFile, now: number): AccountPerson =>
  em.create(AccountPerson, {
    id: newId('psn', now),
    accountId: profile.accountId,
    environment: profile.environment,
    ownedBasisPoints: null,
    firstName: null,
    lastName: null,
    email: null,
    phoneNumber: null,
    address: null,
    encryptedDateOfBirth: null,
    encryptedIdNumber: null,
    idNumberLastFour: null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
  })

/** Applies what a caller states about a person. A field that is left out keeps its value, null clears one. */
async function applyPerson(file: AccountFile, person: AccountPerson, { body, caller, em, now, services }: Making) {
  const { encrypter } = services
  if (body.roles) applyRoles(file, person, body.roles)
  Object.assign(person, plainFields(body), { updatedAt: new Date(now) })
  if (body.address !== undefined) person.address = body.address && toAddress(body.address)
  applyShare(file, person, body.percent_ownership)
  if (body.date_of_birth !== undefined) {
    person.encryptedDateOfBirth = encryptedAnew(person.encryptedDateOfBirth, body.date_of_birth, encrypter)
  }
  if (body.id_number !== undefined) {
    person.encryptedIdNumber = encryptedAnew(person.encryptedIdNumber, body.id_number, encrypter)
    person.idNumberLastFour = body.id_number?.slice(-4) ?? null
  }
  if (body.id_document === undefined) return
  const known = newestOf(file.documents, person.id)
  if (body.id_document === null && known) await dropDocuments(em, file, person, await services.clock.now())
  if (body.id_document === null || body.id_document === known?.uploadId) return
  const of = { subject: 'person' as const, subjectId: person.id, slot: 'id_document', uploadId: body.id_document }
  await attachDocument(em, { file, caller, of, field: 'id_document', services }, now)
}

const plainFields = (body: Body) => ({
  ...(body.first_name !== undefined && { firstName: body.first_name }),
  ...(body.last_name !== undefined && { lastName: body.last_name }),
  ...(body.email !== undefined && { email: body.email?.toLowerCase() ?? null }),
  ...(body.phone_number !== undefined && { phoneNumber: body.phone_number }),
})

function applyRoles({ persons }: AccountFile, person: AccountPerson, roles: NonNullable<Body['roles']>): void {
  const isRepresentative = roles.includes('representative')
  if (isRepresentative && persons.some((one) => one !== person && one.isRepresentative)) {
    throw new Refusal('CONFLICT', 'the account has a representative already: change or remove that person')
  }
  Object.assign(person, { isRepresentative, isOwner: roles.includes('owner'), isDirector: roles.includes('director') })
}

/** The share of an owner. Only an owner has one, and all of them together have the whole at most. */
function applyShare({ persons }: AccountFile, person: AccountPerson, percent: number | null | undefined): void {
  if (percent !== undefined) person.ownedBasisPoints = percent === null ? null : Math.round(percent * 100)
  if (!person.isOwner && percent) throw invalid('percent_ownership', 'is for an owner only', 'value_error')
  if (!person.isOwner) person.ownedBasisPoints = null
  const owned = persons.reduce((sum, { ownedBasisPoints }) => sum + (ownedBasisPoints ?? 0), 0)
  if (owned <= wholeBasisPoints) return
  throw invalid('percent_ownership', 'the owners would own more than 100 % together', 'value_error.range')
}

/** `at` is the real time, as what nothing uses is deleted by that. */
async function dropDocuments(em: EntityManager, file: AccountFile, person: AccountPerson, at: number): Promise<void> {
  for (const document of file.documents.filter(({ subjectId }) => subjectId === person.id)) {
    await removeDocument(em, document, at)
  }
  file.documents = file.documents.filter(({ subjectId }) => subjectId !== person.id)
}

export const listPersons = operation({
  ...onOneAccount,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts/{account_id}/persons',
  summary: 'List the persons of an account, newest first',
  params: AccountId,
  query: Type.Object(pageQuery),
  returns: [200, page(Person)],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller, em, services }) {
    const file = await findFile(em, caller, params.account_id)
    const { accountId, environment } = file.profile
    const { rows, pagination } = await listPage({ em, services }, AccountPerson, { accountId, environment }, query)
    return { items: rows.map((person) => view(file, person)), pagination }
  },
})

const PersonId = Type.Object({ ...AccountId.properties, person_id: idParameter('psn') })

/** A person of the account. Another account's person is refused like one that does not exist. */
function personIn({ persons }: AccountFile, personId: string): AccountPerson {
  const person = persons.find((one) => one.id === personId)
  if (!person) throw new Refusal('NOT_FOUND', 'no such person')
  return person
}

export const getPerson = operation({
  ...onOneAccount,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts/{account_id}/persons/{person_id}',
  summary: 'Read a person of an account; secret numbers are not shown',
  params: PersonId,
  returns: [200, Person],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    const file = await findFile(em, caller, params.account_id)
    return view(file, personIn(file, params.person_id))
  },
})

export const updatePerson = operation({
  ...onOneAccount,
  ...writesAccounts,
  method: 'patch',
  path: '/v1/accounts/{account_id}/persons/{person_id}',
  summary: 'Change a person of an account; what was verified is verified again',
  params: PersonId,
  body: ChangePerson,
  validate: validatePerson,
  returns: [200, Person],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle(call) {
    const { params, caller, em, now } = call
    const file = await lockReachable(em, caller, params.account_id)
    const person = personIn(file, params.person_id)
    await changeAccount(em, file, () => applyPerson(file, person, call), now)
    auditCaller(em, caller, { action: 'account.person_changed', target: person.id }, now)
    return view(file, person)
  },
})

export const deletePerson = operation({
  ...onOneAccount,
  ...writesAccounts,
  method: 'delete',
  path: '/v1/accounts/{account_id}/persons/{person_id}',
  summary: 'Remove a person from an account, with their document',
  params: PersonId,
  returns: [200, Type.Object({ person_id: id('psn'), deleted: Type.Literal(true) }, { $id: 'DeletedPerson' })],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, now, services }) {
    const file = await lockReachable(em, caller, params.account_id)
    const person = personIn(file, params.person_id)
    await changeAccount(
      em,
      file,
      async () => {
        await dropDocuments(em, file, person, await services.clock.now())
        file.persons = file.persons.filter((one) => one !== person)
        em.remove(person)
      },
      now,
    )
    auditCaller(em, caller, { action: 'account.person_removed', target: person.id }, now)
    return { person_id: person.id, deleted: true as const }
  },
})
