import Type from 'typebox'
import { productCategoryValues } from '../../domain/catalogue/product-category.ts'
import { recordOf } from '../../domain/narrow.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import { personRoles } from '../../domain/platform/person.ts'
import { accountCountryCodes, businessTypes } from '../../domain/platform/requirement-rule.ts'
import { ChangedMetadata, Email, idParameter, Metadata, nameOf, notBlank, nullable, WebAddress } from '../common.ts'
import { GivenAddress } from '../customer.ts'

const optional = <T extends Parameters<typeof nullable>[0]>(shape: T) => Type.Optional(nullable(shape))

const Phone = Type.String({ format: 'e164', pattern: '^\\+[1-9]\\d{6,14}$', examples: ['+2348012345678'] })
/** A number in a register, of a tax office or of an identity document. */
const registered = (examples: string[]) =>
  Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z /.-]{2,38}[0-9A-Za-z]$', examples })

const Country = Type.Enum([...accountCountryCodes])
const BusinessTypeName = Type.Enum([...businessTypes])

const GivenProfile = Type.Object(
  {
    name: optional(nameOf(100, { description: 'The name that buyers see.', examples: ['Example Books'] })),
    product_category: optional(Type.Enum([...productCategoryValues])),
    product_description: optional(Type.String({ minLength: 10, maxLength: 2000, pattern: notBlank })),
    website: optional(WebAddress),
  },
  { $id: 'GivenBusinessProfile', description: 'Fields that are left out keep their values; null clears one.' },
)

const GivenCompany = Type.Object(
  {
    name: optional(nameOf(255, { examples: ['Example Books Ltd'] })),
    registration_number: optional(registered(['RC123456'])),
    tax_id: optional({ ...registered(['12345678-0001']), description: 'Stored encrypted, and never shown again.' }),
    phone_number: optional(Phone),
    address: optional(GivenAddress),
    owners_provided: Type.Optional(
      Type.Boolean({ description: 'Whether everybody who owns 25 % or more is listed among the persons.' }),
    ),
  },
  { $id: 'GivenCompany', description: 'Fields that are left out keep their values; null clears one.' },
)

const Requested = Type.Object({ requested: Type.Boolean() })
const GivenCapabilities = Type.Object(
  recordOf(capabilities, () => Type.Optional(Requested)),
  {
    $id: 'GivenCapabilities',
    description: 'At creation, by default what is usual in the country.',
  },
)

const GivenTerms = Type.Object(
  {
    accepted: Type.Literal(true),
    ip: optional(
      Type.String({
        pattern: '^[0-9A-Fa-f.:]{2,45}$',
        description: 'The address from which they were accepted; by default that of the call.',
        examples: ['203.0.113.7'],
      }),
    ),
  },
  { $id: 'GivenTermsAcceptance' },
)

const stated = {
  business_type: optional(BusinessTypeName),
  email: optional(Email),
  business_profile: optional(GivenProfile),
  company: optional(GivenCompany),
  terms_acceptance: optional(GivenTerms),
  capabilities: Type.Optional(GivenCapabilities),
}

export const CreateAccount = Type.Object(
  { country: Country, ...stated, metadata: Type.Optional(Metadata) },
  { $id: 'CreateAccount' },
)

export const ChangeAccount = Type.Object(
  {
    country: Type.Optional({ ...Country, description: 'Only while the account has none.' }),
    ...stated,
    metadata: Type.Optional(ChangedMetadata),
  },
  { $id: 'ChangeAccount' },
)

const person = {
  percent_ownership: optional(
    Type.Number({ minimum: 0.01, maximum: 100, description: 'Of an owner. Two decimals.', examples: [40] }),
  ),
  first_name: optional(nameOf(100, { examples: ['Ada'] })),
  last_name: optional(nameOf(100, { examples: ['Obi'] })),
  email: optional(Email),
  phone_number: optional(Phone),
  address: optional(GivenAddress),
  date_of_birth: optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'Stored encrypted, and never shown again.',
      examples: ['1990-04-12'],
    }),
  ),
  id_number: optional({ ...registered(['22212345678']), description: 'Stored encrypted; its last four are shown.' }),
  id_document: optional({ ...idParameter('upl'), description: 'An upload with an image of an identity document.' }),
}
const GivenRoles = Type.Array(Type.Enum([...personRoles]), { minItems: 1, maxItems: 3, uniqueItems: true })

export const CreatePerson = Type.Object({ roles: GivenRoles, ...person }, { $id: 'CreatePerson' })
export const ChangePerson = Type.Object({ roles: Type.Optional(GivenRoles), ...person }, { $id: 'ChangePerson' })
