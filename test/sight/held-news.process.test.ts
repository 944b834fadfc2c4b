import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { conversionActivities } from '../../activities/conversion.ts'
import { refundActivities } from '../../activities/refund.ts'
import { endow } from '../support/conversion.ts'
import { inActivity, keepWarnings } from '../support/in-activity.ts'
import { loseProcess } from '../support/lose-process.ts'
import { done, ends, type Scripted, scriptedKinds, why, withOrdersAtRails } from '../support/orders-at-rails.ts'
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

/** An order whose rail has announced its end, and then answers no question. */
async function tellInVain(kind: Scripted): Promise<string> {
  const id = await stuck(kind)
  await endAtRail(kind, id)
  scripted[kind].answers(Array.from({ length: 900 }, () => 'no answer' as const))
  await sendRailNews(stack, kind, id)
  await stack.dispatched()
  await until(() => scripted[kind].asked.length > 0, 'the rail was asked')
  return id
}

for (const kind of scriptedKinds) {
  test(`a ${kind}: news from before a hold is asked for until the rail is back, and a mere poll is not`, async () => {
    const polled = await stuck(kind)
    const told = await tellInVain(kind)
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

  test(`a ${kind} marked as failed while its rail is asked about news is shown as contradicted by it`, async () => {
    const id = await tellInVain(kind)
    assert.equal(done(await ada.on(`${kind}s`, id, 'mark-failed', why)), 'executed failed')
    scripted[kind].answers([])
    await stack.skip(6 * minute)
    assert.equal(await finished(kind, id), 'contradicted')
    assert.match(await atRails.attributesOf(kind, id), /"contradicted".*"operator"/)
    await endAtRail(kind, id, 'failed') // as after our support has spoken with the provider’s
  })

  test(`a ${kind}: the log warns where its rail contradicts our books, and not where it confirms them`, async () => {
    const id = await stuck(kind)
    assert.equal(done(await ada.on(`${kind}s`, id, 'mark-failed', why)), 'executed failed')
    assert.equal(await finished(kind, id), 'failed')
    const { warned, logger } = keepWarnings()
    const { closeRefund } = inActivity(refundActivities(stack.deps), logger)
    const { closeConversion } = inActivity(conversionActivities(stack.deps), logger)
    const close = { refund: closeRefund, conversion: closeConversion }[kind]
    const now = await stack.clock.now()
    assert.equal(await close(id, 'failed', now), 'failed')
    if (kind === 'refund') assert.equal(await closeRefund(id, 'returned', now), 'failed')
    assert.deepEqual(warned, [])
    assert.equal(await close(id, ends[kind] as never, now), 'failed')
    assert.deepEqual(warned, [`the provider reports a different outcome of this ${kind} than our books`])
  })

  test(`a ${kind}: news that is not answered for is kept by a retry that a hold interrupts`, async () => {
    const id = await tellInVain(kind)
    const before = scripted[kind].asked.length
    assert.equal(done(await ada.on(`${kind}s`, id, 'retry', why)), 'executed processing')
    // Once for staff, and then it is sent again.
    await until(() => scripted[kind].asked.length > before + 1, 'it is sent again')
    assert.equal(done(await ada.on(`${kind}s`, id, 'hold', why)), 'executed processing')
    scripted[kind].answers([])
    await stack.skip(6 * minute)
    await isRecorded(kind, id)
    assert.equal(await finished(kind, id), ends[kind])
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
