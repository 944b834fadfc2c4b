import { endow, exchanging } from './conversion.ts'
import type { Life } from './life.ts'
import { addDestination, lastFour } from './payout.ts'
import { endConversion, endRefund, sendRailNews } from './rail-books.ts'
import { settled } from './settled.ts'
import { addStaff } from './staff.ts'
import type { Stack } from './stack.ts'

const hour = 3_600_000
const why = { reason: 'The provider does not answer' }

type Kind = 'refund' | 'conversion' | 'payout'
type Then = (stack: Stack, id: string) => Promise<unknown>

const silent = { reference: 'sandbox_no_answer' }

const open: Record<Kind, (stack: Stack) => Promise<string>> = {
  async refund({ merchant }) {
    return (await merchant.refund(await merchant.chargeByCard(), silent)).refund_id
  },
  async conversion(stack) {
    await endow(stack, stack.organizationId)
    return (await exchanging(stack.merchant).convert(silent)).conversion_id
  },
  async payout(stack) {
    const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
    await endow(stack, owner.accountId, '10000.00', 'NGN')
    const to = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
    return (await stack.merchant.payOut(to, {})).id
  },
}

/** Opens an order that its rail does not answer, and does with it what the life is about. */
const orderThen = (process: Kind, then: Then): Life => ({
  process,
  async play(stack) {
    const id = await open[process](stack)
    await then(stack, id)
    await stack.dispatched()
    return id
  },
})

/** Staff order these actions, one after the other, with an hour before each. */
const act =
  (process: Kind, ...actions: string[]): Then =>
  async (stack, id) => {
    const staff = await addStaff(stack)
    for (const action of actions) {
      await stack.dispatched()
      await settled(stack.client, process, id)
      await stack.skip(hour)
      await staff.on(`${process}s`, id, action, { ...why, ...(action === 'mark-settled' && { proof_ref: 'S-7' }) })
    }
  }

/** What staff order about refunds, conversions and payouts, as it is recorded. */
export const lives: Record<string, Life> = {
  'refund-held-then-failed': orderThen('refund', act('refund', 'hold', 'mark-failed')),
  'refund-retried-then-settled': orderThen('refund', act('refund', 'retry', 'mark-settled')),
  'refund-contradicted': orderThen('refund', async (stack, id) => {
    await act('refund', 'mark-failed')(stack, id)
    await endRefund(stack, id, 'succeeded')
    await sendRailNews(stack, 'refund', id)
  }),
  'conversion-held-then-released': orderThen('conversion', async (stack, id) => {
    await act('conversion', 'hold', 'release')(stack, id)
    await endConversion(stack, id, 'completed')
    await sendRailNews(stack, 'conversion', id)
  }),
  'payout-held-then-released-then-settled': orderThen('payout', act('payout', 'hold', 'release', 'mark-settled')),
}
