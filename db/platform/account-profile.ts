import { defineEntity, p } from '@mikro-orm/core'
import type { Capability } from '../../domain/platform/capability.ts'
import type { RequirementCode } from '../../domain/platform/requirement-code.ts'
import { accountWakes } from '../../domain/platform/account-deadline.ts'
import { accountStatuses, type RequirementError } from '../../domain/platform/requirement.ts'
import { type AccountCountry, businessTypes } from '../../domain/platform/requirement-rule.ts'
import type { BusinessProfile, Company } from '../../domain/platform/account-data.ts'
import { moment, onClock, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'AccountProfile',
  tableName: 'account_profiles',
  properties: {
    // The account's own id, so that its process and timeline have it. In the environment in which nobody reviews the
    // account it is the id with the environment after it.
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    status: p.enum(accountStatuses).default('onboarding'),
    country: p.string().$type<AccountCountry>().length(2).strictNullable(),
    businessType: p.enum(businessTypes).strictNullable(),
    email: p.string().length(320).strictNullable(),
    businessProfile: p.json<BusinessProfile>(),
    company: p.json<Company>(),
    encryptedTaxId: p.text().strictNullable(),
    // When the terms were accepted, and from which IP address.
    termsAcceptedAt: moment().strictNullable(),
    termsAddress: p.string().length(64).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    // The capabilities that the account asks for.
    requested: p.json<Capability[]>(),
    // What staff have accepted, what they have asked for once more, and until when (ms since the epoch) it is due.
    verified: p.json<RequirementCode[]>(),
    errors: p.json<RequirementError[]>(),
    deadlines: p.json<Partial<Record<RequirementCode, number>>>(),
    // Grows with every change that a review is about.
    revision: p.integer().default(1),
    // Counts all changes: of two snapshots the one with the higher number is the newer.
    version: p.integer().default(1),
    isReviewing: p.boolean().default(false),
    activatedAt: moment().strictNullable(),
    statusReason: p.string().length(500).strictNullable(),
    // The deadline that the account was last reminded of.
    warnedOf: moment().strictNullable(),
    // When something happens next that no review decides: something becomes due, a reminder, a deadline.
    wakesAt: moment().strictNullable(),
    wakesFor: p.enum(accountWakes).strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    {
      name: 'account_profiles_under_review_check',
      expression: "is_reviewing or status <> 'under_review'",
    },
    { name: 'account_profiles_wakes_check', expression: '(wakes_at is null) = (wakes_for is null)' },
    {
      name: 'account_profiles_terms_check',
      expression: '(terms_accepted_at is null) = (terms_address is null)',
    },
  ],
  uniques: [{ name: 'account_profiles_once', properties: ['accountId', 'environment'] }],
  indexes: [
    { name: 'account_profiles_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'account_profiles_by_status', properties: ['environment', 'status', 'accountId'] },
    { name: 'account_profiles_by_country', properties: ['environment', 'country', 'accountId'] },
    {
      name: 'account_profiles_waiting',
      properties: ['accountId', 'environment', 'wakesAt'],
      where: 'wakes_at is not null',
    },
    { name: 'account_profiles_in_review', properties: ['createdAt'], where: 'is_reviewing' },
  ],
})
/** What an account says about itself in one environment, and what was decided about it. */
export class AccountProfile extends schema.class {}
schema.setClass(AccountProfile)
