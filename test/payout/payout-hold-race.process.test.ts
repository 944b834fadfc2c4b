import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { assertError } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { endPayout } from '../support/rail-books.ts'
import { addStaff } from '../support/staff.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { withWorkers } from '../support/own-workers.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
await useApi(stack)
const ada = await addStaff(stack)
await endow(stack, stack.organizationId, '10000.00', 'NGN')
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })

const good = await addDestination(stack, owner, { ends: lastFour.completes })

const reason = 'A test'
const areOrdered = async (id: string, count: number) =>
  (await stack.sql('select id from operator_actions where payout_id = ?', [id])).length === count
const stateOf = async (id: string) => {
  const { searchAttributes } = await stack.client.workflow.getHandle(`payout/${id}`).describe()
  return searchAttributes['State']?.[0]
}

/** The steps of the processes. The answer of the next question about a payout waits on its way until `arrive`. */
function slowAnswers() {
  const steps = createActivities(stack.deps)
  const { lookUpPayout } = steps.main
  let isAnswered = false
  const { promise, resolve: arrive } = Promise.withResolvers<void>()
  Object.assign(steps.main, {
    async lookUpPayout(...args: Parameters<typeof lookUpPayout>) {
      const snapshot = await lookUpPayout(...args)
      isAnswered = true
      await promise
      return snapshot
    },
  })
  return { steps, arrive, isAnswered: async () => isAnswered }
}

/** The steps of the processes. Until `send` no payout is sent, and until `release` none is released. */
function heldUpSteps() {
  const steps = createActivities(stack.deps)
  const { submitPayout, carryOutAction } = steps.main
  let isSending = false
  const [sending, releasing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  Object.assign(steps.main, {
    async submitPayout(...args: Parameters<typeof submitPayout>) {
      isSending = true
      await sending.promise
      return submitPayout(...args)
    },
    async carryOutAction(...args: Parameters<typeof carryOutAction>) {
      const [row] = await stack.sql<{ action: string }>('select action from operator_actions where id = ?', [args[0]])
      if (row?.action === 'release') await releasing.promise
      return carryOutAction(...args)
    },
  })
  return { steps, send: sending.resolve, release: releasing.resolve, isSending: async () => isSending }
}

test('a mark that comes after a release is refused before the rail has cancelled, and the payout is sent', async () => {
  const { steps, send, release, isSending } = heldUpSteps()
  await withWorkers(stack, { steps, inThisThread: true }, async () => {
    const { id } = await stack.merchant.payOut(good, { amount: '1000.00' })
    await stack.dispatched()
    await until(isSending, 'its process is about to send it')
    assert.equal((await ada.onPayout(id, 'hold', { reason })).status, 200)
    const releasing = ada.onPayout(id, 'release', { reason })
    await until(() => areOrdered(id, 2), 'the release is ordered')
    const marking = ada.onPayout(id, 'mark-failed', { reason })
    await until(() => areOrdered(id, 3), 'the mark is ordered')
    release()
    assert.equal((await releasing).status, 200)
    assertError(await marking, 409, 'CONFLICT')
    send()
    assert.equal(await stack.finished('payout', id), 'completed')
  })
  await assertInvariants(stack)
})

test('a payout that is released while an answer from before is on its way is sent, and asked about', async () => {
  const { steps, arrive, isAnswered } = slowAnswers()
  await withWorkers(stack, { steps, inThisThread: true }, async () => {
    const { id } = await stack.merchant.payOut(silent, { amount: '1000.00' })
    await stack.dispatched()
    await settled(stack.client, 'payout', id)
    assert.equal((await ada.onPayout(id, 'hold', { reason })).status, 200)
    await stack.client.workflow.getHandle(`payout/${id}`).signal('railAnswered')
    await until(isAnswered, 'the rail was asked while the payout was on hold')
    assert.equal((await ada.onPayout(id, 'release', { reason })).status, 200)
    arrive()
    await until(async () => (await stateOf(id)) === 'processing', 'the process knows that it is released')
    await endPayout(stack, id, 'completed')
    await stack.client.workflow.getHandle(`payout/${id}`).signal('railAnswered')
    assert.equal(await stack.finished('payout', id), 'completed')
  })
  await assertInvariants(stack)
})
