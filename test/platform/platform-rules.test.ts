import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedCodes,
  noCompany,
  noProfile,
  type StatedAccount,
  statedValues,
  type StatedPerson,
} from '../../domain/platform/account-data.ts'
import { accountDecisionError, sandboxAccountDecision } from '../../domain/platform/account-review.ts'
import { isTimezone, platformSettings } from '../../domain/platform/account-settings.ts'
import { accountMoves, isExemptIn, moveAccount, reviewedIn } from '../../domain/platform/account-status.ts'
import { assertActive, undecided } from '../../domain/platform/capability.ts'
import type { PostalAddress } from '../../domain/postal-address.ts'
import { isBirthday } from '../../domain/platform/person.ts'
import { aboutAccount } from '../../domain/platform/process.ts'
import { accountStatuses } from '../../domain/platform/requirement.ts'
import type { RequirementCode } from '../../domain/platform/requirement-code.ts'
import { Refusal } from '../../domain/refusal.ts'
import { addressFields } from '../../web/platform/onboarding-person-fields.ts'

// The rules of connected accounts, tested without a running service.

const begun = Date.parse('2027-01-01T00:00:00Z')

test('every transition of an account is legal or refused, and the same status again changes nothing', () => {
  const legal = {
    onboarding: ['under_review'],
    under_review: ['onboarding', 'active', 'restricted', 'rejected'],
    active: ['restricted', 'rejected'],
    restricted: ['under_review'],
    rejected: [],
  } as const satisfies typeof accountMoves
  assert.deepEqual(accountMoves, legal)
  for (const from of accountStatuses) {
    for (const to of accountStatuses) {
      const account = { status: from }
      const isLegal = from === to || (legal[from] as readonly string[]).includes(to)
      if (isLegal) moveAccount(account, to)
      else assert.throws(() => moveAccount(account, to), Refusal)
      assert.equal(account.status, isLegal ? to : from)
    }
  }
})

const person: StatedPerson = {
  id: 'psn_1',
  isRepresentative: true,
  isOwner: true,
  isDirector: true,
  ownedBasisPoints: 10_000,
  firstName: 'Ada',
  lastName: 'Obi',
  phoneNumber: '+2348030000000',
  idDocument: 'doc_1',
  encryptedDateOfBirth: 'born',
  encryptedIdNumber: 'number',
  address: { line1: '1 Broad Street', line2: null, city: 'Lagos', state: null, postal_code: null, country: 'NG' },
}
const address: PostalAddress = {
  line1: '2 Marina',
  line2: null,
  city: 'Lagos',
  state: null,
  postal_code: '101241',
  country: 'NG',
}
const account: StatedAccount = {
  country: 'NG',
  businessType: 'company',
  email: 'shop@example.com',
  encryptedTaxId: 'tax',
  businessProfile: {
    name: 'Shop',
    product_category: 'ebooks',
    product_description: 'Books',
    website: 'https://shop.example',
  },
  company: { name: 'Shop Ltd', registration_number: 'RC1', phone_number: null, address, owners_provided: true },
  termsAcceptedAt: new Date(begun),
  persons: [person],
  documents: { 'company.certificate_of_incorporation': 'doc_2' },
}
const stated = (more: Partial<StatedAccount>) => Object.fromEntries(statedValues({ ...account, ...more }))

test('what an account has stated is told by code, and what is missing is left out', () => {
  assert.deepEqual(stated({}), {
    country: 'NG',
    business_type: 'company',
    email: 'shop@example.com',
    'business_profile.name': 'Shop',
    'business_profile.product_category': 'ebooks',
    'business_profile.product_description': 'Books\nhttps://shop.example',
    'company.name': 'Shop Ltd',
    'company.registration_number': 'RC1',
    'company.tax_id': 'tax',
    'company.address.line1': '2 Marina\n',
    'company.address.city': 'Lagos\n\n101241\nNG',
    'company.address.postal_code': '101241',
    'representative.first_name': 'Ada',
    'representative.last_name': 'Obi',
    'representative.date_of_birth': 'born',
    'representative.phone_number': '+2348030000000',
    'representative.address.line1': '1 Broad Street\n',
    'representative.address.city': 'Lagos\n\n\nNG',
    'representative.id_number': 'number',
    'representative.id_document': 'doc_1',
    owners: 'psn_1 Ada Obi born 10000',
    directors: 'psn_1 Ada Obi born 10000',
    terms_acceptance: '2027-01-01T00:00:00.000Z',
    'company.certificate_of_incorporation': 'doc_2',
  })
  const nothing: StatedAccount = {
    country: null,
    businessType: null,
    email: null,
    encryptedTaxId: null,
    termsAcceptedAt: null,
    businessProfile: noProfile,
    company: noCompany,
    persons: [],
    documents: {},
  }
  assert.equal(statedValues(nothing).size, 0)
  assert.deepEqual(
    stated({ persons: [{ ...person, isRepresentative: false, address: null }] })['representative.first_name'],
    undefined,
  )
  assert.equal(stated({ persons: [{ ...person, address: null }] })['representative.address.city'], undefined)
})

test('products are described by a text or a website', () => {
  const described = (product_description: string | null, website: string | null) =>
    stated({ businessProfile: { ...account.businessProfile, product_description, website } })[
      'business_profile.product_description'
    ]
  assert.equal(described('Books', null), 'Books')
  assert.equal(described(null, 'https://shop.example'), 'https://shop.example')
  assert.equal(described(null, null), undefined)
})

test('owners are provided once the account says that nobody is missing, and each has name, birth and share', () => {
  const owners = (persons: StatedPerson[], owners_provided = true) =>
    stated({ persons, company: { ...account.company, owners_provided } })['owners']
  const second = { ...person, id: 'psn_0', isDirector: false, ownedBasisPoints: 2_500 }
  assert.equal(owners([person, second]), 'psn_0 Ada Obi born 2500\npsn_1 Ada Obi born 10000')
  assert.equal(owners([person], false), undefined)
  assert.equal(owners([]), '', 'nobody owns 25 %')
  for (const lack of [
    { firstName: null },
    { lastName: '' },
    { encryptedDateOfBirth: null },
    { ownedBasisPoints: null },
  ])
    assert.equal(owners([person, { ...second, ...lack }]), undefined, JSON.stringify(lack))
  const directors = (persons: StatedPerson[]) => stated({ persons })['directors']
  assert.equal(directors([{ ...person, isOwner: false, ownedBasisPoints: null }]), 'psn_1 Ada Obi born ')
  assert.equal(directors([{ ...person, isDirector: false }]), undefined)
  assert.equal(directors([person, { ...second, isDirector: true, lastName: null }]), undefined)
})

test('what differs between two statements: what was changed, added and taken back', () => {
  const before = statedValues(account)
  const after = statedValues({
    ...account,
    email: 'new@example.com',
    encryptedTaxId: null,
    documents: { ...account.documents, 'company.memorandum': 'doc_3' },
  })
  assert.deepEqual(changedCodes(before, after).toSorted(), ['company.memorandum', 'company.tax_id', 'email'])
  assert.deepEqual(changedCodes(before, before), [])
})

test('every part of an address counts: line2 to its street, all others to its city', () => {
  const before = statedValues(account)
  const company = (more: Partial<PostalAddress>) => ({
    company: { ...account.company, address: { ...address, ...more } },
  })
  const home = (more: Partial<PostalAddress>) => ({
    persons: [{ ...person, address: { ...address, ...person.address, ...more } }],
  })
  const changed = (more: Partial<StatedAccount>) => changedCodes(before, statedValues({ ...account, ...more }))
  for (const [part, codes] of [
    ['line2', ['line1']],
    ['state', ['city']],
    ['country', ['city']],
  ] as const) {
    assert.deepEqual(
      changed(company({ [part]: 'other' })),
      codes.map((code) => `company.address.${code}`),
    )
    assert.deepEqual(
      changed(home({ [part]: 'other' })),
      codes.map((code) => `representative.address.${code}`),
    )
  }
  const ofCode = ['company.address.city', 'company.address.postal_code']
  assert.deepEqual(changed(company({ postal_code: 'other' })), ofCode)
  assert.deepEqual(changed(home({ postal_code: 'other' })), ['representative.address.city'])
  const alone = statedValues({ ...account, ...company({ line1: null, line2: '4th floor', city: null }) })
  assert.deepEqual([alone.get('company.address.line1'), alone.get('company.address.city')], [undefined, undefined])
})

test('an input of an address has the code that a change of it changes, so that it answers what was wrong', () => {
  const home = (given: PostalAddress) => ({ persons: [{ ...person, address: given }] })
  const company = (given: PostalAddress) => ({ company: { ...account.company, address: given } })
  for (const [codes, withAddress] of [
    ['company', company],
    ['representative', home],
  ] as const) {
    const first = statedValues({ ...account, ...withAddress(address) })
    const coded = addressFields('', codes).filter(({ code }) => code !== null)
    assert.ok(coded.length > 2)
    for (const { path, code } of coded) {
      const changed = { ...address, [path.replace('address.', '')]: 'other' }
      const after = statedValues({ ...account, ...withAddress(changed) })
      assert.ok(
        changedCodes(first, after).some((each) => each === code),
        `${codes}: ${path}`,
      )
    }
  }
})

test('the sandbox decides an account after five seconds: 0009 rejects, 0008 is left open, 0007 asks again', () => {
  const both: RequirementCode[] = ['company.registration_number', 'representative.id_number']
  const decided = (registrationNumber: string | null, idNumberLastFour: string | null = null, askedCodes = both) =>
    sandboxAccountDecision({ registrationNumber, idNumberLastFour, askedCodes }, 1_000)
  assert.deepEqual(decided('RC1'), { outcome: 'approve', reason: null, errors: [], at: 6_000 })
  assert.deepEqual(decided(null), { outcome: 'approve', reason: null, errors: [], at: 6_000 })
  const rejected = decided('RC0009')
  assert.deepEqual([rejected?.outcome, rejected?.at, rejected?.errors], ['reject', 6_000, []])
  assert.match(rejected?.reason ?? '', /0009/)
  assert.equal(decided('RC1', '0008'), null)
  assert.equal(decided('RC0008', '0009')?.outcome, 'reject')
  const asked = decided('RC0007', '0007')
  assert.deepEqual([asked?.outcome, asked?.at], ['request_information', 6_000])
  assert.deepEqual(
    asked?.errors.map(({ code }) => code),
    ['company.registration_number', 'representative.id_number'],
  )
  for (const { reason } of asked?.errors ?? []) assert.match(reason, /0007/)
  assert.deepEqual(
    decided('RC1', '0007')?.errors.map(({ code }) => code),
    ['representative.id_number'],
  )
  assert.equal(decided('RC0007', null, ['representative.id_number'])?.outcome, 'approve', 'it is not asked for')
})

test('a decision about an earlier revision of an account is refused, and so is another one than was made', () => {
  assert.match(accountDecisionError({ revision: 2, decided: null }, 1, 'approve') ?? '', /has changed/)
  assert.equal(accountDecisionError({ revision: 2, decided: null }, 2, 'approve'), null)
  assert.equal(accountDecisionError({ revision: 2, decided: 'approve' }, 2, 'approve'), null)
  assert.match(accountDecisionError({ revision: 2, decided: 'approve' }, 2, 'reject') ?? '', /already/)
})

test('a time zone is a name of the IANA database, and no offset', () => {
  for (const zone of ['UTC', 'Africa/Lagos', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+3'])
    assert.ok(isTimezone(zone), zone)
  for (const text of ['', '+01:00', 'Africa/Nowhere', 'Lagos time', ' UTC', 'UTC ', '/UTC', '2UTC'])
    assert.ok(!isTimezone(text), text)
  assert.deepEqual(platformSettings, { timezone: 'UTC', dunning: [2, 5, 7, 7] })
})

test('an account made by its platform is reviewed in the environment of that call, any other in live', () => {
  assert.deepEqual(
    [reviewedIn({ environment: 'sandbox' }), reviewedIn({ environment: null }), reviewedIn({})],
    ['sandbox', 'live', 'live'],
  )
  const own = { paymentsEnabled: false }
  const standing = { environment: 'live', activatedAt: null } as const
  assert.equal(isExemptIn(own, { ...standing, environment: 'sandbox' }), true)
  assert.equal(isExemptIn(own, standing), false)
  assert.equal(isExemptIn({ paymentsEnabled: true }, standing), true)
  assert.equal(isExemptIn({ paymentsEnabled: true }, { ...standing, activatedAt: new Date(0) }), false)
  assert.equal(isExemptIn({ environment: 'live', paymentsEnabled: true }, standing), false)
  assert.equal(
    isExemptIn({ environment: 'live', paymentsEnabled: true }, { ...standing, environment: 'sandbox' }),
    true,
  )
})

test('before a decision everything is allowed in the sandbox and nothing in live', () => {
  assert.deepEqual([undecided('sandbox'), undecided('live')], ['active', 'inactive'])
  assertActive('payouts', 'active')
  for (const status of ['inactive', 'pending', 'restricted'] as const) {
    const isRefused = (error: unknown) =>
      error instanceof Refusal &&
      error.code === 'CAPABILITY_NOT_ACTIVE' &&
      error.message.includes(`payouts of this account is ${status}`)
    assert.throws(() => assertActive('payouts', status), isRefused)
  }
})

test('a day of birth is a day of the calendar from 1900 on, and not later than today', () => {
  const at = Date.parse('2027-03-01T12:00:00Z')
  for (const text of ['1900-01-01', '2000-02-29', '1990-12-31', '2027-03-01', '1999-04-30'])
    assert.ok(isBirthday(text, at), text)
  for (const text of [
    '1899-12-31',
    '1900-02-29',
    '2001-02-29',
    '1990-13-01',
    '1990-00-10',
    '1990-01-00',
    '1990-04-31',
    '1990-01-32',
    '2027-03-02',
    '1990-1-1',
    'x1990-01-01',
    '1990-01-01x',
    '',
  ])
    assert.ok(!isBirthday(text, at), text)
})

test('operators read of an account whether it waits for a decision or for information', () => {
  const row = { accountId: 'acct_1', environment: 'live', status: 'active' } as const
  assert.deepEqual(aboutAccount({ ...row, isReviewing: true }), {
    ...row,
    waitingOn: 'reviewer',
    summary: 'An account that awaits a decision',
  })
  assert.deepEqual(aboutAccount({ ...row, isReviewing: false }), {
    ...row,
    waitingOn: 'merchant',
    summary: 'An account with information that is due later',
  })
})
