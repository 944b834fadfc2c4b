import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import Big from 'big.js'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { disputeActivities } from '../../activities/dispute/dispute.ts'
import { refundActivities } from '../../activities/refund.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Refund } from '../../db/refund/refund.ts'
import { isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { newId } from '../../domain/id.ts'
import { isRefundEnded } from '../../domain/refund.ts'
import { Refusal } from '../../domain/refusal.ts'
import { raiseInSandbox } from '../../rails/sandbox/dispute.ts'
import { payStepByStep } from '../support/card-sale.ts'
import { inActivity } from '../support/in-activity.ts'
import { checkBooks, checkInvariants } from '../support/invariants.ts'
import { createMerchant } from '../support/merchant.ts'
import { addPlatform } from '../support/platform.ts'
import { type Pick, randomly } from '../support/story.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// RACES=200 npm test -- test/dispute/refund-race.test.ts is the full size. The steps of the processes are called by the
// test, so that it chooses when each of them runs, and which of them run at once or twice.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const seeds = Number(process.env['RACES'] ?? 40)
const [hour, day] = [3_600_000, 86_400_000]

const deps = { ...stack.deps, database: { ...stack.database, clock: null, publicUrl: stack.baseUrl } }
const [checkouts, refunds] = [checkoutActivities(deps), refundActivities(deps)]
const disputes = inActivity(disputeActivities(deps))
const em = () => deps.database.orm.em.fork()
const { platform, seller } = await addPlatform(api)
// Two API processes on one database.
const callers = [platform.merchant, createMerchant(await api.addProcess(), platform.merchant.apiKey)] as const

type Charge = { paymentId: string; checkoutId: string; at: number; isSplit: boolean }

/** A sale of 100.00 that is paid by card, in half of the cases with a share for a seller. */
async function sellOne(pick: Pick): Promise<Charge> {
  const transfer_data = { destination: seller.accountId, amount: '70.00' }
  const isSplit = pick(2) === 0
  const sold = await payStepByStep({ deps, checkouts }, platform.merchant, isSplit ? { transfer_data } : {})
  return { ...sold, isSplit }
}

/**
 * Takes a step; a refusal is a result. As the engine does, it takes the step again while a busy machine gives it no
 * connection. Any other error, such as a deadlock, is thrown.
 */
async function tolerating(work: () => Promise<unknown>, tries = 1): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (/timeout exceeded when trying to connect/.test(String(error)) && tries < 5) return tolerating(work, tries + 1)
    if (!(error instanceof Refusal) || error.code === 'INTERNAL_SERVER_ERROR') throw error
  }
}

const late = async (ms: number, work: () => Promise<unknown>) => {
  await sleep(ms)
  await tolerating(work)
}

let networkDisputes = 0

/** Refunds from two API processes, and disputes and warnings of the network, which tells of them twice. */
function attacks(charge: Charge, pick: Pick): (() => Promise<unknown>)[] {
  const { paymentId, checkoutId, at } = charge
  const refund = () => {
    const amount = pick(4) === 0 ? {} : { amount: (1 + pick(4_000)) / 100 }
    const more = {
      simulated_outcome: pick(4) === 0 ? 'failed' : 'success',
      reverse_transfer: charge.isSplit && pick(2) === 0,
    }
    const caller = callers[pick(2)] ?? callers[0]
    const body = { charge_id: paymentId, reference: 'race', fee_bearer: 'ORG', ...amount, ...more }
    return async () => {
      const { status, text } = await caller.call('POST', '/api/v1/payments/refunds', body)
      assert.ok(status < 500 || status === 503, text)
    }
  }
  const dispute = () => {
    const amount = pick(8) === 0 ? '100.00' : ((1 + pick(5_000)) / 100).toFixed(2)
    const warnsUntil = pick(3) === 0 ? at + 72 * hour : null
    const key = `race-${++networkDisputes}`
    return async () => {
      await raiseInSandbox(em(), { paymentId, key }, { amount, reason: 'general', warnsUntil }, at)
      const lookUp = () => checkouts.lookUpPayment(checkoutId, paymentId, at)
      await Promise.all([lookUp(), lookUp()])
    }
  }
  return Array.from({ length: 5 }, () => (pick(2) === 0 ? refund() : dispute()))
}

const refundsOf = ({ paymentId }: Charge) => em().find(Refund, { chargeId: paymentId })
const disputesOf = ({ paymentId }: Charge) => em().find(Dispute, { paymentId })

/** A refund's process, to its end. */
async function endRefund(id: string, at: number): Promise<void> {
  const answer = await refunds.submitRefund(id, at)
  if (answer === 'succeeded' || answer === 'failed') await refunds.closeRefund(id, answer, at)
}

/** What may become of a dispute. */
const endings = (dispute: Dispute, pick: Pick, at: number): (() => Promise<unknown>)[] => {
  const { id, networkId } = dispute
  const callId = newId('call', at)
  const submit = async (text: string) => {
    await stack.sql(
      `update disputes set evidence = evidence || jsonb_build_object('uncategorized_text', ?::text)
      where id = ? and status = 'needs_response'`,
      [text, id],
    )
    await disputes.submitDisputeEvidence(id, callId, at)
    await disputes.tellNetwork(id, at)
  }
  const withdraw = async () => {
    await stack.sql(
      `update simulated_disputes set status = 'withdrawn'
       where network_id = ? and status in ('early_warning', 'needs_response')`,
      [networkId],
    )
    await disputes.lookUpDispute(id, at)
  }
  const all = [
    () => disputes.acceptDispute(id, callId, at),
    () => submit('winning_evidence'),
    () => submit('losing_evidence'),
    withdraw,
    () => disputes.preventDisputeIfRefunded(id, at),
  ]
  // One of them, so that the network and we cannot disagree about which was first; twice, as its worker may die.
  const chosen = all[pick(all.length)] ?? withdraw
  return [chosen, chosen]
}

/** Everything that is under way comes to its end: refunds, warnings, and disputes at their deadline. */
async function comeToRest(charge: Charge): Promise<void> {
  let { at } = charge
  for (let round = 0; round < 8; round++) {
    for (const { id, status } of await refundsOf(charge)) if (!isRefundEnded(status)) await endRefund(id, at)
    for (const { id, status } of await disputesOf(charge)) {
      if (status === 'early_warning') await disputes.preventDisputeIfRefunded(id, at)
      if (!isDisputeEnded(status)) await disputes.lookUpDispute(id, at)
      for (let step = 0; step < 2; step++) await disputes.takeDisputeStep(id, at)
      await disputes.tellNetwork(id, at)
    }
    await checkouts.lookUpPayment(charge.checkoutId, charge.paymentId, at)
    const isResting =
      (await refundsOf(charge)).every(({ status }) => isRefundEnded(status)) &&
      (await disputesOf(charge)).every(({ status, railDue }) => isDisputeEnded(status) && railDue === null)
    if (isResting) return
    at += round === 0 ? 73 * hour : 15 * day
  }
  assert.fail(`${charge.paymentId} never comes to rest`)
}

/** What has left a charge to its buyer, and what is on its way. */
async function leaving(charge: Charge): Promise<Big> {
  const back = (await refundsOf(charge)).filter(({ status }) => status !== 'failed')
  const gone = (await disputesOf(charge)).filter(({ status }) =>
    ['needs_response', 'under_review', 'lost'].includes(status),
  )
  const amounts = [...back.map(({ requestedAmount }) => requestedAmount), ...gone.map(({ amount }) => amount)]
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0))
}

const counted = { refunds: 0, disputes: 0, warnings: 0, prevented: 0, exhausted: 0 }

test(`refunds, disputes and warnings of one charge at once, ${seeds} times: never more than was paid`, async (t) => {
  for (let seed = 1; seed <= seeds; seed++) {
    const pick = randomly(seed)
    const charge = await sellOne(pick)
    const assertWithin = async (when: string) => {
      const sum = await leaving(charge)
      assert.ok(sum.lte(100), `seed ${seed}, ${when}: ${sum} of 100.00`)
      if (sum.eq(100)) counted.exhausted += 1
    }
    await Promise.all(attacks(charge, pick).map((attack) => late(pick(8), attack)))
    await assertWithin('after the first calls')
    const work = [
      ...(await refundsOf(charge)).flatMap(({ id }) => [
        () => endRefund(id, charge.at),
        () => endRefund(id, charge.at),
      ]),
      ...(await disputesOf(charge)).flatMap((dispute) => endings(dispute, pick, charge.at)),
      ...attacks(charge, pick),
    ]
    await Promise.all(work.map((each) => late(pick(10), each)))
    await assertWithin('after the ends')
    await comeToRest(charge)
    await assertWithin('at rest')
    const all = await disputesOf(charge)
    counted.refunds += (await refundsOf(charge)).length
    counted.disputes += all.length
    counted.warnings += all.filter(({ warnsUntil }) => warnsUntil !== null).length
    counted.prevented += all.filter(({ status }) => status === 'prevented').length
    await stack.sql('delete from outbox') // no process runs
    assert.deepEqual(await checkBooks(stack.database), [], `seed ${seed}`)
  }
  assert.deepEqual(await checkInvariants(stack.database), [])
  t.diagnostic(JSON.stringify(counted))
  for (const [what, count] of Object.entries(counted)) assert.ok(count > 0, `no race had ${what}`)
})
