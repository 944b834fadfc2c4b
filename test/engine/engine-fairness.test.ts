import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { createEngine, type Dispatch } from '../../engine/engine.ts'

const about = { environment: 'sandbox', status: 'pending', waitingOn: 'receiver', summary: 'one' }

/** An engine with queues that no worker polls; `take` takes tasks as a worker would. */
async function open() {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
  const client = new Client({ connection })
  const name = `test-${randomBytes(6).toString('hex')}`
  const engine = createEngine(client, { taskQueue: name, webhookTaskQueue: `${name}-webhooks` })
  return {
    engine,
    async start(dispatch: Pick<Dispatch, 'process' | 'orderingKey'>, accountId: string, count: number) {
      for (let n = 0; n < count; n++) {
        const resourceId = `${accountId}-${dispatch.orderingKey ?? 'none'}-${randomBytes(6).toString('hex')}`
        await engine.dispatch({ ...dispatch, resourceId, about: { ...about, accountId }, signal: null })
      }
    },
    async take(queue: string, count: number): Promise<string[]> {
      const taken = []
      for (let n = 0; n < count; n++) {
        const taskQueue = { name: name + queue }
        const poll = () =>
          connection.workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue, identity: 'test' })
        const task = await connection.withDeadline(Date.now() + 20_000, poll)
        taken.push(task.workflowExecution?.workflowId ?? '')
      }
      return taken
    },
    close: () => connection.close(),
  }
}

test('tasks of two merchants, and of one merchant’s two receivers, take turns', { timeout: 120_000 }, async (t) => {
  const { engine, start, take, close } = await open()
  t.after(close)
  await start({ process: 'checkout' }, 'acct_noisy', 40)
  await start({ process: 'checkout' }, 'acct_quiet', 2)
  while ((await engine.backlogOf('main'))?.waiting !== 42) await sleep(50)
  const sales = await take('', 12)
  assert.equal(sales.filter((id) => id.includes('acct_quiet')).length, 2, sales.join(' '))

  await start({ process: 'webhook-delivery', orderingKey: 'we_busy' }, 'acct_one', 40)
  await start({ process: 'webhook-delivery', orderingKey: 'we_calm' }, 'acct_one', 2)
  while ((await engine.backlogOf('webhooks'))?.waiting !== 42) await sleep(50)
  const deliveries = await take('-webhooks', 12)
  assert.equal(deliveries.filter((id) => id.includes('we_calm')).length, 2, deliveries.join(' '))
})
