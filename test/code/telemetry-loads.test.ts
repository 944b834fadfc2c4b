import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'

const list = `
  const { createRequire } = await import('node:module')
  const loaded = Object.keys(createRequire('${ROOT}/x').cache)
  console.log(loaded.filter((file) => /prom-client|opentelemetry/.test(file)).length)`

/** How many files of the packages for metrics and traces a process loads with these modules. */
const loadedWith = (...modules: string[]): number => {
  const code = modules.map((module) => `await import('${ROOT}/${module}');`).join('') + list
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }))
}

test('a process that counts and traces nothing loads nothing for it', () => {
  const parts = ['api/http/server.ts', 'engine/workers.ts', 'engine/telemetry/measured.ts']
  assert.equal(loadedWith(...parts, 'engine/telemetry/metrics.ts', 'engine/telemetry/tracing.ts'), 0)
  assert.ok(loadedWith('engine/telemetry/counters.ts') > 0, 'what is loaded is seen')
  assert.ok(loadedWith('engine/telemetry/spans.ts') > 0)
})
