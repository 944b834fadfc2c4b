import type { RequirementCode } from '../../domain/platform/requirement-code.ts'
import { documentSlots } from '../../domain/platform/requirement-code.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { SellerAccount } from './onboarding-visit.ts'
import { codesAskedOf } from './requirement-words.ts'

export const stepKeys = ['business', 'company', 'person', 'people', 'documents', 'review'] as const
export type StepKey = (typeof stepKeys)[number]

/** What a step is: everything in it is given, something is wrong or missing, or the rest is due later. */
export type StepState = 'done' | 'wrong' | 'due' | 'later'

export type Step = {
  key: StepKey
  state: StepState
  /** What the step asks for: at all, now, and once more by a reviewer. */
  asked: RequirementCode[]
  due: string[]
  later: string[]
  errors: { code: string; reason: string }[]
}

/** The step in which a code is asked for. */
export function stepOf(code: string): StepKey {
  if (code === 'terms_acceptance') return 'review'
  if (code === 'owners' || code === 'directors') return 'people'
  if (isOneOf(documentSlots, code) || code === 'representative.id_document') return 'documents'
  if (code.startsWith('company.')) return 'company'
  return code.startsWith('representative.') ? 'person' : 'business'
}

/** The steps of an account in their order: only those in which it is asked for something. */
export function stepsOf(account: SellerAccount): Step[] {
  const asked = codesAskedOf(account)
  return stepKeys.map((key) => stepWith(key, asked, account)).filter((step) => step.asked.length > 0)
}

function stepWith(key: StepKey, all: readonly RequirementCode[], { requirements }: SellerAccount): Step {
  const isHere = (code: string) => stepOf(code) === key
  const asked = all.filter(isHere)
  const due = requirements.currently_due.filter(isHere)
  const later = requirements.eventually_due.filter(isHere)
  const errors = requirements.errors.filter(({ code }) => isHere(code))
  return { key, state: stateOf({ errors, due, later }), asked, due, later, errors }
}

/** The state of a step: what is most urgent in it. */
function stateOf({ errors, due, later }: Pick<Step, 'errors' | 'due' | 'later'>): Step['state'] {
  if (errors.length > 0) return 'wrong'
  if (due.length > 0) return 'due'
  return later.length > 0 ? 'later' : 'done'
}

const isOpen = ({ state }: Step): boolean => state === 'due' || state === 'wrong'

/** The next step in which something is due, after this one and else from the beginning; null: nothing is due. */
export function nextStep(steps: readonly Step[], after: StepKey | null = null): StepKey | null {
  const open = steps.filter(isOpen)
  const from = after === null ? -1 : stepKeys.indexOf(after)
  const isReview = ({ key }: Step) => key === 'review'
  const before = open.filter((step) => !isReview(step))
  const next = before.find(({ key }) => stepKeys.indexOf(key) > from) ?? before[0] ?? open[0]
  return next?.key ?? null
}

/** How many steps are done, of how many. */
export const progressOf = (steps: readonly Step[]) => ({
  done: steps.filter((step) => !isOpen(step)).length,
  total: steps.length,
})
