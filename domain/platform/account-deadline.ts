import { type AccountFacts, momentsOf, warnBeforeMs } from './requirement.ts'

/** `warnedOf` is the deadline that the account was last reminded of. Times are in milliseconds since the epoch. */
type Waiting = AccountFacts & { warnedOf: number | null }

/** What happens at the next moment: something becomes due, a reminder of a deadline, the deadline itself. */
export const accountWakes = ['requirements_due', 'deadline_warning', 'deadline'] as const
export type AccountStep = { what: (typeof accountWakes)[number]; at: number }

/**
 * What happens next to an active account that provides nothing: something becomes due, its owner is reminded of a
 * deadline, the deadline passes. Null: nothing. An account that is not active has no deadlines.
 */
export function nextStepOf(facts: Waiting, at: number): AccountStep | null {
  if (facts.status !== 'active') return null
  const { dueAt, deadline } = momentsOf(facts, at)
  // A reminder that could not be sent in time does not put off the deadline.
  if (deadline !== null && deadline <= at) return { what: 'deadline', at: deadline }
  const steps: AccountStep[] = []
  if (dueAt !== null) steps.push({ what: 'requirements_due', at: dueAt })
  if (deadline !== null) {
    const isWarned = facts.warnedOf === deadline
    steps.push(
      isWarned ? { what: 'deadline', at: deadline } : { what: 'deadline_warning', at: deadline - warnBeforeMs },
    )
  }
  return steps.toSorted((left, right) => left.at - right.at)[0] ?? null
}
