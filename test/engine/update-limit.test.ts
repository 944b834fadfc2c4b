import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { createEngine } from '../../engine/engine.ts'
import { isSlow } from '../../engine/unavailable.ts'

const [limitMs, endsAfterMs] = [1_000, 700]

/** What a call fails with that was given up. */
const cancelled = Object.assign(new Error('1 CANCELLED'), { code: 1, details: 'cancelled', metadata: {} })

/** The client of an engine where every process ends before it answers; no real process can be made to do that. */
function clientOfEndingProcesses() {
  const times = { asked: 0 }
  const client = {
    options: { namespace: 'default' },
    /** As the real one: the call fails once the signal is aborted, and never if it was aborted before. */
    withAbortSignal: (signal: AbortSignal, call: () => Promise<unknown>) =>
      Promise.race([call(), new Promise((_, reject) => signal.addEventListener('abort', () => reject(cancelled)))]),
    workflow: {
      async executeUpdateWithStart() {
        times.asked += 1
        await sleep(endsAfterMs)
        throw new WorkflowNotFoundError('workflow execution already completed', 'payout/pay_1', undefined)
      },
    },
  }
  return { times, client: client as unknown as Client }
}

const about = { accountId: 'acct_1', environment: 'sandbox', status: 'pending', waitingOn: 'rail', summary: 'one' }

test('who asks a process that always ends first waits for one limit in all, and hears that it is slow', async () => {
  const { client, times } = clientOfEndingProcesses()
  const engine = createEngine(client, { taskQueue: 'a', webhookTaskQueue: 'b' }, { updateTimeoutMs: limitMs })
  const begunAt = performance.now()
  const error: unknown = await engine
    .update({ process: 'payout', resourceId: 'pay_1', about }, 'retry', ['opa_1'], 'opa_1')
    .catch((thrown: unknown) => thrown)
  const tookMs = performance.now() - begunAt
  assert.equal(times.asked, 2, 'it was asked again')
  assert.ok(tookMs < 2 * endsAfterMs, `it took ${tookMs} ms: the second try had a time of its own`)
  assert.ok(isSlow(error), String(error))
})
