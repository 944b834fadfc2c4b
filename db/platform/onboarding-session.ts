import { defineEntity, p } from '@mikro-orm/core'
import { moment, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'OnboardingSession',
  tableName: 'onboarding_sessions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // The token itself is shown once and is not stored.
    tokenHash: p.string().length(64),
    // Where the page sends the seller when they are done, and where they get a new link once this one has expired.
    returnUrl: p.string().length(2048),
    refreshUrl: p.string().length(2048),
    createdAt: moment(),
    expiresAt: moment().index('onboarding_sessions_by_end'),
  },
})
/** An hour in which somebody may state an account's information on the hosted page, without a login. */
export class OnboardingSession extends schema.class {}
schema.setClass(OnboardingSession)
