import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { callRail, RailUnavailable, RailRefusal } from '../../rails/rail-refusal.ts'
import { type ErrorCode, errorCodes, Refusal } from '../../domain/refusal.ts'
import type { Logger } from '../../engine/logger.ts'
import { refusalIn, translateErrors } from '../../engine/refusals.ts'

const logged: object[] = []
const logger = { warn: (about: object) => void logged.push(about) } as unknown as Logger
const info = { activityType: 'submitPayout', attempt: 1, workflowExecution: { workflowId: 'payout/pay_1', runId: '' } }

/** What the engine is told when a step throws this. */
async function translated(error: unknown): Promise<ApplicationFailure> {
  const { inbound } = translateErrors(logger)({ info } as unknown as Context)
  const fails = async (): Promise<never> => {
    throw error
  }
  try {
    await inbound?.execute?.({ args: [], headers: {} }, fails)
  } catch (told) {
    assert.ok(told instanceof ApplicationFailure)
    return told
  }
  return assert.fail('nothing was thrown')
}

const codes = Object.keys(errorCodes) as ErrorCode[]
const transient: ErrorCode[] = ['INTERNAL_SERVER_ERROR', 'BAD_GATEWAY', 'SERVICE_UNAVAILABLE']

test('a business no ends a step for good; one that says that something is away or busy makes it again', async () => {
  for (const code of codes) {
    const told = await translated(new Refusal(code, 'some words'))
    assert.equal(told.nonRetryable, !transient.includes(code), code)
    assert.equal(refusalIn(told)?.code, code)
  }
})

test('a step that is made again because something was away is logged, with its process', async () => {
  logged.length = 0
  await translated(new Refusal('SERVICE_UNAVAILABLE', 'the rates are not known'))
  await translated(new Refusal('CONFLICT', 'it has ended'))
  assert.deepEqual(
    logged.map((about) => 'workflowId' in about && about.workflowId),
    ['payout/pay_1'],
  )
})

test('no refusal of ours leaves a rail as a final word, whatever its code', async () => {
  for (const code of codes) {
    const thrown = await callRail(() => Promise.reject(new Refusal(code, 'some words'))).catch(
      (error: unknown) => error,
    )
    assert.ok(thrown instanceof RailUnavailable, code)
    const told = await translated(thrown)
    assert.deepEqual([told.nonRetryable, refusalIn(told)], [false, undefined])
  }
})

test('a rail’s answer and its no pass unchanged; everything else that it throws is told apart from both', async () => {
  assert.equal(await callRail(async () => 'unknown'), 'unknown')
  const no = new RailRefusal('not taken')
  await assert.rejects(
    callRail(() => Promise.reject(no)),
    (thrown) => thrown === no,
  )
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  for (const error of [new TypeError('a broken adapter'), cause, 'no error at all']) {
    await assert.rejects(
      callRail(() => Promise.reject(error)),
      (thrown) => thrown instanceof RailUnavailable && thrown.cause === error,
    )
  }
  // Where no order is given a "no" makes no sense: the rail is asked again.
  assert.equal((await translated(new RailRefusal('not taken'))).nonRetryable, false)
})
