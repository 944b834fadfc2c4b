import { isOneOf } from '../../domain/narrow.ts'
import { environments } from '../../domain/access/scope.ts'
import { invalid, mustBeOneOf, Refusal } from '../../domain/refusal.ts'
import { type Caller, type Operation, takesEnvironment } from './operation.ts'

/**
 * The caller in the environment that `X-Environment` names. A person may choose it; without the header they see live
 * data once their organization is activated. Every other credential has one environment. A header that names the other
 * one, or nothing, is refused and not ignored: its sender expects that the call is about what it names.
 */
export function inEnvironment(operation: Operation, caller: Caller, named: string | string[] | undefined): Caller {
  if (named === undefined || !takesEnvironment(operation)) return caller
  if (!isOneOf(environments, named)) throw invalid('X-Environment', mustBeOneOf(environments), 'value_error.enum')
  if (named === caller.environment || isVisitor(caller)) return caller
  if (caller.userId === null) {
    throw new Refusal('FORBIDDEN', `the credential is of the ${caller.environment} environment, not of ${named}`)
  }
  if (named === 'live' && !caller.maySeeLive) {
    throw new Refusal('FORBIDDEN', 'your organization has not been activated, so it has no live environment yet')
  }
  return { ...caller, environment: named }
}

const isVisitor = ({ accountId, userId }: Caller): boolean => accountId === '' && userId === null
