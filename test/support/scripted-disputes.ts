import { setTimeout } from 'node:timers/promises'
import type { DisputeAnswer, EvidenceOrder } from '../../rails/dispute-rail.ts'
import type { RailAnswer } from '../../rails/rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import type { Stack } from './stack.ts'

/**
 * What the network does instead of answering; null answers. With `loses the answer` it carries out the call, and the
 * call fails nevertheless. With `takes 4 s` it answers, after longer than a member of staff waits for one try.
 */
type Fault = 'throws' | 'loses the answer' | 'refuses' | 'takes 4 s' | null

/**
 * Puts faults between a stack and its card network: for each kind of call one that stays until it is changed. `charges`
 * are the look-ups of charges, with which the network tells of disputes.
 */
export function failingNetwork({ deps }: Pick<Stack, 'deps'>) {
  const rails = deps.rails.in('sandbox')
  const { of } = rails
  const faults: Record<'submit' | 'accept' | 'lookUp' | 'charges', Fault> = {
    submit: null,
    accept: null,
    lookUp: null,
    charges: null,
  }
  const calls: (keyof typeof faults)[] = []
  const orders: EvidenceOrder[] = []

  async function run<T extends DisputeAnswer | RailAnswer>(kind: keyof typeof faults, call: () => Promise<T>) {
    calls.push(kind)
    if (faults[kind] === 'throws') throw new Error('the network is unavailable')
    if (faults[kind] === 'refuses') throw new RailRefusal('the network does not take it')
    if (faults[kind] === 'takes 4 s') await setTimeout(4_000)
    const answer = await call()
    if (faults[kind] === 'loses the answer') throw new Error('the connection was cut')
    return answer
  }
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      lookUp: (id, at) => run('charges', () => rail.lookUp(id, at)),
      lookUpDispute: (order, at) => run('lookUp', () => rail.lookUpDispute(order, at)),
      acceptDispute: (order, at) => run('accept', () => rail.acceptDispute(order, at)),
      submitEvidence(order, at) {
        orders.push(order)
        return run('submit', () => rail.submitEvidence(order, at))
      },
    }
  }
  return {
    faults,
    calls,
    /** The evidence that the network was sent. */
    orders,
    heal(): void {
      for (const kind of Object.keys(faults) as (keyof typeof faults)[]) faults[kind] = null
      calls.length = 0
      orders.length = 0
    },
  }
}
