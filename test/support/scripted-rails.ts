import type { ChargeOrder, RailAnswer, RefundAnswer, RefundOrder, SetupAnswer, SetupOrder } from '../../rails/rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import { type ErrorCode, Refusal } from '../../domain/refusal.ts'
import { isErrorCode } from './scripted-words.ts'
import type { Stack } from './stack.ts'

/**
 * An answer of a rail; `refuses` refuses the order. With an error code the rail takes the order, and the adapter then
 * throws that refusal of our own.
 */
type Scripted = RefundAnswer | 'no answer' | 'refuses' | ErrorCode

/**
 * Makes the rails of a stack answer about refunds by a script, keeps their table in step, and records their orders and
 * when they were asked. With an empty script they answer as usual.
 */
export function scriptRefunds({ deps, sql, clock }: Stack) {
  const rails = deps.rails.in('sandbox')
  const { of } = rails
  const script: (Scripted | Promise<Scripted>)[] = []
  const asked: number[] = []
  const orders: RefundOrder[] = []

  async function next(refundId: string, answer: () => Promise<RefundAnswer>): Promise<RefundAnswer> {
    asked.push(await clock.now())
    const word = await script.shift()
    if (word === 'no answer') throw new Error('the rail does not answer')
    if (word === 'refuses') throw new RailRefusal('the rail does not take this order')
    if (isErrorCode(word)) throw new Refusal(word, 'the service itself has failed on its way to the rail')
    if (word === 'returned') await sql(`update simulated_refunds set status = ? where refund_id = ?`, [word, refundId])
    if (word === 'succeeded' || word === 'failed') {
      await sql(
        `update simulated_refunds set status = ?, executions = executions + ?
         where refund_id = ? and status = 'processing'`,
        [word, word === 'succeeded' ? 1 : 0, refundId],
      )
    }
    return answer()
  }
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      async refund(order) {
        orders.push(order)
        const held = script.length > 0 ? { ...order, reference: 'sandbox_no_answer' } : order
        if (script[0] !== 'refuses') await rail.refund(held)
        return next(order.refundId, () => rail.lookUpRefund(order.refundId))
      },
      lookUpRefund: (refundId) => next(refundId, () => rail.lookUpRefund(refundId)),
    }
  }
  return {
    /** A word that is a promise is waited for. */
    answers(words: (Scripted | Promise<Scripted>)[]): void {
      script.splice(0, script.length, ...words)
      asked.length = orders.length = 0
    },
    asked,
    orders,
  }
}

/**
 * Makes the card network of a stack send buyers to a page of their bank where it would ask for a code, and records its
 * orders. `asksAgainMs` is the time after which we ask it again, if it sends no notice. Where it `cancels`
 * nothing, a buyer may agree whatever we ask.
 */
export function scriptRedirects({ deps, clock }: Stack, url: string) {
  const rails = deps.rails.in('sandbox')
  const { of } = rails
  const [cardSetups, vault] = [rails.cardSetupsOf('USD_CARD'), rails.vaultOf('USD_CARD')]
  const orders: (ChargeOrder | SetupOrder)[] = []
  const script = { url, asksAgainMs: null as number | null, cancels: true }

  async function elsewhere<T extends RailAnswer | SetupAnswer>(answer: T): Promise<T> {
    if (answer.status !== 'requires_action') return answer
    const newsDueAt = script.asksAgainMs === null ? {} : { newsDueAt: (await clock.now()) + script.asksAgainMs }
    return { ...answer, nextAction: { type: 'redirect', url: script.url }, ...newsDueAt }
  }
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      async charge(order, at) {
        orders.push(order)
        return elsewhere(await rail.charge(order, at))
      },
      lookUp: async (paymentId, at) => elsewhere(await rail.lookUp(paymentId, at)),
      async cancelCharge(paymentId, at) {
        const isCancelled = script.cancels || (await rail.lookUp(paymentId, at)).status !== 'requires_action'
        return elsewhere(await (isCancelled ? rail.cancelCharge(paymentId, at) : rail.lookUp(paymentId, at)))
      },
    }
  }
  const scripted: typeof cardSetups = {
    ...cardSetups,
    async setUp(order) {
      orders.push(order)
      return elsewhere(await cardSetups.setUp(order))
    },
    lookUp: async (setupId) => elsewhere(await cardSetups.lookUp(setupId)),
  }
  rails.cardSetupsOf = () => scripted
  return {
    orders,
    script,
    /** The buyer agrees on their bank's page; only the network knows it yet. */
    agree: async (paymentId: string) =>
      of('USD_CARD').confirm(paymentId, await vault.keepCode('123456'), await clock.now()),
    agreeToSave: async (setupId: string) => cardSetups.confirm(setupId, await vault.keepCode('123456')),
  }
}
