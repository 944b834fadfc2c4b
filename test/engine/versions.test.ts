import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processes, type ProcessName } from '../../domain/processes.ts'
import { queues } from '../../domain/process-contract.ts'
import { behaviours } from '../../workflows/behaviours.ts'

type Declared = { workflowDefinitionOptions?: { versioningBehavior?: string } }

type Workflows = Record<string, Declared>

/** The workflows of each queue, as workers load them; `as` has Node load their files once more. */
const load = async (as: string): Promise<Record<(typeof queues)[number], Workflows>> =>
  Object.fromEntries(
    await Promise.all(
      queues.map(async (queue) => [queue, (await import(`../../workflows/${queue}.ts?${as}`)) as Workflows] as const),
    ),
  ) as Record<(typeof queues)[number], Workflows>

const inWorkersWithout = Object.values(await load('without')).flatMap((workflows) => Object.values(workflows))
const isDeclaredWithout = inWorkersWithout.some((workflow) => workflow.workflowDefinitionOptions !== undefined)
globalThis.workersHaveReleases = true
const loaded = await load('with')

test('workers without a release declare nothing: the engine refuses tasks of theirs that name a behaviour', () => {
  assert.ok(inWorkersWithout.length > 10)
  assert.equal(isDeclaredWithout, false)
})

test('every process declares to the engine whether it ends on the release on which it began', () => {
  const names = Object.keys(processes) as ProcessName[]
  assert.deepEqual(Object.keys(behaviours).toSorted(), names.toSorted())
  for (const name of names) {
    const workflow = loaded[processes[name].queue][name]
    assert.equal(workflow?.workflowDefinitionOptions?.versioningBehavior, behaviours[name], name)
  }
  const all = Object.values(loaded).flatMap((workflows) => Object.keys(workflows))
  assert.deepEqual(all.toSorted(), names.toSorted())
})

test('what may wait longer than a release is not pinned to one', () => {
  const endless = ['payout-schedule', 'subscription', 'housekeeping', 'supervisor', 'payout-destination'] as const
  for (const name of [...endless, 'dispute', 'account-review', 'payout', 'refund', 'webhook-endpoint'] as const)
    assert.equal(behaviours[name], 'AUTO_UPGRADE', name)
})
