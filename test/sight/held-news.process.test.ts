import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { endow } from '../support/conversion.ts'
import { loseProcess } from '../support/lose-process.ts'
import { done, ends, scriptedKinds, why, withOrdersAtRails } from '../support/orders-at-rails.ts'
import { sendRailNews } from '../support/rail-books.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// News of a rail about an order that staff touch meanwhile, with every change that is still dormant in this release.
const [minute, hour] = [60_000, 3_600_000]
const stack = await useStack({ skipping: true, dormant: [] })
await useApi(stack)
const ada = await addStaff(stack)
await endow(stack, stack.organizationId, '1000000.00')
await endow(stack, stack.organizationId, '1000000000.00', 'NGN')
const atRails = await withOrdersAtRails(stack)
const { scripted, stuck, finished, processOf, endAtRail, isRecorded } = atRails
afterEach(async () => {
  for (const kind of scriptedKinds) scripted[kind].answers([])
  await assertInvariants(stack)
})

const away = () => Array.from({ length: 900 }, () => 'no answer' as const)

for (const kind of scriptedKinds) {
  test(`a ${kind}: news from before a hold is asked for until the rail is back, and a mere poll is not`, async () => {
    const [told, polled] = [await stuck(kind), await stuck(kind)]
    await endAtRail(kind, told)
    scripted[kind].answers(away())
    await sendRailNews(stack, kind, told)
    await stack.dispatched()
    await until(() => scripted[kind].asked.length > 0, 'the rail was asked')
    for (const id of [told, polled])
      assert.equal(done(await ada.on(`${kind}s`, id, 'hold', why)), 'executed processing')
    await stack.skip(12 * hour)
    const length = await stack.historyLength(kind, told)
    assert.ok(length <= 45, `${length} events`)
    scripted[kind].answers([])
    await stack.skip(6 * minute)
    await isRecorded(kind, told)
    assert.equal(await finished(kind, told), ends[kind])
    assert.equal(scripted[kind].asked.length, 1)
    assert.equal(done(await ada.on(`${kind}s`, polled, 'mark-failed', why)), 'executed failed')
    assert.equal(await finished(kind, polled), 'failed')
  })

  test(`a ${kind} on hold whose process has continued in a new run asks for the news of the last one`, async () => {
    const id = await stuck(kind)
    assert.equal(done(await ada.on(`${kind}s`, id, 'hold', why)), 'executed processing')
    await endAtRail(kind, id)
    await loseProcess(stack.client, kind, id)
    const { taskQueue, memo } = await processOf(kind, id).describe()
    await stack.client.workflow.start(kind, {
      args: [id, true],
      workflowId: `${kind}/${id}`,
      taskQueue,
      memo: memo ?? {},
    })
    await isRecorded(kind, id)
    assert.equal(await finished(kind, id), ends[kind])
  })

  test(`a ${kind}: news that comes while staff get the last answer of its process is asked for`, async () => {
    assert.ok((await atRails.announceDuringTheLastAnswer(kind, ada)) > 0)
  })
}
