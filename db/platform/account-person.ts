import { defineEntity, p } from '@mikro-orm/core'
import { moment, tenant } from '../core/columns.ts'
import type { PostalAddress } from '../../domain/postal-address.ts'

const schema = defineEntity({
  name: 'AccountPerson',
  tableName: 'account_persons',
  properties: {
    id: p.string().primary(),
    ...tenant,
    isRepresentative: p.boolean().default(false),
    isOwner: p.boolean().default(false),
    isDirector: p.boolean().default(false),
    // Of the company, in hundredths of a percent.
    ownedBasisPoints: p.integer().strictNullable().check('owned_basis_points > 0 and owned_basis_points <= 10000'),
    firstName: p.string().length(100).strictNullable(),
    lastName: p.string().length(100).strictNullable(),
    email: p.string().length(320).strictNullable(),
    phoneNumber: p.string().length(20).strictNullable(),
    address: p.json<PostalAddress>().strictNullable(),
    encryptedDateOfBirth: p.text().strictNullable(),
    encryptedIdNumber: p.text().strictNullable(),
    // By which people recognize the number, and the sandbox decides.
    idNumberLastFour: p.string().length(4).strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'account_persons_with_a_role', expression: 'is_representative or is_owner or is_director' },
    { name: 'account_persons_share_check', expression: 'is_owner or owned_basis_points is null' },
  ],
  indexes: [{ name: 'account_persons_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] }],
  uniques: [
    {
      name: 'account_persons_one_representative',
      properties: ['accountId', 'environment'],
      where: 'is_representative',
    },
  ],
})
/** A person of an account: who acts for it, owns a part of it or directs it. */
export class AccountPerson extends schema.class {}
schema.setClass(AccountPerson)
