import type { DisputeAnswer } from '../../rails/dispute-rail.ts'
import type { Stack } from './stack.ts'

/**
 * Makes the network of a stack silent about disputes for as long as a test wants, as one that is down, and counts the
 * calls that it got meanwhile.
 */
export function silenceableNetwork({ deps }: Pick<Stack, 'deps'>) {
  const rails = deps.rails.in('sandbox')
  const { of } = rails
  let isSilent = false
  let calls = 0
  const unlessSilent = async (call: () => Promise<DisputeAnswer>): Promise<DisputeAnswer> => {
    if (!isSilent) return call()
    calls += 1
    throw new Error('the network does not answer')
  }
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      submitEvidence: (order, at) => unlessSilent(() => rail.submitEvidence(order, at)),
      acceptDispute: (order, at) => unlessSilent(() => rail.acceptDispute(order, at)),
      lookUpDispute: (order, at) => unlessSilent(() => rail.lookUpDispute(order, at)),
    }
  }
  return {
    silence(silent: boolean): void {
      isSilent = silent
      calls = 0
    },
    calls: () => calls,
  }
}
