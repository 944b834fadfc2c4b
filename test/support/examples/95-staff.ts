import { endow, exchanging } from '../conversion.ts'
import { leftOpen, register } from '../destination.ts'
import { disputing } from '../dispute.ts'
import type { Stage } from '../example-stage.ts'
import type { Stories } from '../examples.ts'
import { addDestination, lastFour } from '../payout.ts'
import { holdAtRail } from '../rail-books.ts'
import { until } from '../until.ts'

const admin = '/api/v1/admin'
const reason = 'The provider’s support says so, ticket 4711'
const proof_ref = 'STATEMENT-7'

/** Shows every action on a kind of resource, each on a new one whose rail does not answer. */
async function showActions(
  stage: Stage,
  path: string,
  make: () => Promise<string>,
  { holds = true, settles = true }: { holds?: boolean; settles?: boolean } = {},
): Promise<void> {
  const parameter = /\{(\w+)\}/.exec(path)?.[1] ?? ''
  const act = async (action: string, id: string, more: object = {}) =>
    stage.show(`POST ${admin}/${path}/${action}`, { params: { [parameter]: id }, body: { reason, ...more } })
  const isCarriedOut = async (id: string) =>
    (await stage.stack.sql(`select from operator_actions where resource_id = ? and state = 'approved'`, [id]))
      .length === 0
  const first = await make()
  await act('retry', first)
  await until(() => isCarriedOut(first), 'the order is asked about again')
  if (holds) {
    await act('hold', first)
    await until(() => isCarriedOut(first), 'the order is on hold')
    await act('release', first)
    await until(() => isCarriedOut(first), 'the order is released')
  }
  if (settles) await act('mark-settled', await make(), { proof_ref })
  await act('mark-failed', await make())
}

export const stories: Stories = {
  async reviews({ show, known, merchant, stack, staff }) {
    const { id } = await register(merchant, 'NGN', leftOpen)
    const params = { destination_id: id }
    const { body } = await stack.merchant.call('GET', `${admin}/payout-destinations/${id}`, undefined, {
      authorization: `Bearer ${await staff.token()}`,
    })
    const { review } = body as unknown as { review: { review_id: string } }
    known['review_id'] = review.review_id
    await show(`POST ${admin}/reviews/{review_id}/claim`)
    await show(`GET ${admin}/payout-destinations/{destination_id}`, { params })
    await show(`POST ${admin}/payout-destinations/{destination_id}/review`, { params, body: { decision: 'approve' } })
    const to = known['own_destination_id'] ?? id
    const { id: payout_id } = await merchant.payOut(to, { amount: '1000.00', reference: 'sandbox_hold' })
    const isHeld = async () => (await merchant.getPayout(payout_id)).status === 'pending'
    await until(isHeld, 'the payout waits for staff')
    await show(`GET ${admin}/payouts/{payout_id}`, { params: { payout_id } })
    await show(`POST ${admin}/payouts/{payout_id}/review`, {
      params: { payout_id },
      body: { decision: 'reject', reason: 'The beneficiary cannot be confirmed' },
    })
  },

  async payouts(stage) {
    const { merchant, stack, accountId } = stage
    const owner = { accountId, environment: 'sandbox' as const }
    const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
    await showActions(stage, 'payouts/{payout_id}', async () => {
      const { id } = await merchant.payOut(silent, { amount: '1000.00' })
      await until(async () => (await merchant.getPayout(id)).status === 'processing', 'the payout is at its rail')
      return id
    })
  },

  async refunds(stage) {
    const { merchant } = stage
    await showActions(stage, 'refunds/{refund_id}', async () => {
      const { refund_id } = await merchant.refund(await merchant.chargeByCard(), { reference: 'sandbox_no_answer' })
      const isSent = async () => (await merchant.getRefund(refund_id))['status'] === 'processing'
      await until(isSent, 'the refund is at its rail')
      return refund_id
    })
  },

  async conversions(stage) {
    const { merchant, stack, accountId } = stage
    await endow(stack, accountId, '5000.00', 'USD')
    const exchange = exchanging(merchant)
    await showActions(stage, 'conversions/{conversion_id}', async () => {
      const { conversion_id } = await exchange.convert({ reference: 'sandbox_no_answer' })
      await until(
        async () => (await exchange.read(conversion_id))['status'] === 'processing',
        'the conversion is at its rail',
      )
      return conversion_id
    })
  },

  async payments(stage) {
    const { merchant, stack } = stage
    const make = async () => holdAtRail({ ...stack, merchant }, await merchant.createCheckout())
    await showActions(stage, 'payments/{payment_id}', make, { holds: false })
  },

  async disputes(stage) {
    const { merchant } = stage
    const disputes = disputing(merchant)
    const make = async () => {
      const { dispute_id } = await disputes.raise(await merchant.chargeByCard())
      await disputes.change(dispute_id, { uncategorized_text: 'The parcel was handed over.', submit: true })
      await until(async () => (await disputes.read(dispute_id)).status === 'under_review', 'the network looks at it')
      return dispute_id
    }
    await showActions(stage, 'disputes/{dispute_id}', make, { holds: false })
  },

  async deliveries(stage) {
    const { stack, call } = stage
    const { body } = await call('POST', '/v1/webhooks/endpoints', { url: 'https://example.com/slow' })
    const make = async () => {
      await call('POST', `/v1/webhooks/endpoints/${String(body['endpoint_id'])}/test`, {})
      const rows = () =>
        stack.sql<{ id: string }>(
          `select d.id from deliveries d where endpoint_id = ? and status = 'pending'
           and not exists (select from operator_actions o where o.resource_id = d.id) order by created_at desc`,
          [body['endpoint_id']],
        )
      await until(async () => (await rows()).length > 0, 'a delivery waits for its receiver')
      return String((await rows())[0]?.id)
    }
    await showActions(stage, 'webhook-deliveries/{delivery_id}', make, { settles: false })
  },
}
