import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDisputeKits, type DisputeKit } from '../support/dispute-kits.ts'
import { disputing } from '../support/dispute.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'

// One suite for three rails: what the sandbox promises about a dispute holds at Stripe and at Paystack too.
const day = 86_400_000
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const evidence = { uncategorized_text: 'The customer has it.', submit: true }

const disputesOf = (paymentId: string) =>
  stack.sql<{ id: string }>('select id from disputes where payment_id = ? order by id', [paymentId])

/**
 * A paid sale that its buyer has disputed, of which the rail has told; `end`: the network has decided it before.
 * `paymentId` is a sale that is there already.
 */
async function dispute(kit: DisputeKit, { end, paymentId: known }: { end?: 'won'; paymentId?: string } = {}) {
  const paymentId = known ?? (await kit.sell())
  const networkId = await kit.raise(paymentId)
  if (end) await kit.end(networkId, end)
  await kit.tell(paymentId, networkId)
  await until(async () => (await disputesOf(paymentId)).length > 0, 'the dispute is opened')
  const id = String((await disputesOf(paymentId))[0]?.id)
  await stack.dispatched()
  await settled(stack.client, 'dispute', id)
  return { paymentId, networkId, id }
}

/** What a dispute has taken of the merchant's money so far, or has left them owing, without its fee. */
async function takenBy(id: string): Promise<number> {
  const lines = Object.entries(await postedBy(stack, id))
  const taken = lines.filter(([line]) => /^dispute_(hold|released) (merchant|owed)$/.test(line))
  return taken.reduce((sum, [, amount]) => sum + Number(amount), 0)
}

const kits = await createDisputeKits(live)
for (const kit of kits) {
  const { name, merchant } = kit
  const calls = disputing(merchant)
  const resolutionOf = async (id: string) => (await calls.read(id))['resolution']

  test(`${name}: a dispute of which the rail tells three times is opened once, and its amount held once`, async () => {
    const { paymentId, networkId, id } = await dispute(kit)
    await Promise.all([kit.tell(paymentId, networkId), kit.tell(paymentId, networkId)])
    await settled(stack.client, 'dispute', id)
    assert.equal((await disputesOf(paymentId)).length, 1)
    const shown = await calls.read(id)
    assert.deepEqual([shown.status, await takenBy(id)], ['needs_response', -Number(shown.amount)])
    assert.equal((await merchant.getPayment(paymentId))['disputed'], true)
    assert.deepEqual(await eventsAbout(stack, id), ['dispute.created'])
    await calls.accept(id)
    assert.equal(await stack.finished('dispute', id), 'lost')
    assert.deepEqual([await resolutionOf(id), await takenBy(id)], ['accepted', -Number(shown.amount)])
    await kit.tell(paymentId, networkId)
    assert.equal(await stack.finished('dispute', id), 'lost')
    assert.deepEqual(await eventsAbout(stack, id), ['dispute.created', 'dispute.lost'])
  })

  test(`${name}: a dispute that its network had decided before it told of it ends by that decision`, async () => {
    const { id } = await dispute(kit, { end: 'won' })
    assert.equal((await calls.read(id)).status, 'won')
    assert.deepEqual([await takenBy(id), await eventsAbout(stack, id)], [0, ['dispute.created', 'dispute.won']])
  })

  for (const end of ['won', 'lost'] as const) {
    test(`${name}: evidence whose answer is lost is given once, and the network's word counts: ${end}`, async () => {
      const { paymentId, networkId, id } = await dispute(kit)
      kit.loseAnswer(networkId)
      await calls.change(id, evidence)
      const isGiven = async () => {
        await stack.skip(1_000)
        return (await kit.submissions(networkId)) > 0
      }
      await until(isGiven, 'the network has the evidence')
      await settled(stack.client, 'dispute', id)
      assert.equal((await calls.read(id)).status, 'under_review')
      await kit.end(networkId, end)
      await Promise.all([kit.tell(paymentId, networkId), kit.tell(paymentId, networkId)])
      assert.equal(await stack.finished('dispute', id), end)
      assert.equal(await kit.submissions(networkId), 1)
      const { amount } = await calls.read(id)
      assert.deepEqual([await resolutionOf(id), await takenBy(id)], ['evidence', end === 'won' ? 0 : -Number(amount)])
      await kit.tell(paymentId, networkId)
      assert.equal(await stack.finished('dispute', id), end)
      const ends = (await eventsAbout(stack, id)).filter((type) => /won|lost/.test(type))
      assert.deepEqual(ends, [`dispute.${end}`])
    })
  }

  test(`${name}: a decision of which nobody tells is asked about, and found within two days`, async () => {
    const { networkId, id } = await dispute(kit)
    await calls.change(id, evidence)
    await settled(stack.client, 'dispute', id)
    await kit.end(networkId, 'won')
    await stack.skip(2 * day)
    assert.equal(await stack.finished('dispute', id), 'won')
  })

  test(`${name}: a dispute that nobody answers is lost at its deadline, not before it, and only once`, async () => {
    const { paymentId, networkId, id } = await dispute(kit)
    const { evidence_due_at: due } = await calls.read(id)
    const left = Date.parse(String(due)) - (await stack.clock.now())
    await stack.skip(left - 3_600_000)
    assert.equal((await calls.read(id)).status, 'needs_response')
    await stack.skip(2 * 3_600_000)
    assert.equal(await stack.finished('dispute', id), 'lost')
    assert.equal(await resolutionOf(id), 'expired')
    await kit.end(networkId, 'lost')
    await kit.tell(paymentId, networkId)
    assert.equal(await stack.finished('dispute', id), 'lost')
    assert.deepEqual(await eventsAbout(stack, id), ['dispute.created', 'dispute.evidence_due_soon', 'dispute.lost'])
  })
}

test('Paystack: an acceptance after a refund of a part gives the buyer what is left of the charge', async () => {
  const kit = kits.find(({ name }) => name === 'Paystack') ?? assert.fail('there is no kit of Paystack')
  const calls = disputing(kit.merchant)
  const paymentId = await kit.sell()
  await kit.merchant.refund(paymentId, { amount: 1000 })
  const { networkId, id } = await dispute(kit, { paymentId })
  assert.equal((await calls.accept(id)).amount, '4000.00')
  assert.equal(await stack.finished('dispute', id), 'lost')
  const theirs = live.paystack.book.disputes.find((one) => String(one.id) === networkId)
  assert.deepEqual(
    theirs?.answers.map(({ refund_amount: named }) => named),
    [400_000],
  )
})

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
