import { setTimeout as sleep } from 'node:timers/promises'
import type { Rail, RailAnswer } from '../../rails/rail.ts'
import type { Stack } from './stack.ts'

/** What a rail does instead of answering a call; null answers. */
type ScriptedFailure = 'throws' | 'hangs' | 'loses the answer' | 'holds' | null

/**
 * Puts faults between a stack and its rails: for each kind of call one that stays until it is changed. With `loses the
 * answer` the rail carries out the call, and the call fails nevertheless; with `holds` it says that it has not decided.
 * It throws whenever it is asked about one of `silentAbout`. After `announce` each answer says that the rail
 * will have more news then, in milliseconds since the epoch.
 */
export function failingRails({ deps }: Stack) {
  const rails = deps.rails.in('sandbox')
  const { of } = rails
  const errors: Record<'charge' | 'confirm' | 'lookUp' | 'cancelCharge', ScriptedFailure> = {
    charge: null,
    confirm: null,
    lookUp: null,
    cancelCharge: null,
  }
  const silentAbout = new Set<string>()
  const calls: { kind: keyof typeof errors; paymentId: string }[] = []
  let announced: number | null = null

  async function run(
    kind: keyof typeof errors,
    paymentId: string,
    call: () => Promise<RailAnswer>,
  ): Promise<RailAnswer> {
    calls.push({ kind, paymentId })
    if (errors[kind] === 'throws' || silentAbout.has(paymentId)) throw new Error('the rail is unavailable')
    if (errors[kind] === 'hangs') await sleep(5_000)
    const answer = { ...(await call()), ...(announced !== null && { newsDueAt: announced }) }
    if (errors[kind] === 'loses the answer') throw new Error('the connection was cut')
    return errors[kind] === 'holds' ? { status: 'processing' } : answer
  }
  rails.of = (corridor): Rail<'sandbox'> => {
    const rail = of(corridor)
    return {
      ...rail,
      charge: (order, at) => run('charge', order.paymentId, () => rail.charge(order, at)),
      confirm: (id, code, at) => run('confirm', id, () => rail.confirm(id, code, at)),
      lookUp: (id, at) => run('lookUp', id, () => rail.lookUp(id, at)),
      cancelCharge: (id, at) => run('cancelCharge', id, () => rail.cancelCharge(id, at)),
    }
  }
  return {
    errors,
    silentAbout,
    calls,
    announce: (at: number) => void (announced = at),
    heal(): void {
      announced = null
      for (const kind of Object.keys(errors) as (keyof typeof errors)[]) errors[kind] = null
      silentAbout.clear()
      calls.length = 0
    },
  }
}
