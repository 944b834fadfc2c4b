import { beginAnew } from './begin-anew.ts'
import { endow } from './conversion.ts'
import type { Life } from './life.ts'
import { addDestination, lastFour, moveDestination } from './payout.ts'
import { settled } from './settled.ts'
import { addStaff } from './staff.ts'
import { type Stack } from './stack.ts'
import { until } from './until.ts'
import { loseProcess } from './lose-process.ts'

const hour = 3_600_000

type Then = (stack: Stack, id: string) => Promise<unknown>

/** Pays out to an account whose number has these last digits, and then does what the life is about. */
const pay = (ends: string, body: Record<string, unknown> = {}, then?: Then): Life => ({
  process: 'payout',
  async play(stack) {
    const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
    await endow(stack, owner.accountId, '10000.00', 'NGN')
    const { id } = await stack.merchant.payOut(await addDestination(stack, owner, { ends }), body)
    await stack.dispatched()
    await then?.(stack, id)
    return id
  },
})

const act =
  (what: string, body: object, afterMs = 0): Then =>
  async (stack, id) => {
    if (afterMs) await stack.skip(afterMs)
    await settled(stack.client, 'payout', id)
    await (await addStaff(stack)).onPayout(id, what, body)
  }

const held = { reference: 'sandbox_hold' }

/** Pays out while the rail throws at every call; after `then` the rail is available again. */
function whileUnavailable(then: Then): Life['play'] {
  return async (stack, receiver) => {
    const sandbox = stack.deps.rails.in('sandbox')
    const { paying } = sandbox
    const throwing = () => Promise.reject(new Error('the rail does not answer'))
    sandbox.paying = (type, currency) => ({ ...paying(type, currency), payOut: throwing, lookUpPayout: throwing })
    try {
      return await pay(lastFour.completes, {}, then).play(stack, receiver)
    } finally {
      sandbox.paying = paying
    }
  }
}

/** The lives of a payout that are recorded. */
export const lives: Record<string, Life> = {
  'payout-completed': pay(lastFour.completes),
  'payout-completed-late': pay(lastFour.completesSoon),
  'payout-failed': pay(lastFour.fails),
  'payout-stuck-then-settled': pay(
    lastFour.neverAnswers,
    {},
    act('mark-settled', { reason: 'The bank’s statement shows it', proof_ref: 'STATEMENT-7' }, 30 * hour),
  ),
  'payout-stuck-then-failed': pay(lastFour.neverAnswers, {}, async (stack, id) => {
    await act('retry', { reason: 'The first order may be lost' }, 2 * hour)(stack, id)
    await act('mark-failed', { reason: 'The bank knows nothing of it' })(stack, id)
  }),
  'payout-held-then-approved': pay(lastFour.completes, held, act('review', { decision: 'approve' }, 80 * hour)),
  'payout-held-then-rejected': pay(
    lastFour.completes,
    held,
    act('review', { decision: 'reject', reason: 'Nobody has ordered this' }),
  ),
  'payout-held-again': pay(lastFour.completes, held, async (stack, id) => {
    const review = act('review', { decision: 'approve' })
    await settled(stack.client, 'payout', id)
    const [row] = await stack.sql<{ at: string }>('select destination_id as at from payouts where id = ?', [id])
    const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
    await moveDestination(stack, owner, row?.at ?? '', '9128340001')
    await review(stack, id)
    await review(stack, id)
  }),
  'payout-rail-away': { process: 'payout', play: whileUnavailable((stack) => stack.skip(30 * hour)) },
  'payout-begun-anew': {
    process: 'payout',
    play: whileUnavailable(async (stack, id) => {
      await until(async () => (await stack.merchant.getPayout(id)).status === 'processing', 'the rail was asked')
      await loseProcess(stack.client, 'payout', id)
      await beginAnew(stack, 'payout', 'payouts', id)
    }),
  },
  'payout-returned': pay(lastFour.completes, {}, async (stack, id) => {
    await stack.finished('payout', id)
    await stack.merchant.settlePayout(id, 'returned')
  }),
}
