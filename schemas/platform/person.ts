import Type, { type Static } from 'typebox'
import type { Document } from '../../db/catalogue/document.ts'
import type { AccountPerson } from '../../db/platform/account-person.ts'
import { personRoles } from '../../domain/platform/person.ts'
import { id, iso, nullable, Timestamp } from '../common.ts'
import { BillingAddress } from '../customer.ts'

const text = nullable(Type.String())

export const Roles = Type.Array(Type.Enum([...personRoles]))

/** A document of a person, without its bytes. */
const PersonDocument = Type.Object({ id: id('doc'), file_name: Type.String(), uploaded_at: Timestamp })

/** A person of an account. Of the secret numbers only the last four characters are shown. */
export const Person = Type.Object(
  {
    person_id: id('psn'),
    account_id: id('acct'),
    roles: Roles,
    percent_ownership: nullable(Type.Number()),
    first_name: text,
    last_name: text,
    email: text,
    phone_number: text,
    address: BillingAddress,
    date_of_birth_provided: Type.Boolean(),
    id_number_provided: Type.Boolean(),
    id_number_last_four: text,
    id_document: nullable(PersonDocument),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Person' },
)

export const presentRoles = ({ isRepresentative, isOwner, isDirector }: AccountPerson): Static<typeof Roles> => {
  const has = { representative: isRepresentative, owner: isOwner, director: isDirector }
  return personRoles.filter((role) => has[role])
}

export const presentPerson = (row: AccountPerson, document: Document | undefined): Static<typeof Person> => ({
  person_id: row.id,
  account_id: row.accountId,
  roles: presentRoles(row),
  percent_ownership: row.ownedBasisPoints === null ? null : row.ownedBasisPoints / 100,
  first_name: row.firstName,
  last_name: row.lastName,
  email: row.email,
  phone_number: row.phoneNumber,
  address: row.address,
  date_of_birth_provided: row.encryptedDateOfBirth !== null,
  id_number_provided: row.encryptedIdNumber !== null,
  id_number_last_four: row.idNumberLastFour,
  id_document: document
    ? { id: document.id, file_name: document.fileName, uploaded_at: iso(document.createdAt) }
    : null,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})
