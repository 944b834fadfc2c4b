import { assertMove, type Moves } from '../move.ts'
import type { Environment } from '../access/scope.ts'
import { type AccountFacts, type AccountStatus, requirementsOf, unverifiedOf } from './requirement.ts'

/** Every legal move of an account. A rejected one stays rejected. */
export const accountMoves: Moves<AccountStatus> = {
  onboarding: ['under_review'],
  // A restricted account that takes something back during its review is restricted again.
  under_review: ['onboarding', 'active', 'restricted', 'rejected'],
  active: ['restricted', 'rejected'],
  restricted: ['under_review'],
  rejected: [],
}

/** Moves an account to another status (docs/contract/platform.md, "Connected accounts"). */
export function moveAccount(account: { status: AccountStatus }, to: AccountStatus): void {
  if (account.status === to) return
  assertMove('account', accountMoves, account.status, to)
  account.status = to
}

/**
 * The status of an account after something was provided, changed or taken back. An active one stays active: what it has
 * changed is reviewed beside. `at` is in milliseconds since the epoch.
 */
export function statusAfterChange(facts: AccountFacts, at: number): AccountStatus {
  const { status, activatedAt } = facts
  if (facts.isExempt || status === 'active' || status === 'rejected') return status
  if (requirementsOf(facts, at).currentlyDue.length === 0) return 'under_review'
  return activatedAt === null ? 'onboarding' : 'restricted'
}

/** Whether somebody has to review the account as it stands now. */
export const needsReview = (facts: AccountFacts): boolean =>
  !facts.isExempt && (facts.status === 'under_review' || (facts.status === 'active' && unverifiedOf(facts).length > 0))

/** The environment that an account belongs to; null for both. */
type Placed = { environment?: Environment | null | undefined }

/**
 * The environment in which an account has a status of its own. One that its platform made through the API belongs to
 * the environment of that call. Any other account may do everything in the sandbox, and has to be reviewed for live.
 */
export const reviewedIn = ({ environment }: Placed): Environment => environment ?? 'live'

type ReviewedState = { environment: Environment; activatedAt: Date | null }

/**
 * Whether nothing is asked of an account: in the environment in which nobody reviews it, and where operators have let
 * it go live by the command line, without a review.
 */
export function isExemptIn(account: Placed & { paymentsEnabled: boolean }, state: ReviewedState): boolean {
  if (reviewedIn(account) !== state.environment) return true
  return !account.environment && account.paymentsEnabled && state.activatedAt === null
}
