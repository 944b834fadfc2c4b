import assert from 'node:assert/strict'
import { exchanging } from './conversion.ts'
import { addDestination, lastFour } from './payout.ts'
import { endConversion, endPayout, endRefund } from './rail-books.ts'
import { type Reply, sale } from './merchant.ts'
import { scriptConversions } from './scripted-conversions.ts'
import { scriptRefunds } from './scripted-rails.ts'
import { settled } from './settled.ts'
import type { Stack } from './stack.ts'
import type { addStaff } from './staff.ts'
import { until } from './until.ts'

type Kind = 'refund' | 'conversion' | 'payout'
/** The kinds whose rails can be scripted here. */
export type Scripted = 'refund' | 'conversion'
type Staff = Awaited<ReturnType<typeof addStaff>>

export const kinds = ['refund', 'conversion', 'payout'] as const
export const scriptedKinds = ['refund', 'conversion'] as const
export const ends = { refund: 'succeeded', conversion: 'completed', payout: 'completed' } as const
export const why = { reason: 'The provider does not answer' }
export const soon = { withinMs: 20_000 }

/** The state of an action that the API has returned, and the status of its resource. */
export const done = (reply: Reply) => {
  assert.equal(reply.status, 200, reply.text)
  return [reply.body['state'], reply.body['resource_status']].join(' ')
}

/** Orders of every kind that their rails take and do not answer, and what tests ask of them. */
export async function withOrdersAtRails(stack: Stack) {
  const scripted = { refund: scriptRefunds(stack), conversion: scriptConversions(stack) }
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const own = exchanging(stack.merchant)
  const charge = await stack.merchant.chargeByCard({ ...sale, amount: '20000.00' })

  /** Opens an order of `usd` US dollars that its rail takes and does not answer. */
  const open = {
    refund: async (usd: number) =>
      (await stack.merchant.refund(charge, { amount: usd, reference: 'sandbox_no_answer' })).refund_id,
    conversion: async (usd: number) =>
      (await own.convert({ reference: 'sandbox_no_answer' }, { from_amount: usd.toFixed(2) })).conversion_id,
    payout: async (usd: number) => (await stack.merchant.payOut(silent, { amount: (usd * 1600).toFixed(2) })).id,
  }
  const railEnds = { refund: endRefund, conversion: endConversion, payout: endPayout }
  const endAtRail = (kind: Kind, id: string, end: string = ends[kind]) => railEnds[kind](stack, id, end as never)

  async function waits(kind: Kind, id: string): Promise<void> {
    await stack.dispatched()
    await settled(stack.client, kind, id)
  }
  async function stuck(kind: Kind, usd = 10): Promise<string> {
    const id = await open[kind](usd)
    await waits(kind, id)
    return id
  }
  async function finished(kind: Kind, id: string) {
    await stack.dispatched()
    return stack.finished(kind, id)
  }
  const processOf = (kind: Kind, id: string) => stack.client.workflow.getHandle(`${kind}/${id}`)
  const attributesOf = async (kind: Kind, id: string) =>
    JSON.stringify((await processOf(kind, id).describe()).typedSearchAttributes.getAll())

  /** Waits until our books say that an order has ended as its rail says. */
  const isRecorded = (kind: Kind, id: string) =>
    until(
      async () => {
        const [row] = await stack.sql<{ status: string }>(`select status from ${kind}s where id = ?`, [id])
        return row?.status === ends[kind]
      },
      'the rail’s own result is recorded',
      soon,
    )

  /**
   * Ends an order while its rail is being asked for staff, and sends news in the moment in which only their answer is
   * still to come. Returns how often the rail was asked after that.
   */
  async function announceDuringTheLastAnswer(kind: Scripted, staff: Staff): Promise<number> {
    const id = await stuck(kind)
    const { promise: answer, resolve: arrive } = Promise.withResolvers<'unknown'>()
    const { answers, asked } = scripted[kind]
    answers([answer])
    const marking = staff.on(`${kind}s`, id, 'mark-failed', why)
    await until(() => asked.length === 1, 'the rail is asked for the staff')
    await endAtRail(kind, id)
    await processOf(kind, id).signal('railAnswered')
    await isRecorded(kind, id)
    await processOf(kind, id).signal('railAnswered')
    const before = asked.length
    arrive('unknown')
    assert.equal((await marking).status, 409)
    assert.equal(await finished(kind, id), ends[kind])
    return asked.length - before
  }
  return {
    scripted,
    open,
    endAtRail,
    waits,
    stuck,
    finished,
    processOf,
    attributesOf,
    isRecorded,
    announceDuringTheLastAnswer,
  }
}
