import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { processes, processId, type ProcessName, processOf } from '../../domain/processes.ts'
import type { About, Contract } from '../../domain/process-contract.ts'
import { signalProcess, startProcess } from '../../db/core/start-process.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Engine } from '../../engine/engine.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const all = Object.entries(processes) as [ProcessName, Contract][]

test('a process is on the webhooks queue exactly if its name begins with webhook-, as the outbox assumes', () => {
  for (const [name, { queue }] of all) assert.equal(queue === 'webhooks', name.startsWith('webhook-'), name)
})

test('an id leads back to its process, and no two processes share a prefix', () => {
  for (const [name] of all)
    assert.deepEqual(processOf(processId(name, 'pay_1/USD')), { process: name, resourceId: 'pay_1/USD' })
  assert.equal(processOf('pay_1'), null)
  assert.equal(processOf('nothing/pay_1'), null)
})

test('the manual lists every message that a process understands, as it is declared', () => {
  const section =
    read('docs/operating/processes.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Messages\n')) ?? ''
  const listed = [...section.matchAll(/^\| `[^|]+\|[^\n]+$/gm)].map(([row]) => row)
  const declared = all.flatMap(([, { prefix, updates = {}, signals = {} }]) => [
    ...Object.entries(updates).map(([name, { means }]) => `| \`${prefix}/…\` | update \`${name}\` | ${means} |`),
    ...Object.entries(signals).map(([name, { means }]) => `| \`${prefix}/…\` | signal \`${name}\` | ${means} |`),
  ])
  assert.deepEqual(listed, declared)
})

/** Never called: the compiler refuses each marked line, and refuses the file if one of them compiles. */
export function refused(em: EntityManager, engine: Engine, about: About): void {
  const dispatch = { process: 'payout', resourceId: 'pay_1', about } as const
  // @ts-expect-error -- no such process
  startProcess(em, 'payuot', 'pay_1', about)
  // @ts-expect-error -- no such signal
  signalProcess(em, 'payout', 'pay_1', about, 'railAnswer')
  // @ts-expect-error -- a payment's id is missing
  signalProcess(em, 'checkout', 'chk_1', about, 'railAnswered')
  // @ts-expect-error -- an update of another process
  void engine.update(dispatch, 'pay', ['req_1', true], 'pay_2')
  // @ts-expect-error -- an argument too many
  void engine.update(dispatch, 'retry', ['opa_1', 'now'], 'pay_2')
}
