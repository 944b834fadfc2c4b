import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, WorkflowNotFoundError } from '@temporalio/client'
import { connectToEngine } from '../../engine/connection.ts'
import { createEngine } from '../../engine/engine.ts'
import { isSlow, isUnavailable } from '../../engine/unavailable.ts'

const [limitMs, endsAfterMs] = [1_000, 700]
/** How long a dispatch may take (`dispatchTimeoutMs` of the engine). */
const dispatchLimitMs = 5_000

/** What a call fails with that was given up. */
const cancelled = Object.assign(new Error('1 CANCELLED'), { code: 1, details: 'cancelled', metadata: {} })

/** The client of an engine where every process ends before it answers; no real process can be made to do that. */
function clientOfEndingProcesses() {
  const times = { asked: 0 }
  const client = {
    options: { namespace: 'default' },
    withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
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

const [aborted, unimplemented] = [10, 12]

/**
 * An engine that refuses the first try of each call in a way that the client repeats, as a real one does while it fails
 * over or has too much to do, and never answers the second. Of itself it tells nothing.
 */
async function engineThatFallsSilent() {
  const asked: string[] = []
  const server = createServer()
  server.on('stream', (stream: ServerHttp2Stream, { ':path': path = '' }) => {
    const method = path.slice(path.lastIndexOf('/') + 1)
    const answer = (status: number) =>
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true })
    stream.on('error', () => undefined) // the caller gives it up
    if (method === 'GetSystemInfo') return answer(unimplemented)
    asked.push(method)
    if (asked.filter((each) => each === method).length === 1) answer(aborted)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = connectToEngine({ address: `127.0.0.1:${(server.address() as AddressInfo).port}`, tls: false })
  return {
    asked,
    engine: createEngine(
      new Client({ connection }),
      { taskQueue: 'a', webhookTaskQueue: 'b' },
      { updateTimeoutMs: limitMs },
    ),
    async close() {
      await connection.close()
      server.close()
    },
  }
}

const dispatch = { process: 'payout', resourceId: 'pay_1', about } as const

test('who asks an engine that falls silent at a repetition waits for one limit in all', async (t) => {
  const { asked, engine, close } = await engineThatFallsSilent()
  t.after(close)
  const begunAt = performance.now()
  const error: unknown = await Promise.race([
    engine.update(dispatch, 'retry', ['opa_1'], 'opa_1').catch((thrown: unknown) => thrown),
    sleep(4 * limitMs, 'it still waits'),
  ])
  const tookMs = performance.now() - begunAt
  assert.ok(isSlow(error), String(error))
  assert.ok(tookMs < 2 * limitMs, `it took ${tookMs} ms`)
  assert.deepEqual(asked, ['ExecuteMultiOperation', 'ExecuteMultiOperation'], 'it was repeated once')
})

test('a dispatch to an engine that falls silent at a repetition gives its place back after its limit', async (t) => {
  const { asked, engine, close } = await engineThatFallsSilent()
  t.after(close)
  const error: unknown = await Promise.race([
    engine.dispatch({ ...dispatch, signal: null }).catch((thrown: unknown) => thrown),
    sleep(2 * dispatchLimitMs, 'it still waits'),
  ])
  assert.ok(isUnavailable(error), String(error))
  assert.deepEqual(asked, ['StartWorkflowExecution', 'StartWorkflowExecution'], 'it was repeated once')
})
