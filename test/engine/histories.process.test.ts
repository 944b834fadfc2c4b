import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { processOf } from '../../domain/processes.ts'
import { queueOf } from '../../engine/engine.ts'
import { workflowsOf } from '../../engine/workers.ts'
import { lives, record } from '../support/histories.ts'
import { keep, kept, manifest, type Recorded, sums } from '../support/kept-histories.ts'
import { replay } from '../support/replay.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'
import { textIn } from '../support/texts.ts'

// RECORD=2026-11-20 npm test -- test/engine/histories.process.test.ts keeps today's histories beside the older ones.
const day = process.env['RECORD']
const bundles = process.env['WORKFLOW_BUNDLES']

const stack = await useStack({ skipping: true })
const receiver = await useReceiver()

/** The task queue of the process, whose bundle holds its code. */
const queueIn = ({ workflowId }: Recorded) => {
  const known = processOf(workflowId)
  assert.ok(known, workflowId)
  return queueOf(known.process)
}

async function assertReplay(recorded: Recorded[]): Promise<void> {
  for (const [queue, ofQueue] of Map.groupBy(recorded, queueIn)) {
    const errors = await replay(ofQueue, workflowsOf(queue, bundles))
    assert.deepEqual(
      ofQueue.flatMap(({ name }, n) => (errors[n] ? [[name, errors[n]]] : [])),
      [],
    )
  }
}

const recordedNow: Recorded[] = []
for (const name of Object.keys(lives)) {
  test(`${name}: its history is recorded`, async () => {
    await stack.merchant.setWebhook(receiver.url)
    const recorded = await record(stack, receiver, name)
    if (day) keep(recorded, day)
    recordedNow.push(recorded)
  })
}

// All of them together, as every worker that replays compiles a bundle first.
test('every history that is recorded now replays', async () => {
  assert.deepEqual(
    recordedNow.map(({ name }) => name),
    Object.keys(lives),
  )
  await assertReplay(recordedNow)
})

test('every scripted life has a kept history', () => {
  const names = kept().map(({ name }) => name.split('.')[0])
  assert.deepEqual(
    Object.keys(lives).filter((name) => !names.includes(name)),
    [],
  )
})

test('kept histories are never changed, replaced or removed without a decision page', () => {
  // A history that is recorded again after a change of its process hides that older runs cannot continue (0026).
  assert.deepEqual(sums(), manifest())
})

test('every kept history replays', async () => {
  await assertReplay(kept())
})

test('a careless change of a process is caught: its kept histories do not replay', async () => {
  const workflowsPath = fileURLToPath(new URL('../support/broken/index.cjs', import.meta.url))
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
  // One of each process: that all of them replay with the right code is tested above.
  const one = [...new Map(kept().map((each) => [processOf(each.workflowId)?.process, each])).values()]
  const errors = await replay(one, { workflowBundle })
  for (const [n, { name }] of one.entries()) assert.ok(errors[n] instanceof DeterminismViolationError, name)
})

/** Digits that are a number, or begin a longer one: an id or a moment may contain the same digits by chance. */
const number = (digits: string) => new RegExp(`(?<![0-9A-Za-z])${digits}(?![A-Za-z])`)

const personal = [
  'ada@example.com',
  'Ada Buyer',
  'a-test-secret',
  '_secret_',
  'Marked Holder',
  'STATEMENT',
  'markedsecret',
  'Nobody has',
  ...['4242(4242)*(?!\\d)', '123456(?!\\d)', '2547\\d{8}', '912834'].map(number),
]

test('no history holds personal data or a secret', () => {
  for (const { name, history } of kept()) {
    const text = textIn(history)
    // Housekeeping and supervisor belong to the deployment, so they name no environment.
    const isDecoded = /"(sandbox|live)"/.test(text) || /^(housekeeping|supervisor)/.test(name)
    assert.ok(isDecoded, `${name} is read with its payloads`)
    for (const marker of personal) {
      const isThere = typeof marker === 'string' ? text.includes(marker) : marker.test(text)
      assert.ok(!isThere, `${name} holds ${marker}`)
    }
  }
})

test('the search finds a personal number in a text, and not in an id or a moment', () => {
  const found = (text: string) => personal.some((marker) => marker instanceof RegExp && marker.test(text))
  for (const text of ['{"last4":"4242"}', 'card 4242424242424242', '+254700000001', '"123456"', '"9128345678"']) {
    assert.ok(found(text), text)
  }
  for (const text of ['pay_01m8k4242zz', '2026-11-23T10:00:00.242420Z', '"nanos":424212345'])
    assert.ok(!found(text), text)
})
