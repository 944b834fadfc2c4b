import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'

// .ci/run, with an npm that notes how it was called and does `onTest` in `npm test`.
function runWith(t: TestContext, onTest: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ci-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const npm = `#!/bin/sh\necho "$*" >>'${folder}/called'\nif [ "$1" = test ]; then ${onTest}; fi\n`
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
  for (const tool of ['python3', 'haproxy', 'php']) writeFileSync(join(folder, tool), '#!/bin/sh\n', { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
  const { status } = spawnSync('bash', ['.ci/run'], { cwd: ROOT, env })
  return { status, called: readFileSync(join(folder, 'called'), 'utf8').trim().split('\n') }
}
const [prepare, ...checks] = ['run cluster -- --prepare', 'run check', 'run contract', 'run check-deployment']

test('every check runs where the tests fail, and the whole has failed', (t) => {
  assert.deepEqual(runWith(t, 'exit 1'), { status: 1, called: [prepare, 'test', ...checks] })
  assert.deepEqual(runWith(t, 'exit 0'), { status: 0, called: [prepare, 'test', ...checks] })
})

test('Ctrl-C during the tests ends the whole', (t) => {
  assert.deepEqual(runWith(t, 'kill -INT $PPID; exit 130'), { status: 130, called: [prepare, 'test'] })
})
