import { processNames, type ProcessName } from '../../domain/processes.ts'
import { lives, record } from '../support/histories.ts'
import type { Life } from '../support/life.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { liftRateLimits } from '../support/rows.ts'
import { type Stack, startStack } from '../support/stack.ts'

/** Tasks of a process that were done, and violations in words. A process with two tasks was replayed for the second. */
type Lived = { tasks: number; violations: string[] }

/** More than are sent at a time, so that the process waits between them: a smaller recovery has one task only. */
const missedEvents = 60

const recoveryOfMany: Life = {
  process: 'webhook-recovery',
  async play({ merchant, sql, dispatched, clock }) {
    const [endpoint] = await sql<{ id: string }>('select id from webhook_endpoints')
    const path = `/v1/webhooks/endpoints/${endpoint?.id}`
    await merchant.call('PATCH', path, { enabled: false })
    const since = new Date(await clock.now()).toISOString()
    for (let n = 0; n < missedEvents; n++)
      await merchant.call('POST', '/v1/customers', { email: `missed-${n}@example.com` })
    await merchant.call('PATCH', path, { enabled: true })
    const { body } = await merchant.call('POST', `${path}/recover`, { since })
    await dispatched()
    return String(body['recovery_id'])
  },
}

// In one life staff mark as failed what the rail has done, which the invariants name.
const { 'refund-contradicted': _, ...consistent } = lives
const acted: Record<string, Life> = { ...consistent, 'webhook-recovery-of-many': recoveryOfMany }

/**
 * Acts out lives of every process without a cache, with skipped time: all lives that are scripted, or of each process
 * those up to the first that was replayed. Also messages meet processes that are being rebuilt then.
 */
export async function liveWithoutCache({ all }: { all: boolean }) {
  const stack = await startStack({ skipping: true, maxCachedWorkflows: 0 })
  const receiver = await startReceiver()
  await liftRateLimits(stack)
  try {
    const replayed = new Set<ProcessName>()
    const violations: string[] = []
    let count = 0
    for (const [name, life] of Object.entries(acted)) {
      if (!all && replayed.has(life.process)) continue
      const lived = await live(stack, receiver, name, life)
      violations.push(...lived.violations)
      if (lived.tasks > 1) replayed.add(life.process)
      count += 1
    }
    const never = processNames.filter((process) => !replayed.has(process))
    violations.push(...never.map((process) => `no ${process} was replayed`), ...(await stack.check()))
    return { figures: { lives: count, replayed: replayed.size }, violations }
  } finally {
    await stack.stop()
    await receiver.close()
  }
}

async function live(stack: Stack, receiver: Receiver, name: string, life: Life): Promise<Lived> {
  await stack.merchant.setWebhook(receiver.url)
  const { history } = await record(stack, receiver, name, life)
  const events = history.events ?? []
  // The engine makes a task again, without a failure, for a message that came while its answer was on the way.
  const failures = events.flatMap((event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? [])
  return {
    tasks: events.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    violations: failures.map((message) => `${name}: ${message}`),
  }
}
