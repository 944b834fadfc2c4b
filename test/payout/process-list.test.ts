import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { processLists, processListUrl } from '../../domain/process-list.ts'
import { registerSearchAttributes } from '../../scripts/infra/search-attributes.ts'
import { approve, leftOpen, register } from '../support/destination.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { addStaff } from '../support/staff.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

// The queries with which operators search the engine's list of processes, run on the engine itself.
const stack = await useStack()

const manual = readFileSync(join(ROOT, 'docs/operating/processes.md'), 'utf8')
const section = manual.split(/^## /m).find((part) => part.startsWith('Finding processes\n')) ?? ''
const documented = [...section.matchAll(/^\| [^|]+ \| `([^`]+)`/gm)].map(([, query = '']) => query)

async function idsOf(query: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { workflowId } of stack.client.workflow.list({ query })) ids.push(workflowId)
  return ids
}

test('the engine understands every query of the manual', async () => {
  assert.ok(documented.length > 18, 'the queries are found')
  for (const query of documented) await assert.doesNotReject(idsOf(query), query)
  await assert.rejects(idsOf('Stat="stuck"'))
})

test('the lists that npm start and the desk link to are in the manual', () => {
  for (const { query } of processLists) assert.ok(documented.includes(query), query)
  assert.equal(
    processListUrl('http://ui', 'a b', 'State="x"'),
    'http://ui/namespaces/a%20b/workflows?query=State%3D%22x%22',
  )
})

test('a destination that awaits a decision is in its list, and is found by its state too', async () => {
  const { id } = await register(stack.merchant, 'NGN', leftOpen)
  const list = processLists.find(({ name }) => name.startsWith('Destinations'))
  await until(async () => (await idsOf(list?.query ?? '')).includes(`destination/${id}`), 'it is listed')
  assert.ok((await idsOf('State="pending_review"')).includes(`destination/${id}`))
})

test('a process that older code began shows its state after its next change, and keeps old attributes', async () => {
  const { connection } = stack.client
  await registerSearchAttributes(connection as Parameters<typeof registerSearchAttributes>[0], 'default', ['Status'])
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const workflowId = `destination/${destination.id}`
  const handle = stack.client.workflow.getHandle(workflowId)
  await until(() => isRunning(workflowId), 'its process has begun')
  await handle.terminate('as if older code had begun it')
  const asBefore = { Resource: ['destination'], Status: ['pending_review'], WaitingOn: ['reviewer'] }
  const start = { workflowId, args: [destination.id], taskQueue: stack.taskQueue, searchAttributes: asBefore }
  await until(
    () => stack.client.workflow.start('payout-destination', start).then(Boolean, () => false),
    'the engine knows the old attribute',
  )
  assert.deepEqual((await handle.describe()).searchAttributes['State'], undefined)
  await approve(stack.merchant, await addStaff(stack), destination)
  await handle.result()
  const { searchAttributes } = await handle.describe()
  assert.deepEqual([searchAttributes['Status'], searchAttributes['State']], [['pending_review'], ['approved']])
})

const isRunning = (id: string) =>
  stack.client.workflow
    .getHandle(id)
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    )
