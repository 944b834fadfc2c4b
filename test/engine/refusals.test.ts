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

/** The failure that the engine gets when a step throws this. */
async function translated(error: unknown): Promise<ApplicationFailure> {
  const { inbound } = translateErrors(logger)({ info } as unknown as Context)
  const fails = async (): Promise<never> => {
    throw error
  }
  try {
    await inbound?.execute?.({ args: [], headers: {} }, fails)
  } catch (failure) {
    assert.ok(failure instanceof ApplicationFailure)
    return failure
  }
  return assert.fail('nothing was thrown')
}

const codes = Object.keys(errorCodes) as ErrorCode[]
const transient: ErrorCode[] = ['INTERNAL_SERVER_ERROR', 'BAD_GATEWAY', 'SERVICE_UNAVAILABLE']

test('a business refusal ends a step for good; one that says "unavailable" makes the step try again', async () => {
  for (const code of codes) {
    const failure = await translated(new Refusal(code, 'some words'))
    assert.equal(failure.nonRetryable, !transient.includes(code), code)
    assert.equal(refusalIn(failure)?.code, code)
  }
})

test('a step that is retried because something was unavailable is logged, with its process', async () => {
  logged.length = 0
  await translated(new Refusal('SERVICE_UNAVAILABLE', 'the rates are not known'))
  await translated(new Refusal('CONFLICT', 'it has ended'))
  assert.deepEqual(
    logged.map((about) => 'workflowId' in about && about.workflowId),
    ['payout/pay_1'],
  )
})

test('a refusal of our own that a rail throws is never final, whatever its code', async () => {
  for (const code of codes) {
    const thrown = await callRail(() => Promise.reject(new Refusal(code, 'some words'))).catch(
      (error: unknown) => error,
    )
    assert.ok(thrown instanceof RailUnavailable, code)
    const failure = await translated(thrown)
    assert.deepEqual([failure.nonRetryable, refusalIn(failure)], [false, undefined])
  }
})

test('a rail’s answer and its refusal pass unchanged; any other error means that the rail is unavailable', async () => {
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
  // Outside `callRail` a rail's refusal is not final: the step is tried again.
  assert.equal((await translated(new RailRefusal('not taken'))).nonRetryable, false)
})
