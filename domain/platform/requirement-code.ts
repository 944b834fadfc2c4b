/**
 * What an account may have to provide. A code is the path of the field that it asks for; `terms_acceptance`, `owners`
 * and `directors` stand for what they name as a whole. Representative, owners and directors are persons of the account.
 */
export const fieldCodes = [
  'country',
  'business_type',
  'email',
  'business_profile.name',
  'business_profile.product_category',
  'business_profile.product_description',
  'company.name',
  'company.registration_number',
  'company.tax_id',
  'company.address.line1',
  'company.address.city',
  'company.address.postal_code',
  'representative.first_name',
  'representative.last_name',
  'representative.date_of_birth',
  'representative.phone_number',
  'representative.address.line1',
  'representative.address.city',
  'representative.id_number',
  'representative.id_document',
  'owners',
  'directors',
  'terms_acceptance',
] as const

/** The slots of documents about the company. Their codes are their names in the operation that adds a document. */
export const documentSlots = [
  'company.certificate_of_incorporation',
  'company.business_name_certificate',
  'company.registration_of_charity',
  'company.memorandum',
  'company.proof_of_address',
  'company.tax_certificate',
  'company.bank_statement',
] as const

export type DocumentSlot = (typeof documentSlots)[number]
export type RequirementCode = (typeof fieldCodes)[number] | DocumentSlot

export const requirementCodes: readonly RequirementCode[] = [...fieldCodes, ...documentSlots]

/** What each code asks for, in a sentence part for people. The table of the contract and the pages read it. */
export const requirementMeanings: Record<RequirementCode, string> = {
  country: 'the country that the business is in',
  business_type: 'whether it is an individual, a company or a non-profit',
  email: 'the email address of the account',
  'business_profile.name': 'the name that buyers see',
  'business_profile.product_category': 'what kind of products are sold',
  'business_profile.product_description': 'a description of the products, or the address of the website',
  'company.name': 'the registered name',
  'company.registration_number': 'the number in the register of companies, business names or charities',
  'company.tax_id': 'the tax number',
  'company.address.line1': 'the street of the business, in one or two lines',
  'company.address.city': 'the city of the business, with state, postal code and country',
  'company.address.postal_code': 'the postal code of the business',
  'representative.first_name': 'the first name of the person who acts for the account',
  'representative.last_name': 'the last name of the representative',
  'representative.date_of_birth': 'the date of birth of the representative',
  'representative.phone_number': 'the phone number of the representative',
  'representative.address.line1': 'the street of the representative, in one or two lines',
  'representative.address.city': 'the city of the representative, with state, postal code and country',
  'representative.id_number': 'the number of an identity document of the representative, or their national number',
  'representative.id_document': 'an image of an identity document of the representative',
  owners:
    'everybody who owns 25 % or more, with name, date of birth and share, and a confirmation that nobody is missing',
  directors: 'at least one director, each with name and date of birth',
  terms_acceptance: 'the acceptance of the terms of service',
  'company.certificate_of_incorporation': 'the certificate of incorporation',
  'company.business_name_certificate': 'the certificate of the registered business name',
  'company.registration_of_charity': 'the certificate of registration as a charity',
  'company.memorandum': 'the memorandum and articles of association',
  'company.proof_of_address': 'a bill or statement of the last three months that shows the address of the business',
  'company.tax_certificate': 'a certificate of the tax office',
  'company.bank_statement': 'a bank statement of the business',
}
