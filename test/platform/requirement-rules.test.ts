import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStepOf } from '../../domain/platform/account-deadline.ts'
import { needsReview, statusAfterChange } from '../../domain/platform/account-status.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import {
  type AccountFacts,
  accountStatuses,
  askedCodes,
  capabilityRequirementsOf,
  capabilityStatusOf,
  capabilityStatusesOf,
  isPastDue,
  momentsOf,
  requirementsOf,
  restrictedAt,
  unverifiedOf,
} from '../../domain/platform/requirement.ts'
import { type RequirementCode, requirementCodes } from '../../domain/platform/requirement-code.ts'
import {
  accountCountryCodes,
  businessTypes,
  extrasOf,
  isOffered,
  ruleOf,
  slotsOf,
  usualCapabilities,
} from '../../domain/platform/requirement-rule.ts'

// What accounts have to provide, and what follows from it, tested without a running service.

const day = 86_400_000
const begun = Date.parse('2027-01-01T00:00:00Z')

const everybody = [
  'email',
  'business_profile.name',
  'business_profile.product_category',
  'terms_acceptance',
  'representative.first_name',
  'representative.last_name',
  'representative.date_of_birth',
  'representative.phone_number',
  'representative.address.line1',
  'representative.address.city',
]
const organization = ['company.name', 'company.registration_number', 'company.address.line1', 'company.address.city']
const company = ['owners', 'company.certificate_of_incorporation']
const charity = ['directors', 'company.registration_of_charity']
const [tax, number, document, proof, post] = [
  'company.tax_id',
  'representative.id_number',
  'representative.id_document',
  'company.proof_of_address',
  'company.address.postal_code',
]

/** What docs/contract/platform.md, "Requirements", asks beside what everybody gives: at once, and 30 days later. */
const asked: Record<string, [now: string[], later: string[]]> = {
  'NG individual': [[number], [document, 'company.business_name_certificate']],
  'NG company': [
    [...organization, ...company, number],
    [tax, proof],
  ],
  'NG non_profit': [[...organization, ...charity, number], [proof]],
  'GH individual': [[number], [document]],
  'GH company': [[...organization, ...company, tax], [proof]],
  'GH non_profit': [
    [...organization, ...charity],
    [tax, proof],
  ],
  'KE individual': [[number], [document]],
  'KE company': [[...organization, ...company, tax, 'directors'], [proof]],
  'KE non_profit': [
    [...organization, ...charity],
    [tax, proof],
  ],
  'US individual': [[number], [document]],
  'US company': [[...organization, ...company, tax, post, number], [proof]],
  'US non_profit': [[...organization, ...charity, tax, post], [proof]],
  'GB individual': [[], [document]],
  'GB company': [[...organization, ...company, post, 'directors'], [proof]],
  'GB non_profit': [[...organization, ...charity, post], [proof]],
}

test('each country asks each type of business for what the contract says, now and later', () => {
  for (const country of accountCountryCodes) {
    for (const businessType of businessTypes) {
      const { now, later } = ruleOf({ country, businessType })
      const [atOnce, after] = asked[`${country} ${businessType}`] ?? assert.fail(country)
      assert.deepEqual(now.toSorted(), [...everybody, ...atOnce].toSorted(), `${country} ${businessType}`)
      assert.deepEqual(later.toSorted(), after.toSorted(), `${country} ${businessType}`)
    }
  }
})

test('an account without a country or a type is asked for these first', () => {
  assert.deepEqual(ruleOf({ country: null, businessType: null }), {
    now: ['country', 'business_type', ...everybody],
    later: [],
  })
  assert.deepEqual(ruleOf({ country: 'NG', businessType: null }).now, ['business_type', ...everybody])
  assert.deepEqual(ruleOf({ country: null, businessType: 'company' }).now, ['country', ...everybody])
})

test('the capabilities that each country has, and those that an account gets without asking', () => {
  const usual = accountCountryCodes.map((country) => `${country} ${usualCapabilities(country).join(' ')}`)
  assert.deepEqual(usual, [
    'NG card_payments bank_transfer_payments payouts transfers',
    'GH card_payments mobile_money_payments payouts transfers',
    'KE card_payments mobile_money_payments payouts transfers',
    'US card_payments payouts transfers',
    'GB card_payments payouts transfers',
  ])
  for (const country of accountCountryCodes) {
    const more = capabilities.filter((each) => isOffered(country, each) && !usualCapabilities(country).includes(each))
    assert.deepEqual(more, country === 'NG' ? ['crypto_payments', 'virtual_accounts'] : ['crypto_payments'])
  }
  assert.ok(capabilities.every((each) => isOffered(null, each)))
})

test('what a capability asks for beside the account’s own requirements', () => {
  const extras = (businessType: 'individual' | 'company') =>
    Object.fromEntries(capabilities.map((each) => [each, extrasOf(each, { country: 'NG', businessType })]))
  const both = {
    card_payments: ['business_profile.product_description'],
    crypto_payments: ['business_profile.product_description', 'representative.id_document'],
    payouts: ['representative.id_number', 'representative.id_document'],
    bank_transfer_payments: [],
    mobile_money_payments: [],
    transfers: [],
  }
  assert.deepEqual(extras('company'), { ...both, virtual_accounts: ['company.memorandum'] })
  assert.deepEqual(extras('individual'), { ...both, virtual_accounts: ['company.business_name_certificate'] })
})

test('an account has the slots of documents that it may be asked for, and two more', () => {
  assert.deepEqual(slotsOf({ country: 'GB', businessType: 'individual' }), [
    'company.tax_certificate',
    'company.bank_statement',
  ])
  assert.deepEqual(slotsOf({ country: 'NG', businessType: 'company' }), [
    'company.certificate_of_incorporation',
    'company.memorandum',
    'company.proof_of_address',
    'company.tax_certificate',
    'company.bank_statement',
  ])
  assert.deepEqual(slotsOf({ country: 'NG', businessType: 'individual' }), [
    'company.business_name_certificate',
    'company.tax_certificate',
    'company.bank_statement',
  ])
})

/** An active Nigerian company that has provided everything that is due at once, verified, and asked for payouts. */
const now = ruleOf({ country: 'NG', businessType: 'company' }).now
const facts: AccountFacts = {
  country: 'NG',
  businessType: 'company',
  status: 'active',
  isExempt: false,
  requested: ['payouts'],
  given: new Set(now),
  verified: now,
  errors: [],
  deadlines: {},
  activatedAt: begun,
  isReviewing: false,
  statuses: {},
}
const provide = (...codes: RequirementCode[]): Partial<AccountFacts> => ({ given: new Set([...now, ...codes]) })

test('what a requested capability needs is due at once, also where it would be due later', () => {
  const { currentlyDue, eventuallyDue, currentDeadline } = requirementsOf(facts, begun)
  assert.deepEqual(currentlyDue, ['representative.id_document'])
  assert.deepEqual(eventuallyDue, ['company.tax_id', 'company.proof_of_address'])
  assert.equal(currentDeadline, null, 'only payouts wait for it')
  const individual: AccountFacts = { ...facts, businessType: 'individual', given: new Set() }
  assert.ok(
    requirementsOf({ ...individual, requested: [] }, begun).eventuallyDue.includes('representative.id_document'),
  )
  assert.ok(requirementsOf(individual, begun).currentlyDue.includes('representative.id_document'))
})

test('what would be due later is due at once where staff ask for it, with or without a deadline', () => {
  const quiet: AccountFacts = { ...facts, requested: [] }
  const error = { code: 'company.tax_id', reason: 'unreadable' } as const
  assert.deepEqual(requirementsOf(quiet, begun).currentlyDue, [])
  assert.deepEqual(requirementsOf({ ...quiet, errors: [error] }, begun).currentlyDue, ['company.tax_id'])
  const dated: AccountFacts = { ...quiet, deadlines: { 'company.tax_id': begun + 5 * day } }
  assert.deepEqual(requirementsOf(dated, begun).currentlyDue, ['company.tax_id'])
  assert.deepEqual(requirementsOf(dated, begun).eventuallyDue, ['company.proof_of_address'])
})

test('of several deadlines the earliest counts; before it was active an account has none', () => {
  const two: AccountFacts = {
    ...facts,
    requested: [],
    given: new Set(),
    deadlines: { 'company.name': begun + 9 * day, owners: begun + 5 * day },
  }
  assert.equal(requirementsOf(two, begun).currentDeadline, begun + 5 * day)
  assert.deepEqual(momentsOf(two, begun), { dueAt: begun + 30 * day, deadline: begun + 5 * day })
  const fresh: AccountFacts = { ...two, status: 'onboarding', activatedAt: null }
  assert.equal(requirementsOf(fresh, begun + 9 * day).currentDeadline, null)
  assert.deepEqual(requirementsOf(fresh, begun + 9 * day).pastDue, [])
})

test('what staff ask for again is due at once, and past due after its own deadline', () => {
  const errors = [{ code: 'company.name', reason: 'unreadable' }] as const
  const again: AccountFacts = { ...facts, requested: [], errors, deadlines: { 'company.name': begun + day } }
  const at = (ms: number) => requirementsOf(again, begun + ms)
  assert.deepEqual([at(0).currentlyDue, at(0).pastDue, at(0).currentDeadline], [['company.name'], [], begun + day])
  assert.deepEqual(at(day).pastDue, ['company.name'])
  assert.deepEqual(at(0).errors, errors)
  assert.deepEqual([isPastDue(again, begun + day - 1), isPastDue(again, begun + day)], [false, true])
  assert.equal(isPastDue({ ...again, isExempt: true }, begun + day), false)
  const foreign = { ...again, errors: [{ code: 'company.memorandum' as const, reason: 'x' }] }
  assert.deepEqual(requirementsOf(foreign, begun).errors, [], 'nobody asks this account for it')
})

test('while a review is open what was given and is not verified awaits it', () => {
  const given: AccountFacts = { ...facts, ...provide('representative.id_document') }
  assert.deepEqual(requirementsOf(given, begun).pendingVerification, [])
  assert.deepEqual(requirementsOf({ ...given, isReviewing: true }, begun).pendingVerification, [
    'representative.id_document',
  ])
  assert.deepEqual(unverifiedOf(given), ['representative.id_document'])
  assert.deepEqual(unverifiedOf({ ...given, errors: [{ code: 'representative.id_document', reason: 'x' }] }), [])
  assert.equal(needsReview(given), true)
  assert.equal(needsReview(facts), false)
  assert.equal(needsReview({ ...given, isExempt: true }), false)
  assert.equal(needsReview({ ...facts, status: 'under_review' }), true)
  assert.equal(needsReview({ ...given, status: 'restricted' }), false)
})

test('why an account may not do everything, by its status', () => {
  const reasons = accountStatuses.map((status) => requirementsOf({ ...facts, status }, begun).disabledReason)
  assert.deepEqual(reasons, [
    'requirements.currently_due',
    'requirements.pending_verification',
    null,
    'requirements.past_due',
    'rejected',
  ])
})

test('nothing is asked of an exempt account', () => {
  const exempt = { ...facts, isExempt: true, given: new Set<RequirementCode>() }
  assert.deepEqual(askedCodes(exempt), [])
  assert.deepEqual(requirementsOf(exempt, begun).currentlyDue, [])
  const { currentlyDue, disabledReason } = capabilityRequirementsOf(exempt, 'payouts', begun)
  assert.deepEqual([currentlyDue, disabledReason], [[], null])
  assert.deepEqual(momentsOf(exempt, begun), { dueAt: null, deadline: null })
  assert.equal(statusAfterChange({ ...exempt, status: 'onboarding' }, begun), 'onboarding')
})

test('a capability is active once all that it needs is verified; payouts also wait for the account itself', () => {
  const documented: AccountFacts = { ...facts, ...provide('representative.id_document') }
  const verified: AccountFacts = { ...documented, verified: [...now, 'representative.id_document'] }
  const statusOf = (of: AccountFacts, at = begun) => capabilityStatusOf(of, 'payouts', at)
  assert.equal(statusOf(facts), 'pending')
  assert.equal(statusOf(documented), 'pending')
  assert.equal(statusOf(verified), 'active')
  assert.equal(
    statusOf({ ...verified, verified: verified.verified.filter((code) => code !== 'company.name') }),
    'pending',
  )
  assert.equal(statusOf({ ...verified, errors: [{ code: 'company.name', reason: 'x' }] }), 'pending')
  assert.equal(statusOf({ ...verified, requested: [] }), 'inactive')
  assert.equal(statusOf({ ...verified, requested: ['payouts'], country: null, businessType: null }), 'pending')
  const due = {
    ...documented,
    errors: [{ code: 'representative.id_document' as const, reason: 'x' }],
    deadlines: { 'representative.id_document': begun + day },
  }
  assert.deepEqual([statusOf(due, begun + day - 1), statusOf(due, begun + day)], ['pending', 'restricted'])
  for (const [status, expected] of [
    ['onboarding', 'pending'],
    ['under_review', 'pending'],
    ['restricted', 'restricted'],
    ['rejected', 'restricted'],
  ] as const)
    assert.equal(statusOf({ ...verified, status }), expected)
  assert.equal(
    capabilityStatusOf({ ...verified, requested: ['mobile_money_payments'] }, 'mobile_money_payments', begun),
    'inactive',
  )
  const open = { ...verified, requested: ['transfers' as const], verified: [] }
  assert.equal(capabilityStatusOf(open, 'transfers', begun), 'active')
  const cards = { ...facts, requested: ['card_payments' as const], ...provide('business_profile.product_description') }
  const selling = { ...cards, statuses: { card_payments: 'active' as const } }
  assert.equal(capabilityStatusOf(cards, 'card_payments', begun), 'pending')
  assert.equal(capabilityStatusOf(selling, 'card_payments', begun), 'active', 'what it has is verified again')
  assert.equal(capabilityStatusOf({ ...selling, given: new Set(now) }, 'card_payments', begun), 'pending')
  assert.equal(statusOf({ ...documented, statuses: { payouts: 'active' } }), 'pending')
  assert.deepEqual(
    capabilityStatusesOf(verified, begun).map(([name]) => name),
    [...capabilities],
  )
})

test('why a capability is not active: not asked for, the account itself, or what it still needs', () => {
  const reasonOf = (more: Partial<AccountFacts>, at = begun) =>
    capabilityRequirementsOf({ ...facts, ...more }, 'payouts', at).disabledReason
  assert.equal(reasonOf({ requested: [] }), 'not_requested')
  assert.equal(reasonOf({ status: 'restricted' }), 'requirements.past_due')
  assert.equal(reasonOf({}), 'requirements.currently_due')
  assert.equal(reasonOf(provide('representative.id_document')), 'requirements.pending_verification')
  assert.equal(
    reasonOf({ ...provide('representative.id_document'), verified: [...now, 'representative.id_document'] }),
    null,
  )
  const late = { deadlines: { 'representative.id_document': begun } }
  assert.equal(reasonOf(late), 'requirements.past_due')
  const unasked = capabilityRequirementsOf({ ...facts, requested: [] }, 'payouts', begun)
  assert.deepEqual(unasked.currentlyDue, ['representative.id_document'], 'it is told before it is asked for')
})

test('after a change an account is reviewed once nothing is due; one that was active is restricted till then', () => {
  const ready = { ...facts, requested: [] }
  assert.equal(statusAfterChange({ ...ready, status: 'onboarding', activatedAt: null }, begun), 'under_review')
  assert.equal(
    statusAfterChange({ ...ready, status: 'onboarding', activatedAt: null, given: new Set() }, begun),
    'onboarding',
  )
  assert.equal(statusAfterChange({ ...ready, status: 'restricted', given: new Set() }, begun), 'restricted')
  for (const status of ['active', 'rejected'] as const)
    assert.equal(statusAfterChange({ ...ready, status, given: new Set() }, begun), status)
})

test('an active account is told what is due, reminded a week before its deadline, and restricted at it', () => {
  const waiting: Parameters<typeof nextStepOf>[0] = { ...facts, requested: [], warnedOf: null }
  const step = (more: Partial<typeof waiting>, days: number) => {
    const next = nextStepOf({ ...waiting, ...more }, begun + days * day)
    return next && `${next.what} ${(next.at - begun) / day}`
  }
  assert.equal(step({}, 0), 'requirements_due 30')
  assert.equal(step({}, 30), 'deadline_warning 37')
  assert.equal(step({ warnedOf: begun + 44 * day }, 37), 'deadline 44')
  assert.equal(step({ warnedOf: begun + 40 * day }, 37), 'deadline_warning 37', 'of another deadline it was reminded')
  assert.equal(step({}, 44), 'deadline 44')
  assert.equal(step({}, 100), 'deadline 44')
  assert.equal(step({ status: 'restricted' }, 0), null)
  assert.equal(step({ ...provide('company.tax_id', 'company.proof_of_address') }, 0), null)
  const own = {
    errors: [{ code: 'company.name' as const, reason: 'x' }],
    deadlines: { 'company.name': begun + 14 * day },
  }
  assert.equal(step(own, 0), 'deadline_warning 7')
  assert.equal(step({ ...own, warnedOf: begun + 14 * day }, 8), 'deadline 14')
  assert.deepEqual(momentsOf({ ...waiting, activatedAt: null }, begun), { dueAt: null, deadline: null })
})

test('what only a capability asks for has its deadline until that is restricted, and restricts nothing else', () => {
  const [given, deadline] = [provide('company.tax_id', 'company.proof_of_address'), begun + 14 * day]
  const waiting = { ...facts, ...given, deadlines: { 'representative.id_document': deadline }, warnedOf: null }
  const step = (days: number, statuses: AccountFacts['statuses']) => {
    const next = nextStepOf({ ...waiting, statuses }, begun + days * day)
    return next && `${next.what} ${(next.at - begun) / day}`
  }
  assert.equal(step(0, { payouts: 'pending' }), 'deadline_warning 7')
  assert.equal(step(14, { payouts: 'pending' }), 'deadline 14')
  assert.equal(step(20, { payouts: 'active' }), 'deadline 14')
  for (const statuses of [{ payouts: 'restricted' }, { payouts: 'inactive' }, { transfers: 'active' }, {}] as const)
    assert.equal(step(14, statuses), null)
  assert.deepEqual([isPastDue(waiting, deadline), restrictedAt(waiting, deadline)], [false, ['payouts']])
  const own = { ...waiting, deadlines: { 'company.name': deadline } as const, given: new Set<RequirementCode>() }
  assert.equal(restrictedAt(own, deadline), 'account')
})

test('every code is asked of somebody, or may be sent by somebody', () => {
  const known = new Set<string>(['country', 'business_type'])
  for (const country of accountCountryCodes) {
    for (const businessType of businessTypes) {
      const structure = { country, businessType }
      for (const code of [...ruleOf(structure).now, ...ruleOf(structure).later, ...slotsOf(structure)]) known.add(code)
      for (const capability of capabilities) for (const code of extrasOf(capability, structure)) known.add(code)
    }
  }
  assert.deepEqual(
    requirementCodes.filter((code) => !known.has(code)),
    [],
  )
})
