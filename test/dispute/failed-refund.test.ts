import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { disputeActivities } from '../../activities/dispute/dispute.ts'
import { refundActivities } from '../../activities/refund.ts'
import { lockDisputed, openDisputes } from '../../commands/dispute/open-dispute.ts'
import { inTransaction } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import type { DisputeAnswer } from '../../rails/dispute-rail.ts'
import { raiseInSandbox } from '../../rails/sandbox/dispute.ts'
import { payStepByStep } from '../support/card-sale.ts'
import { inActivity } from '../support/in-activity.ts'
import { checkBooks } from '../support/invariants.ts'
import { addPlatform } from '../support/platform.ts'
import { endRefund } from '../support/rail-books.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The steps of the processes are called by the test, so that it chooses when each of them runs.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const deps = { ...stack.deps, database: { ...stack.database, clock: null, publicUrl: stack.baseUrl } }
const [checkouts, refunds] = [checkoutActivities(deps), refundActivities(deps)]
const disputes = inActivity(disputeActivities(deps))
const em = () => deps.database.orm.em.fork()
const { platform, seller } = await addPlatform(api)
const { merchant } = platform
const hourMs = 3_600_000

afterEach(async () => {
  await stack.sql('delete from outbox') // no process runs
  assert.deepEqual(await checkBooks(stack.database), [])
})

type Charge = { paymentId: string; checkoutId: string; at: number }

/** A sale of 100.00 that is paid by card, 96.80 of which settle; the seller gets 70.00 of them. */
const sell = (): Promise<Charge> =>
  payStepByStep({ deps, checkouts }, merchant, { transfer_data: { destination: seller.accountId, amount: '70.00' } })

/** Opens a refund of all that can be refunded. */
async function refund({ paymentId }: Charge, simulated_outcome: 'success' | 'failed'): Promise<string> {
  const body = { charge_id: paymentId, reference: 'all', fee_bearer: 'ORG', simulated_outcome, reverse_transfer: true }
  const reply = await merchant.call('POST', '/api/v1/payments/refunds', body)
  assert.equal(reply.status, 201, reply.text)
  return String(reply.body['refund_id'])
}

/** The refund's process, to its end. */
async function finish(id: string, { at }: Charge): Promise<void> {
  const answer = await refunds.submitRefund(id, at)
  assert.ok(answer === 'succeeded' || answer === 'failed')
  await refunds.closeRefund(id, answer, at)
}

/** The network disputes an amount of the charge, or announces that. */
async function raise(charge: Charge, amount = '100.00', warnsUntil: number | null = null): Promise<string> {
  const { paymentId, at } = charge
  const about = { paymentId, key: amount }
  const networkId = await raiseInSandbox(em(), about, { amount, reason: 'general', warnsUntil }, at)
  await lookUp(charge)
  const [row] = await stack.sql<{ id: string }>('select id from disputes where network_id = ?', [networkId])
  return String(row?.id)
}

const lookUp = ({ checkoutId, paymentId, at }: Charge) => checkouts.lookUpPayment(checkoutId, paymentId, at)

const read = async (id: string) => (await merchant.call('GET', `/v1/disputes/${id}`)).body

const signalsOf = (id: string) =>
  stack.sql(`select signal::json ->> 'name' as name from outbox where resource_id = ? and signal is not null`, [id])

/** How a dispute stands at its network. */
async function entryOf(id: string): Promise<string> {
  const [row] = await stack.sql<{ status: string }>(
    'select s.status from simulated_disputes s join disputes d on d.network_id = s.network_id where d.id = ?',
    [id],
  )
  return String(row?.status)
}

/** What of the seller's share the refunds and disputes of a charge have taken back. */
async function takenBack({ paymentId }: Charge): Promise<number> {
  const [row] = await stack.sql<{ taken: string }>(
    'select reversed_amount as taken from transfers where payment_id = ?',
    [paymentId],
  )
  return Number(row?.taken)
}

const fails: Record<string, (id: string, charge: Charge) => Promise<void>> = {
  'is declined': finish,
  'comes back after it was paid': async (id, charge) => {
    await endRefund(stack, id, 'returned')
    await refunds.closeRefund(id, 'returned', charge.at)
  },
}

for (const [how, fail] of Object.entries(fails)) {
  for (const end of ['won', 'lost'] as const) {
    test(`a dispute takes what its network has named once a refund before it ${how}; ${end}`, async () => {
      const charge = await sell()
      const refundId = await refund(charge, how === 'is declined' ? 'failed' : 'success')
      if (how !== 'is declined') await finish(refundId, charge)
      const id = await raise(charge)
      assert.partialDeepStrictEqual(await read(id), { status: 'needs_response', amount: '3.20' })
      await fail(refundId, charge)
      await lookUp(charge)
      await lookUp(charge)
      assert.partialDeepStrictEqual(await read(id), { status: 'needs_response', amount: '100.00', fee: '15.00' })
      assert.equal(await takenBack(charge), 70)
      const events = await stack.sql<{ amount: string }>(
        `select body::json -> 'data' ->> 'amount' as amount from events where resource_id = ? order by sequence`,
        [id],
      )
      assert.deepEqual(events, [{ amount: '3.20' }, { amount: '100.00' }])
      if (end === 'lost') await disputes.acceptDispute(id, newId('call', charge.at), charge.at)
      await disputes.tellNetwork(id, charge.at)
      if (end === 'won') {
        await stack.sql(`update simulated_disputes set status = 'withdrawn' where payment_id = ?`, [charge.paymentId])
        await disputes.lookUpDispute(id, charge.at)
      }
      assert.partialDeepStrictEqual(await read(id), { status: end, amount: '100.00' })
      assert.equal(await takenBack(charge), end === 'won' ? 0 : 70)
    })
  }
}

test('a known dispute keeps its amount where its network names none; a new one takes all that is left', async () => {
  const charge = await sell()
  const known = await raise(charge, '40.00')
  const [row] = await stack.sql<{ id: string }>('select network_id as id from disputes where id = ?', [known])
  const unnamed = {
    amount: null,
    reason: 'general',
    networkReasonCode: null,
    dueAt: charge.at,
    warnsUntil: null,
  } as const
  const told = [row?.id ?? '', 'dp_new'].map((id) => ({ ...unnamed, id }))
  await inTransaction(deps.database, async (tx) =>
    openDisputes(tx, await lockDisputed(tx, charge.paymentId, told), told, charge.at),
  )
  const amounts = await stack.sql('select amount::float from disputes where payment_id = ? order by amount', [
    charge.paymentId,
  ])
  assert.deepEqual(amounts, [{ amount: 40 }, { amount: 60 }])
})

for (const end of ['needs_response', 'prevented'] as const) {
  const outcome = end === 'prevented' ? 'success' : 'failed'
  test(`a warning that is raised while a refund leaves nothing waits for it; ${outcome}: ${end}`, async () => {
    const charge = await sell()
    await raise(charge, '3.20')
    const id = await raise(charge, '100.00', charge.at + hourMs)
    const refundId = await refund(charge, outcome)
    const raisedAt = charge.at + 2 * hourMs
    await disputes.lookUpDispute(id, raisedAt)
    assert.equal((await read(id))['status'], 'early_warning')
    await stack.sql('delete from outbox')
    await finish(refundId, charge)
    assert.deepEqual(await signalsOf(id), [{ name: end === 'prevented' ? 'chargeRefunded' : 'networkAnswered' }])
    if (end === 'prevented') await disputes.preventDisputeIfRefunded(id, raisedAt)
    else await disputes.lookUpDispute(id, raisedAt)
    assert.partialDeepStrictEqual(await read(id), { status: end, amount: '96.80' })
    // Nothing is left for what the network has raised: staff see it, and it is not given up.
    if (end === 'prevented') assert.equal((await disputes.tellNetwork(id, raisedAt)).isContradicted, true)
    assert.partialDeepStrictEqual(await read(id), { status: end, amount: '96.80' })
    assert.equal(await entryOf(id), 'needs_response')
  })
}

/** A warning that a refund of all that has settled, 96.80 of 100.00, has prevented; `tells`: the network knows it. */
async function preventedOne(charge: Charge, tells: boolean): Promise<{ id: string; refundId: string }> {
  const id = await raise(charge, '100.00', charge.at + hourMs)
  const refundId = await refund(charge, 'success')
  await finish(refundId, charge)
  await disputes.preventDisputeIfRefunded(id, charge.at)
  if (tells) await disputes.tellNetwork(id, charge.at)
  assert.equal((await read(id))['status'], 'prevented')
  return { id, refundId }
}

for (const [decided, status] of [
  ['needs_response', 'needs_response'],
  ['under_review', 'under_review'],
  ['lost', 'lost'],
] as const) {
  for (const by of ['lookUpDispute', 'tellNetwork'] as const) {
    test(`a prevented dispute that its network has raised (${decided}) takes what the refund left: ${by}`, async () => {
      const charge = await sell()
      const { id } = await preventedOne(charge, by === 'lookUpDispute')
      await stack.sql('update simulated_disputes set status = ? where payment_id = ?', [decided, charge.paymentId])
      await disputes[by](id, charge.at + hourMs)
      assert.partialDeepStrictEqual(await read(id), { status, amount: '3.20', fee: '15.00' })
      assert.equal(await entryOf(id), decided, 'the network was only asked')
      if (status !== 'needs_response') return
      assert.equal((await read(id))['resolved_at'], null)
      await stack.sql(`update disputes set evidence = '{"uncategorized_text":"winning_evidence"}' where id = ?`, [id])
      await disputes.submitDisputeEvidence(id, newId('call', charge.at), charge.at)
      await disputes.tellNetwork(id, charge.at)
      assert.partialDeepStrictEqual(await read(id), { status: 'won', amount: '3.20' })
    })
  }
}

test('a prevented dispute whose refund comes back is asked about, and takes all that its network names', async () => {
  const charge = await sell()
  const { id, refundId } = await preventedOne(charge, true)
  await stack.sql(`update simulated_disputes set status = 'needs_response' where payment_id = ?`, [charge.paymentId])
  await stack.sql('delete from outbox')
  await fails['comes back after it was paid']?.(refundId, charge)
  assert.deepEqual(await signalsOf(id), [{ name: 'networkAnswered' }])
  await disputes.lookUpDispute(id, charge.at)
  assert.partialDeepStrictEqual(await read(id), { status: 'needs_response', amount: '100.00' })
})

test('a network that lists a prevented dispute as raised, with its charge, is asked about it', async () => {
  const charge = await sell()
  const { id } = await preventedOne(charge, true)
  await stack.sql('delete from outbox')
  await lookUp(charge)
  assert.deepEqual(await signalsOf(id), [])
  await stack.sql('update simulated_disputes set warns_until = null where payment_id = ?', [charge.paymentId])
  await lookUp(charge)
  assert.deepEqual(await signalsOf(id), [{ name: 'networkAnswered' }])
})

test('what a prevented dispute has told does not stand for the merchant’s acceptance of what was raised', async () => {
  const charge = await sell()
  const { id } = await preventedOne(charge, false)
  await stack.sql(`update simulated_disputes set status = 'needs_response' where payment_id = ?`, [charge.paymentId])
  const rail = deps.rails.in('sandbox').of('USD_CARD')
  const { acceptDispute } = rail
  let isFirst = true
  // While this answer is under way, another one is recorded and the merchant accepts what the network has raised.
  rail.acceptDispute = async (...args) => {
    const answer = await acceptDispute.apply(rail, args)
    if (isFirst) {
      isFirst = false
      await disputes.tellNetwork(id, charge.at)
      assert.equal((await read(id))['status'], 'needs_response')
      await disputes.acceptDispute(id, newId('call', charge.at), charge.at)
    }
    return answer
  }
  await disputes.tellNetwork(id, charge.at)
  rail.acceptDispute = acceptDispute
  assert.equal(await entryOf(id), 'needs_response', 'the network was only asked')
  await disputes.tellNetwork(id, charge.at)
  assert.equal(await entryOf(id), 'closed')
})

/** The steps of a dispute's process where its network answers this. */
function answering(answer: DisputeAnswer) {
  const rails = { in: () => ({ of: () => ({ lookUpDispute: async () => answer }) }) } as unknown as typeof deps.rails
  return inActivity(disputeActivities({ ...deps, rails }))
}

test('a dispute that was prevented without its money releases what is held, and one that took it is lost', async () => {
  const [open, warned, refunded] = [await sell(), await sell(), await sell()]
  const id = await raise(open)
  await answering({ status: 'prevented' }).lookUpDispute(id, open.at)
  assert.partialDeepStrictEqual(await read(id), { status: 'won', resolution: 'withdrawn', amount: '100.00' })
  assert.equal(await takenBack(open), 0)
  const warning = await raise(warned, '100.00', warned.at + hourMs)
  await answering({ status: 'prevented' }).lookUpDispute(warning, warned.at)
  assert.partialDeepStrictEqual(await read(warning), { status: 'prevented', resolution: null, fee: '0.00' })
  const due = await stack.sql('select rail_due from disputes where id = ?', [warning])
  assert.deepEqual(due, [{ rail_due: null }], 'the network, which has blocked it, is not told of it')
  const taken = answering({ status: 'lost', isAccepted: true })
  await taken.lookUpDispute(warning, warned.at)
  assert.partialDeepStrictEqual(await read(warning), { status: 'lost', resolution: 'accepted', amount: '100.00' })
  assert.equal(await takenBack(warned), 70)
  const { id: rest } = await preventedOne(refunded, true)
  await taken.lookUpDispute(rest, refunded.at)
  assert.partialDeepStrictEqual(await read(rest), { status: 'lost', resolution: 'accepted', amount: '3.20' })
})
