import { productCategories, productCategorySections } from '../../domain/catalogue/product-category.ts'
import { accountCountryCodes, businessTypes } from '../../domain/platform/requirement-rule.ts'
import type { Field, Option } from './onboarding-field.ts'
import type { SellerAccount } from './onboarding-visit.ts'
import { addressFields, countriesOf, numberWords, text } from './onboarding-person-fields.ts'
import { businessTypeNames } from './requirement-words.ts'

// The inputs of the steps about the business, in the order of the pages.

const typeHints = 'A sole proprietor trades under their own name or a registered business name.'

const businessOptions: Option[] = businessTypes.map((code) => ({ code, name: businessTypeNames[code] }))

const categoryNames = new Map<string, string>(productCategories.map(({ value, label }) => [value, label]))
const categories: Option[] = [
  { code: '', name: 'Choose one' },
  ...productCategorySections.flatMap(({ label: group, categories: values }) =>
    values.map((code) => ({ code, name: categoryNames.get(code) ?? code, group })),
  ),
]

/** A web address as people type it: without the protocol that the API needs. */
const readWeb = (typed: string): string => (/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`)

const country: Field = {
  ...text,
  name: 'country',
  label: 'Country of the business',
  kind: 'select',
  path: 'country',
  code: 'country',
  missing: 'Choose your country.',
  wrong: 'Choose your country.',
  options: countriesOf(accountCountryCodes),
  hint: 'You cannot change it later.',
}

const businessType: Field = {
  ...text,
  name: 'business_type',
  label: 'Type of business',
  kind: 'radio',
  path: 'business_type',
  code: 'business_type',
  missing: 'Choose the type of your business.',
  wrong: 'The type of a business that was active once cannot be changed.',
  options: businessOptions,
  hint: typeHints,
  isAlwaysNeeded: true,
}

const email: Field = {
  ...text,
  name: 'email',
  label: 'Email',
  path: 'email',
  code: 'email',
  missing: 'Enter your email address.',
  wrong: 'Enter an email address, such as ada@example.com.',
  maxlength: 320,
  autocomplete: 'email',
  type: 'email',
  inputmode: 'email',
  hint: 'We write to it before a deadline.',
}

/** What is sold, by whom. What an account can no longer change is left out. */
export const businessFields = ({ country: chosen, status }: SellerAccount): Field[] => [
  ...(chosen === null ? [country] : []),
  ...(status === 'active' || status === 'restricted' ? [] : [businessType]),
  {
    ...text,
    name: 'name',
    label: 'Name that buyers see',
    path: 'business_profile.name',
    code: 'business_profile.name',
    missing: 'Enter the name that buyers see.',
    wrong: 'Enter a name of at most 100 characters.',
    maxlength: 100,
    autocomplete: 'organization',
    hint: 'Such as the name of your shop.',
  },
  {
    ...text,
    name: 'product_category',
    label: 'What you sell',
    kind: 'select',
    path: 'business_profile.product_category',
    code: 'business_profile.product_category',
    missing: 'Choose what you sell.',
    wrong: 'Choose what you sell.',
    options: categories,
  },
  {
    ...text,
    name: 'product_description',
    label: 'Describe what you sell',
    kind: 'area',
    path: 'business_profile.product_description',
    code: 'business_profile.product_description',
    missing: 'Describe what you sell in a sentence or two, or enter your website.',
    wrong: 'Describe what you sell in 10 to 2,000 characters.',
    maxlength: 2000,
    hint: 'What it is, and how buyers receive it. Your website is enough, too.',
    unless: 'website',
  },
  {
    ...text,
    name: 'website',
    label: 'Website',
    path: 'business_profile.website',
    code: null,
    missing: '',
    wrong: 'Enter the address of your website, such as example.com.',
    maxlength: 2048,
    autocomplete: 'url',
    inputmode: 'url',
    read: readWeb,
  },
  email,
]

/** The organization behind the business. */
export const companyFields = (): Field[] => [
  {
    ...text,
    name: 'company_name',
    label: 'Registered name',
    path: 'company.name',
    code: 'company.name',
    missing: 'Enter the name as it is registered.',
    wrong: 'Enter the name as it is registered, in at most 255 characters.',
    autocomplete: 'organization',
  },
  {
    ...text,
    name: 'registration_number',
    label: 'Registration number',
    path: 'company.registration_number',
    code: 'company.registration_number',
    missing: 'Enter the registration number.',
    wrong: numberWords,
    maxlength: 40,
    hint: 'The number in the register of companies or charities.',
  },
  {
    ...text,
    name: 'tax_id',
    label: 'Tax number',
    kind: 'secret',
    path: 'company.tax_id',
    code: 'company.tax_id',
    missing: 'Enter the tax number.',
    wrong: numberWords,
    maxlength: 40,
  },
  ...addressFields('company.', 'company'),
]
