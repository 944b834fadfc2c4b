import type Router from '@koa/router'
import { isOneOf, recordOf } from '../../domain/narrow.ts'
import { type Capability, capabilities } from '../../domain/platform/capability.ts'
import { askedCodes } from '../../domain/platform/requirement.ts'
import type { TokenSiteMeans } from '../token-site.ts'
import { moment } from '../words.ts'
import { addFormSteps } from './onboarding-business.ts'
import { addDocumentPages } from './onboarding-documents.ts'
import { addPeoplePages } from './onboarding-people.ts'
import { addReviewPage, missingIn, stepNames } from './onboarding-review.ts'
import { nextStep, progressOf, type Step, stepOf, stepsOf } from './onboarding-step.ts'
import {
  createOnboardingSite,
  home,
  type OnboardingSite,
  readSeller,
  type Seller,
  type SellerAccount,
  type Visit,
} from './onboarding-visit.ts'
import { capabilityNames } from './requirement-words.ts'

/** `/onboarding`: the pages on which a seller provides what their account has to, by the token of a link. */
export function addOnboardingPages(router: Router, means: TokenSiteMeans): void {
  const site = createOnboardingSite(router, means)
  site.read('', async (visit) => {
    const seller = await readSeller(site, visit)
    if (seller) showStart(site, visit, seller)
  })
  addFormSteps(site)
  addPeoplePages(site)
  addDocumentPages(site)
  addReviewPage(site)
  site.submit('/finish', (visit) => finish(site, visit))
  router.get('/onboarding/:token', (ctx, next) => {
    const { token } = ctx['params'] as { token: string }
    return token.startsWith('os_') ? site.enter(ctx, token) : next()
  })
}

/** Ends the link, and leads back to the platform: whoever opens it after that gets a new one there. */
async function finish(site: OnboardingSite, visit: Visit): Promise<void> {
  const ended = await visit.call('POST', 'onboarding/end')
  if (!ended.ok) return void site.showRefused(visit.ctx, ended.refused)
  site.leave(visit, { template: 'finished', title: 'You can close this page', at: '', data: {} })
}

const pollSeconds = 10

function showStart(site: OnboardingSite, visit: Visit, seller: Seller): void {
  const { account } = seller
  const common = { account, standing: standingOf(seller), asksFor: asksFor(account) }
  if (account.status === 'rejected') {
    return site.show(visit, { template: 'rejected', title: 'Your account was not accepted', at: '', data: common })
  }
  if (account.status === 'under_review') {
    const page = { template: 'checking', title: 'We are checking your details', at: '', pollSeconds }
    return site.show(visit, { ...page, data: common })
  }
  const steps = stepsOf(account)
  const next = nextStep(steps)
  const isBegun = steps.some(({ key, state }) => key !== 'review' && state === 'done')
  const data = {
    ...common,
    progress: progressOf(steps),
    steps: steps.map((step) => shownStep(seller, step)),
    next: next && `${home}/${next}`,
    button: isBegun ? 'Continue' : 'Start',
    later: namesIn(seller, account.requirements.eventually_due),
    checking: namesIn(seller, account.requirements.pending_verification),
  }
  site.show(visit, { template: 'start', title: titleOf(seller, next !== null), at: '', data })
}

function titleOf({ account, me }: Seller, isDue: boolean): string {
  if (account.status === 'restricted') return 'Your account is restricted'
  if (account.status === 'active') return isDue ? 'We need more from you' : 'Your account is active'
  return `Set up your account with ${me.platform?.name ?? 'steadypay'}`
}

const states: Record<Step['state'], string> = {
  done: 'Done',
  wrong: 'Correct this',
  due: 'To do',
  later: 'Done for now',
}

const shownStep = (seller: Seller, step: Step) => ({
  name: stepNames[step.key],
  link: `${home}/${step.key}`,
  state: step.state,
  words: states[step.state],
  missing: step.key === 'review' ? [] : missingIn(seller, step),
  errors: step.errors.map(({ code, reason }) => ({ name: namesIn(seller, [code])[0] ?? code, reason })),
})

/** Codes in the words of the pages on which they are asked for. */
const namesIn = (seller: Seller, codes: readonly string[]): string[] =>
  codes.flatMap((code) => missingIn(seller, { key: stepOf(code), due: [code] }))

/** What the account is for, in the words of the platform: what it asks for and may use. */
function asksFor({ capabilities: statuses }: SellerAccount) {
  const words = { pending: 'Not yet', active: 'Active', restricted: 'Switched off', inactive: '' } as const
  const named = recordOf(capabilities, (capability) => statuses[capability])
  return Object.entries(named).flatMap(([capability, status]) =>
    status === 'inactive' || !isOneOf(capabilities, capability)
      ? []
      : [{ name: capabilityNames[capability satisfies Capability], status, words: words[status] }],
  )
}

/** How the account stands: since when it may do what, or until when something has to be provided. */
function standingOf({ account }: Seller) {
  const { current_deadline: deadline } = account.requirements
  return {
    deadline: deadline && { at: deadline, words: moment(deadline) },
    restricts: restrictedBy(account),
    isRestricted: account.status === 'restricted',
    isActive: account.status === 'active',
    hasErrors: account.requirements.errors.length > 0,
    reason: account.status_reason,
  }
}

/**
 * What a deadline restricts: all, where something is due that the account has to provide for itself, and a part, where
 * only capabilities ask for it. Where both are due, the API does not say whose deadline is the first.
 */
function restrictedBy({ country, business_type: businessType, requirements }: SellerAccount): string {
  const own: readonly string[] = askedCodes({ country, businessType, requested: [], isExempt: false })
  const due = requirements.currently_due
  if (due.every((code) => own.includes(code))) return 'your account is'
  return due.some((code) => own.includes(code)) ? 'your account or a part of it is' : 'a part of your account is'
}
