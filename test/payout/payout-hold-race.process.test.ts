import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
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

const reason = 'A test'
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
