import { type ShownDispute, disputing, warnedCard } from './dispute.ts'
import type { Life } from './life.ts'
import { settled } from './settled.ts'
import type { Stack } from './stack.ts'
import { until } from './until.ts'

const [hour, day] = [3_600_000, 86_400_000]

type Calls = ReturnType<typeof disputing>
type Then = (id: string, calls: Calls, stack: Stack) => Promise<unknown>

/** A dispute of a sale, once its process waits, and what becomes of it. */
const disputed = (body: object, then: Then): Life => ({
  process: 'dispute',
  async play(stack) {
    const calls = disputing(stack.merchant)
    const { dispute_id: id } = await calls.raise(await stack.merchant.chargeByCard(), body)
    await stack.dispatched()
    await settled(stack.client, 'dispute', id)
    await then(id, calls, stack)
    await stack.dispatched()
    return id
  },
})

const submit =
  (text: string): Then =>
  (id, calls) =>
    calls.change(id, { uncategorized_text: text, submit: true })

/** A sale to a card whose bank warns of a dispute, and what becomes of it. */
const warned = (then: (dispute: ShownDispute, calls: Calls, stack: Stack) => Promise<unknown>): Life => ({
  process: 'dispute',
  async play(stack) {
    const calls = disputing(stack.merchant)
    const paymentId = await calls.sellTo(warnedCard)
    await stack.skip(2_000)
    const found = () => stack.sql<{ id: string }>('select id from disputes where payment_id = ?', [paymentId])
    await until(async () => (await found()).length > 0, 'the bank has warned')
    const dispute = await calls.read((await found())[0]?.id ?? '')
    await stack.dispatched()
    await settled(stack.client, 'dispute', dispute.dispute_id)
    await then(dispute, calls, stack)
    await stack.dispatched()
    return dispute.dispute_id
  },
})

/** The network does not answer the first tries. */
const withoutAnswers =
  (then: Then): Then =>
  async (id, calls, stack) => {
    const rails = stack.deps.rails.in('sandbox')
    const { of } = rails
    let failures = 3
    rails.of = (corridor) => ({
      ...of(corridor),
      async submitEvidence(order, at) {
        if (failures-- > 0) throw new Error('the network is unavailable')
        return of(corridor).submitEvidence(order, at)
      },
    })
    await then(id, calls, stack)
    await until(() => failures < 0, 'the network has the evidence').finally(() => (rails.of = of))
  }

export const lives: Record<string, Life> = {
  'dispute-won': disputed({}, submit('winning_evidence')),
  'dispute-lost': disputed({}, submit('losing_evidence')),
  'dispute-submitted-while-the-network-was-away': disputed({}, withoutAnswers(submit('winning_evidence'))),
  'dispute-lost-at-its-deadline': disputed({}, async (_, __, stack) => stack.skip(15 * day)),
  'dispute-won-after-its-notice': disputed({}, async (id, calls, stack) => {
    await stack.skip(13 * day)
    await calls.change(id, { uncategorized_text: 'winning_evidence', submit: true })
  }),
  'dispute-accepted': disputed({}, (id, calls) => calls.accept(id)),
  'dispute-withdrawn': disputed({}, (id, calls) => calls.settle(id, 'withdrawn')),
  'dispute-polled-for-40-days': disputed({}, async (id, calls, stack) => {
    await calls.change(id, { uncategorized_text: 'They have it.', submit: true })
    await stack.skip(40 * day)
    await calls.settle(id, 'won')
  }),
  'dispute-warning-prevented': warned(async ({ payment_id: paymentId }, _, stack) => {
    await stack.merchant.refund(String(paymentId), { amount: 5 })
    await stack.skip(hour)
    await stack.merchant.refund(String(paymentId))
  }),
  'dispute-warning-accepted': warned(({ dispute_id: id }, calls) => calls.accept(id)),
  'dispute-warning-withdrawn': warned(({ dispute_id: id }, calls) => calls.settle(id, 'withdrawn')),
  'dispute-warning-raised': warned(async ({ dispute_id: id }, calls, stack) => {
    await stack.skip(73 * hour)
    await until(async () => (await calls.read(id)).status === 'needs_response', 'the dispute is raised')
    await calls.accept(id)
  }),
  'dispute-lost-on-a-clock': {
    process: 'dispute',
    async play(stack) {
      const { merchant } = stack
      const clock = await merchant.call('POST', '/v1/test-helpers/clocks', { name: 'A clock' })
      const clockPath = `/v1/test-helpers/clocks/${String(clock.body['clock_id'])}`
      const paymentId = await merchant.chargeByCard()
      await merchant.call('POST', `${clockPath}/attach`, { payment_id: paymentId })
      const { dispute_id: id } = await disputing(merchant).raise(paymentId)
      await stack.dispatched()
      await merchant.call('POST', `${clockPath}/advance`, { by: 'P20D' })
      return id
    },
  },
}
