import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { errorExamples, examples } from '../../api/http/examples.ts'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { commonRefusals } from '../../api/http/perform.ts'
import { operations } from '../../api/operations.ts'
import { recordExamples } from '../support/record-examples.ts'
import { howToRecord, nameOf, openStage, type Stage } from '../support/example-stage.ts'
import { runStories } from '../support/examples.ts'
import { shapeDifference } from '../support/normalize-example.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The examples of the API's documents are calls that were made. Here each is made again: what is sent is what was
// recorded, with the ids of this run, and the answer has to have the recorded status and shape.
const stack = await useStack()
const api = await useApi(stack)
const isRecording = Boolean(process.env['RECORD_EXAMPLES'])
let stage: Stage
let problems: string[] = []
before(async () => {
  stage = await openStage(stack, api)
  problems = await runStories(stage)
  if (isRecording) recordExamples(stage.recorded, stage.errors)
})

test('every recorded call is accepted, as it was recorded', () => assert.deepEqual(problems, []))

test('every operation has an example of each answer that it may give, which is recorded', () => {
  const missing = operations.flatMap((operation) => {
    const { calls = [] } = stage.recorded[operationIdOf(operation)] ?? {}
    const statuses = [operation.returns[0], ...(operation.findsExisting ? [200] : [])]
    return statuses
      .filter((status) => !calls.some((call) => call.status === status))
      .map((status) => `${nameOf(operation)} ${status}`)
  })
  assert.deepEqual(missing, [], `these operations have no example: ${howToRecord}; missing: ${missing.join(', ')}`)
})

test('no answer has changed its shape or its status since it was recorded', () => {
  const changed = Object.entries(stage.recorded).flatMap(([operationId, { calls, refusals }]) => {
    const known = examples[operationId]
    const ofCalls = calls.flatMap(({ name, status, answer }) => {
      const old = known?.calls.find((each) => each.name === name)
      if (!old) return [`${operationId} (${name}) was not recorded`]
      if (old.status !== status) return [`${operationId} (${name}) answers ${status}, and not ${old.status}`]
      const difference = shapeDifference(answer, old.answer)
      return difference ? [`${operationId} (${name}): ${difference}`] : []
    })
    const ofRefusals = Object.entries(refusals).flatMap(([code, body]) => {
      const difference = shapeDifference(body, known?.refusals[code])
      return difference ? [`${operationId} ${code}: ${difference}`] : []
    })
    return [...ofCalls, ...ofRefusals]
  })
  if (!isRecording) assert.deepEqual(changed, [], `record the examples anew: ${howToRecord}`)
})

test('no example was recorded of a call that is not made any more', () => {
  const gone = Object.entries(examples).flatMap(([operationId, { calls }]) =>
    calls
      .filter(({ name }) => !stage.recorded[operationId]?.calls.some((each) => each.name === name))
      .map(({ name }) => `${operationId} (${name})`),
  )
  if (!isRecording) assert.deepEqual(gone, [], `record the examples anew: ${howToRecord}`)
})

test('every code that an operation may refuse with has an example, of the shape that was recorded', () => {
  const codes = new Set<string>([...operations.flatMap(({ refuses }) => refuses), ...commonRefusals, 'UNAUTHORIZED'])
  for (const code of [...codes, 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT']) {
    assert.ok(stage.errors[code], `${code} has no example: add a call to test/support/example-errors.ts, and record it`)
    if (isRecording) continue
    assert.equal(shapeDifference(stage.errors[code], errorExamples[code]), null, code)
  }
})
