// What the fields of accounts, persons, documents and virtual accounts mean. The keys: schemas/common-meanings.ts.

const ofCapability = {
  card_payments: 'Payments by card.',
  bank_transfer_payments: 'Payments by bank transfer.',
  mobile_money_payments: 'Payments by mobile money.',
  crypto_payments: 'Payments in crypto assets.',
  payouts: 'Payouts.',
  virtual_accounts: 'Virtual accounts.',
  transfers: 'Transfers from and to the platform.',
}

const accounts = {
  'Account.type': 'Whether it is a platform, or an account that a platform has connected.',
  'Account.status': 'The status of the account.',
  'Account.email': 'The email address of the account; null if it is not known.',
  business_type: 'The form of the business; null if it is not stated.',
  business_profile: 'What buyers learn about the business.',
  'business_profile.name': 'The name that buyers see.',
  product_category: 'What kind of products are sold; null if it is not stated.',
  product_description: 'What is sold; null if it is not stated.',
  website: 'The address of the website; null if there is none.',
  company: 'The business itself.',
  'company.name': 'The registered name.',
  'GivenCompany.name': 'The registered name.',
  registration_number: 'The number in the register of companies, business names or charities.',
  tax_id_provided: 'Whether the tax number was provided.',
  owners_provided: 'Whether all owners are stated.',
  terms_acceptance: 'The acceptance of the terms of service.',
  accepted: 'Always true: the terms are accepted.',
  terms_accepted_at: 'When the terms of service were accepted; null before.',
  capabilities: 'What the account may do, and whether it may now.',
  'CreateAccount.capabilities': 'What the account is to be able to do.',
  'ChangeAccount.capabilities': 'What the account is to be able to do.',
  requirements: 'What still has to be provided.',
  charges_enabled: 'Whether the account may take payments by any method.',
  payouts_enabled: 'Whether the account may pay out.',
  default_currency: 'The currency of the account’s country.',
  persons: 'The persons of the account.',
  capability: 'The capability.',
  requested: 'Whether the capability is asked for.',
  'Capability.status': 'Whether the account has the capability.',
}

const requirements = {
  currently_due: 'The codes of what is to be provided now.',
  eventually_due: 'The codes of what will be due later.',
  'Requirements.past_due': 'The codes of what was not provided by its deadline.',
  pending_verification: 'The codes of what is being checked.',
  'Requirements.errors': 'What was refused, and why.',
  'errors.code': 'The code of what is asked for again.',
  'errors.reason': 'Why it is asked for again, as the account reads it.',
  current_deadline: 'Until when the current requirements are to be met; null without a deadline.',
  'Requirements.disabled_reason': 'Why it is not active; null if it is.',
}

const persons = {
  roles: 'What the person is for the account.',
  first_name: 'The first name; null if it is not stated.',
  last_name: 'The last name; null if it is not stated.',
  date_of_birth_provided: 'Whether the date of birth was provided.',
  id_number_provided: 'Whether the number of an identity document was provided.',
  id_number_last_four: 'The last four characters of that number; null if none was provided.',
  percent_ownership: 'The share of the business that the person owns, in percent; null if it is not stated.',
  'Person.id_document': 'The image of an identity document; null if none was added.',
  'id_document.id': 'The id of the document.',
  'Person.email': 'The email address of the person; null if it is not stated.',
  'CompanyDocument.id': 'The id of the document.',
  document_type: 'The slot that the document is in.',
  document_slots: 'The slots of documents that the account has.',
  documents: 'The documents.',
  'CompanyDocument.person_id': 'The person whose document it is; null for a document of the account.',
}

const others = {
  'VirtualAccount.status': 'The status of the virtual account.',
  'VirtualAccount.customer_id': 'The customer whose account it is; null for your own.',
  'CreateVirtualAccount.customer_id': 'The customer whose account it is to be. Without one it is your own.',
  'CreateVirtualAccount.account_name':
    'The name that senders see: in live a first and a last name. Without one, that of the customer or of your account.',
  'CreateVirtualAccount.phone_number':
    'The phone number of the holder, which the bank asks for in live. Without one, that of the customer.',
  'Onboarding.platform': 'The platform of the account; null if it has none.',
  platform: 'The platform of the account; null if it has none.',
  'platform.name': 'The name of the platform.',
  'Onboarding.return_url': 'Where the page sends the seller once they are done.',
  'EndedOnboarding.return_url': 'Where the page sends the seller once they are done.',
  refresh_url: 'Where the seller gets a new link once this one has expired.',
  ended: 'Always true.',
  'EndedOnboardingToken.token': 'The token of a link that has ended.',
  'OwnAccount.name': 'The name of the account.',
  late_payment_policy: 'What happens to money that arrives after its session has ended: it is kept, or refunded.',
  refund_fee_bearer: 'Who pays the fee of a refund that does not say it: `ORG`, your balance, or `CUSTOMER`.',
  logo: 'The upload with the logo that pages show; null for none.',
  statement_text: 'The text on the buyer’s card statement; null for our own.',
  account: 'The account.',
  'DeskAccount.name': 'The name of the account.',
}

/** What fields of this area mean. */
export const platformMeanings = { ...ofCapability, ...accounts, ...requirements, ...persons, ...others } as const
