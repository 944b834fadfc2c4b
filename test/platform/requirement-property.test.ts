import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  isPastDue,
  type AccountFacts,
  accountStatuses,
  askedCodes,
  capabilityRequirementsOf,
  capabilityStatusesOf,
  deadlinesAfterClearing,
  dueAfterMs,
  graceMs,
  momentsOf,
  requirementsOf,
  type Requirements,
  unverifiedOf,
} from '../../domain/platform/requirement.ts'
import { nextStepOf } from '../../domain/platform/account-deadline.ts'
import { needsReview, statusAfterChange } from '../../domain/platform/account-status.ts'
import { capabilities, capabilityStatuses } from '../../domain/platform/capability.ts'
import {
  documentSlots,
  type RequirementCode,
  requirementCodes,
  requirementMeanings,
} from '../../domain/platform/requirement-code.ts'
import {
  accountCountryCodes,
  businessTypes,
  extrasOf,
  isOffered,
  ruleOf,
  slotsOf,
  usualCapabilities,
} from '../../domain/platform/requirement-rule.ts'

const day = 24 * 3_600_000
const begun = Date.parse('2026-01-01T00:00:00Z')

const subsetOf = <T>(values: readonly T[]) => fc.subarray([...values])
const moment = fc.integer({ min: 0, max: 120 * 24 }).map((hours) => begun + hours * 3_600_000)

/** Any account, also one that no history leads to: the rules must hold for what they are given. */
const accounts: fc.Arbitrary<AccountFacts> = fc.record({
  country: fc.option(fc.constantFrom(...accountCountryCodes), { freq: 9 }),
  businessType: fc.option(fc.constantFrom(...businessTypes), { freq: 9 }),
  status: fc.constantFrom(...accountStatuses),
  isExempt: fc.constant(false),
  requested: subsetOf(capabilities),
  given: subsetOf(requirementCodes).map((codes) => new Set(codes)),
  verified: subsetOf(requirementCodes),
  errors: subsetOf(requirementCodes).map((codes) => codes.map((code) => ({ code, reason: 'unclear' }))),
  deadlines: fc.dictionary(fc.constantFrom(...requirementCodes), moment),
  activatedAt: fc.option(fc.constant(begun)),
  isReviewing: fc.boolean(),
  statuses: fc.dictionary(fc.constantFrom(...capabilities), fc.constantFrom(...capabilityStatuses)),
})

/** The account after it has provided something anew: what staff have asked for is answered, nothing is verified. */
const providing = (facts: AccountFacts, code: RequirementCode): AccountFacts => ({
  ...facts,
  given: new Set([...facts.given, code]),
  errors: facts.errors.filter((error) => error.code !== code),
  verified: facts.verified.filter((one) => one !== code),
})

const lists = ({ currentlyDue, eventuallyDue, pastDue, pendingVerification }: Requirements) => ({
  currentlyDue,
  eventuallyDue,
  pastDue,
  pendingVerification,
})
const isWithin = (inner: readonly string[], outer: readonly string[]) => inner.every((one) => outer.includes(one))

test('providing something never makes anything due or past due, and takes what is provided from both', () => {
  fc.assert(
    fc.property(accounts, fc.constantFrom(...requirementCodes), moment, (facts, code, at) => {
      const [before, after] = [requirementsOf(facts, at), requirementsOf(providing(facts, code), at)]
      assert.ok(isWithin(after.pastDue, before.pastDue))
      assert.ok(isWithin(after.currentlyDue, before.currentlyDue))
      assert.ok(isWithin(after.eventuallyDue, before.eventuallyDue))
      for (const list of [after.pastDue, after.currentlyDue, after.eventuallyDue]) assert.ok(!list.includes(code))
      assert.ok(!isPastDue(providing(facts, code), at) || isPastDue(facts, at))
    }),
    { numRuns: 2_000 },
  )
})

test('every list is of what is asked for, past due is currently due, and nothing is in two lists', () => {
  fc.assert(
    fc.property(accounts, moment, (facts, at) => {
      for (const each of [
        requirementsOf(facts, at),
        ...capabilities.map((one) => capabilityRequirementsOf(facts, one, at)),
      ]) {
        const { currentlyDue, eventuallyDue, pastDue, pendingVerification } = lists(each)
        assert.ok(isWithin(pastDue, currentlyDue))
        const all = [...currentlyDue, ...eventuallyDue, ...pendingVerification]
        assert.equal(new Set(all).size, all.length)
      }
      assert.ok(isWithin(Object.values(lists(requirementsOf(facts, at))).flat(), askedCodes(facts)))
    }),
    { numRuns: 2_000 },
  )
})

test('time only moves what is missing forward: from eventually due to currently due to past due', () => {
  fc.assert(
    fc.property(accounts, moment, fc.nat({ max: 100 * day }), (facts, at, later) => {
      const [before, after] = [requirementsOf(facts, at), requirementsOf(facts, at + later)]
      assert.ok(isWithin(before.pastDue, after.pastDue))
      assert.ok(isWithin(before.currentlyDue, after.currentlyDue))
      assert.ok(isWithin(after.eventuallyDue, before.eventuallyDue))
      assert.deepEqual(after.pendingVerification, before.pendingVerification)
    }),
    { numRuns: 1_000 },
  )
})

test('an account that has everything and has had it verified waits for nothing, for ever', () => {
  fc.assert(
    fc.property(accounts, moment, (facts, at) => {
      const whole: AccountFacts = {
        ...facts,
        status: 'active',
        given: new Set(requirementCodes),
        verified: requirementCodes,
        errors: [],
      }
      const { currentDeadline, disabledReason, errors, ...due } = requirementsOf(whole, at)
      assert.deepEqual([...Object.values(due).flat(), ...errors], [])
      assert.deepEqual([currentDeadline, disabledReason], [null, null])
      assert.equal(nextStepOf({ ...whole, warnedOf: null }, at), null)
      assert.ok(!needsReview(whole))
      for (const [capability, status] of capabilityStatusesOf(whole, at)) {
        const isAsked = facts.requested.includes(capability) && isOffered(facts.country, capability)
        assert.equal(status, isAsked ? 'active' : 'inactive', capability)
      }
    }),
    { numRuns: 500 },
  )
})

test('providing all that is due leads to a review, whatever the account is, where and what it asks for', () => {
  fc.assert(
    fc.property(accounts, moment, (facts, at) => {
      fc.pre(facts.status !== 'active' && facts.status !== 'rejected')
      const provided = requirementsOf(facts, at).currentlyDue.reduce(providing, facts)
      const status = statusAfterChange(provided, at)
      assert.equal(status, 'under_review')
      assert.ok(needsReview({ ...provided, status }))
    }),
    { numRuns: 1_000 },
  )
})

test('what an account itself has to provide never lacks a deadline once cleared, nor gets one earlier by it', () => {
  fc.assert(
    fc.property(accounts, subsetOf(requirementCodes), moment, (facts, codes, at) => {
      const missing = new Set([...facts.given].filter((code) => !codes.includes(code)))
      const cleared = codes.filter((code) => facts.given.has(code))
      const active: AccountFacts = { ...facts, status: 'active', activatedAt: begun, given: missing, errors: [] }
      const after = { ...active, deadlines: deadlinesAfterClearing(active, cleared, at) }
      const own = cleared.filter((code) => askedCodes({ ...after, requested: [] }).includes(code))
      for (const code of own) {
        const alone = { ...after, requested: [], given: new Set(requirementCodes.filter((one) => one !== code)) }
        const { deadline } = momentsOf(alone, begun + dueAfterMs)
        assert.ok(deadline !== null && deadline >= Math.min(at + graceMs, facts.deadlines[code] ?? Infinity), code)
        const before = momentsOf({ ...alone, deadlines: facts.deadlines }, begun + dueAfterMs).deadline
        assert.ok(deadline >= (before ?? 0), code)
      }
      for (const code of requirementCodes) assert.ok((after.deadlines[code] ?? 0) >= (facts.deadlines[code] ?? 0), code)
    }),
    { numRuns: 1_000 },
  )
})

test('every code that can be asked for is a field or a slot that the account has', () => {
  for (const country of accountCountryCodes) {
    for (const businessType of businessTypes) {
      const { now, later } = ruleOf({ country, businessType })
      const offered = capabilities.filter((capability) => isOffered(country, capability))
      const extras = offered.flatMap((capability) => extrasOf(capability, { country, businessType }))
      for (const code of [...now, ...later, ...extras]) {
        const isSlot = documentSlots.some((slot) => slot === code)
        if (isSlot)
          assert.ok(
            slotsOf({ country, businessType }).some((slot) => slot === code),
            `${country} ${code}`,
          )
        assert.ok(requirementMeanings[code].length > 5)
      }
      assert.equal(new Set(now).size, now.length)
      assert.ok(
        now.every((code) => !later.includes(code)),
        `${country} ${businessType}: something is due twice`,
      )
      assert.ok(isWithin(usualCapabilities(country), offered))
    }
  }
})

test('what is due later becomes due after 30 days and past due 14 days after that, to the millisecond', () => {
  const facts: AccountFacts = {
    country: 'NG',
    businessType: 'company',
    status: 'active',
    isExempt: false,
    requested: [],
    given: new Set(ruleOf({ country: 'NG', businessType: 'company' }).now),
    verified: ruleOf({ country: 'NG', businessType: 'company' }).now,
    errors: [],
    deadlines: {},
    activatedAt: begun,
    isReviewing: false,
    statuses: {},
  }
  const later = ['company.tax_id', 'company.proof_of_address']
  const due = begun + dueAfterMs
  assert.deepEqual(requirementsOf(facts, due - 1).eventuallyDue, later)
  assert.deepEqual(requirementsOf(facts, due).currentlyDue, later)
  assert.equal(requirementsOf(facts, due).currentDeadline, due + graceMs)
  assert.deepEqual(requirementsOf(facts, due + graceMs - 1).pastDue, [])
  assert.deepEqual(requirementsOf(facts, due + graceMs).pastDue, later)
  assert.deepEqual(momentsOf(facts, begun), { dueAt: due, deadline: null })
  // Provided a millisecond before: it is not past due, although nobody has decided about it yet.
  const provided = { ...facts, given: new Set([...facts.given, ...ruleOf(facts).later]) }
  assert.equal(isPastDue(provided, due + graceMs), false)
  assert.deepEqual(unverifiedOf(provided), later)
})
