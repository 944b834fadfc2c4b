import type { Outcome } from '../review.ts'
import type { RequirementCode } from './requirement-code.ts'
import type { RequirementError } from './requirement.ts'

const sandboxDecidesAfterMs = 5_000

/**
 * What a registration number or a representative's ID number does in the sandbox that ends so; an account with any
 * other number is approved (docs/contract/platform.md, "Reviews of accounts").
 */
export const accountEndings = { rejected: '0009', undecided: '0008', asked: '0007' } as const

export type AccountDecision = { outcome: Outcome; reason: string | null; errors: RequirementError[] }

/** The numbers by which the sandbox decides, and what the account has to provide: it is asked again for that alone. */
type Numbers = {
  registrationNumber: string | null
  idNumberLastFour: string | null
  askedCodes: readonly RequirementCode[]
}

/**
 * What the sandbox decides by itself about an account, and when, for a review opened at `at` (ms since the epoch); null
 * leaves it to a reviewer.
 */
export function sandboxAccountDecision(numbers: Numbers, at: number): (AccountDecision & { at: number }) | null {
  const stated: [RequirementCode, string | null][] = [
    ['company.registration_number', numbers.registrationNumber],
    ['representative.id_number', numbers.idNumberLastFour],
  ]
  const ending = (text: string) => stated.filter(([, number]) => number?.endsWith(text)).map(([code]) => code)
  const decidesAt = at + sandboxDecidesAfterMs
  if (ending(accountEndings.rejected).length > 0) {
    return {
      outcome: 'reject',
      reason: `the sandbox rejects numbers that end in ${accountEndings.rejected}`,
      errors: [],
      at: decidesAt,
    }
  }
  if (ending(accountEndings.undecided).length > 0) return null
  const asked = ending(accountEndings.asked).filter((code) => numbers.askedCodes.includes(code))
  if (asked.length === 0) return { outcome: 'approve', reason: null, errors: [], at: decidesAt }
  const reason = `the sandbox asks again for numbers that end in ${accountEndings.asked}`
  return { outcome: 'request_information', reason, errors: asked.map((code) => ({ code, reason })), at: decidesAt }
}

type Reviewed = { revision: number; decided: Outcome | null }

/** Why a decision about a revision is refused; null: it may be made. */
export function accountDecisionError(standing: Reviewed, revision: number, outcome: Outcome): string | null {
  if (standing.revision !== revision) return 'the account has changed since'
  return standing.decided !== null && standing.decided !== outcome ? 'another decision was made already' : null
}
