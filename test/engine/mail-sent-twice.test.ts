import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { hourMs } from '../../domain/duration.ts'
import { endow } from '../support/conversion.ts'
import { addDestination } from '../support/payout.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// A mail server that answers late: the engine makes the step again while the first try still waits. Without workers, so
// that nothing else mails.
const stack = await useStack({ workers: false })
await useApi(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await addStaff(stack)
await addUser(stack, { accountId: owner.accountId, role: 'owner' })

/** Steps of two tries whose mails are only answered once both have sent them. */
function slowMails() {
  const ids: (string | undefined)[] = []
  const both = Promise.withResolvers<void>()
  const deliver = async ({ messageId }: { messageId?: string }) => {
    ids.push(messageId)
    if (ids.length === 2) both.resolve()
    await both.promise
  }
  const { main, webhooks } = createActivities({ ...stack.deps, mailer: { ...stack.deps.mailer, deliver } })
  return { steps: { ...main, ...webhooks }, ids }
}

const keptMails = () => stack.sql('select from kept_mails')

async function assertKeptOnce(step: (steps: ReturnType<typeof slowMails>['steps']) => Promise<unknown>) {
  const before = (await keptMails()).length
  const { steps, ids } = slowMails()
  await Promise.all([step(steps), step(steps)])
  assert.equal(ids.length, 2)
  assert.equal(ids[0], ids[1], 'a mail program shows it once')
  assert.equal((await keptMails()).length, before + 1)
}

test('a reminder of a review that two tries have sent is kept once', async () => {
  await endow(stack, owner.accountId, '10000.00', 'NGN')
  const { id } = await stack.merchant.payOut(await addDestination(stack, owner), { reference: 'sandbox_hold' })
  await slowMails().steps.assessPayout(id, Date.now())
  await assertKeptOnce((steps) => steps.remindPayoutReviewers(id, Date.now() + 25 * hourMs))
})

test('a warning about a failing endpoint that two tries have sent is kept once', async () => {
  await stack.merchant.setWebhook('http://127.0.0.1:9/webhooks')
  const [endpoint] = await stack.sql<{ id: string }>(
    `update webhook_endpoints set failing_since = now() - interval '25 hours' returning id`,
  )
  await assertKeptOnce((steps) => steps.mailFailingEndpoint(endpoint?.id ?? '', Date.now()))
})
