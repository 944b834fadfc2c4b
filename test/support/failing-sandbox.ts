import type { Stack } from './stack.ts'

type Order = 'charge' | 'chargeSaved' | 'refund' | 'submitEvidence' | 'payOut'

/**
 * Puts faults between a stack and the simulated rails: rails that do not answer at all, and an order that is carried
 * out and whose answer is lost.
 */
export function failingSandbox({ deps }: Pick<Stack, 'deps'>) {
  const rails = deps.rails.in('sandbox')
  const { of, paying, cardSetupsOf } = rails
  const state = { isAway: false, loses: null as Order | null }

  const through =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>, order: Order | null = null) =>
    async (...args: Args): Promise<Answer> => {
      if (state.isAway) throw new Error('the rail is unavailable')
      const answer = await call(...args)
      if (order === null || state.loses !== order) return answer
      state.loses = null
      throw new Error('the connection was cut')
    }
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      charge: through(rail.charge, 'charge'),
      lookUp: through(rail.lookUp),
      cancelCharge: through(rail.cancelCharge),
      refund: through(rail.refund, 'refund'),
      lookUpRefund: through(rail.lookUpRefund),
      submitEvidence: through(rail.submitEvidence, 'submitEvidence'),
      lookUpDispute: through(rail.lookUpDispute),
    }
  }
  rails.cardSetupsOf = (corridor) => {
    const setups = cardSetupsOf(corridor)
    return { ...setups, chargeSaved: through(setups.chargeSaved, 'chargeSaved') }
  }
  rails.paying = (type, currency) => {
    const rail = paying(type, currency)
    return {
      ...rail,
      payOut: through(rail.payOut, 'payOut'),
      lookUpPayout: through(rail.lookUpPayout),
      cancelPayout: through(rail.cancelPayout),
    }
  }
  return {
    loseAnswer: (to: Order): void => void (state.loses = to),
    setAway: (isAway: boolean): void => void (state.isAway = isAway),
  }
}
