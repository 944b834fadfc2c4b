import Type, { type Static } from 'typebox'
import type { BuyerDetails } from '../domain/customer.ts'
import type { PostalAddress } from '../domain/postal-address.ts'
import type { Customer as CustomerRow } from '../db/customer/customer.ts'
import { ChangedMetadata, Email, id, iso, singleLine, Metadata, Locale, nameOf, nullable, Timestamp } from './common.ts'
import { sampleAddress, sampleBuyer, sampleMoment } from './sample.ts'

const text = nullable(Type.String())

export const BillingAddress = nullable(
  Type.Object({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text }),
)

export const Customer = Type.Object(
  {
    customer_id: id('cust'),
    email: Type.String(),
    name: text,
    phone_number: text,
    metadata: Metadata,
    billing_address: BillingAddress,
    locale: text,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Customer' },
)

export const presentCustomer = (row: CustomerRow): Static<typeof Customer> => ({
  customer_id: row.id,
  email: row.email,
  name: row.name,
  phone_number: row.phoneNumber,
  metadata: row.metadata,
  billing_address: row.billingAddress && toAddress(row.billingAddress),
  locale: row.locale,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

/** A customer in the list (docs/contract/catalogue.md, "Customers"). */
export const ListedCustomer = Type.Object(
  {
    customer_id: id('cust'),
    email: Type.String(),
    name: text,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'ListedCustomer' },
)

export const presentListedCustomer = (row: CustomerRow): Static<typeof ListedCustomer> => ({
  customer_id: row.id,
  email: row.email,
  name: row.name,
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

const name = nameOf(255)
export const PhoneNumber = Type.String({ format: 'e164', pattern: '^\\+[1-9]\\d{6,14}$', examples: ['+2348012345678'] })

/** The buyer's own details. */
export const CustomerDetails = Type.Object(
  { email: Email, name: Type.Optional(nullable(name)), phone_number: Type.Optional(nullable(PhoneNumber)) },
  { $id: 'CustomerDetails' },
)

const part = Type.Optional(nullable(singleLine(255)))

export const GivenAddress = Type.Object(
  {
    line1: nameOf(255, { examples: ['12 Marina Road'] }),
    line2: part,
    city: part,
    state: part,
    postal_code: part,
    country: Type.String({
      format: 'iso-3166-1-alpha-2',
      pattern: '^[A-Z]{2}$',
      examples: ['NG'],
    }),
  },
  { $id: 'GivenBillingAddress' },
)

/** An address with all its fields in order. A field that is missing or blank is null. */
export function toAddress(given: Partial<PostalAddress>): PostalAddress {
  const filled = (value: string | null | undefined): string | null => (value?.trim() ? value : null)
  const { line1, line2, city, state, postal_code: code, country } = given
  return {
    line1: filled(line1),
    line2: filled(line2),
    city: filled(city),
    state: filled(state),
    postal_code: filled(code),
    country: filled(country),
  }
}

const givenFields = {
  name: Type.Optional(name),
  phone_number: Type.Optional(PhoneNumber),
  billing_address: Type.Optional(nullable(GivenAddress)),
  locale: Type.Optional(nullable(Locale)),
}

export const CreateCustomer = Type.Object(
  { email: Email, ...givenFields, metadata: Type.Optional(Metadata) },
  { $id: 'CreateCustomer' },
)

export const UpdateCustomer = Type.Object(
  { ...givenFields, metadata: Type.Optional(ChangedMetadata) },
  { $id: 'UpdateCustomer' },
)

/** `customer_details` of an answer: null until an identity was collected. */
export const ShownDetails = nullable(Type.Object({ email: Type.String(), name: text }))

export const presentDetails = (details: BuyerDetails | null): Static<typeof ShownDetails> =>
  details ? { email: details.email, name: details.name } : null

/** A customer record as it is shown in other resources. */
export const NamedCustomer = Type.Object({ id: id('cust'), email: Type.String(), name: text })

export const presentNamedCustomer = ({ id: customerId, email, name: ownName }: CustomerRow) => ({
  id: customerId,
  email,
  name: ownName,
})

/** The `customer` of a session or payment; null without a customer record. */
export const ShownCustomer = nullable(NamedCustomer)

export const presentCustomerOf = (row: {
  customerId: string | null
  customerDetails: BuyerDetails | null
}): Static<typeof ShownCustomer> =>
  row.customerId && row.customerDetails ? { id: row.customerId, ...recorded(row.customerDetails) } : null

const recorded = ({ email, name: ownName, record_name: recordName = ownName }: BuyerDetails) => ({
  email,
  name: recordName,
})

/** A customer record for the sample events of the sandbox. */
export const sampleCustomer = (customerId: string, at: number): Static<typeof Customer> => ({
  customer_id: customerId,
  ...sampleBuyer,
  phone_number: '+2348012345678',
  metadata: {},
  billing_address: sampleAddress,
  locale: 'en-NG',
  created_at: sampleMoment(at),
  updated_at: sampleMoment(at),
})
